package io.millrace.cli.api;

/** The exit codes of all commands, which are part of the public interface. */
public final class ExitCode {

    public static final int OK = 0;
    /** The request was not possible, or with {@code --wait} the job was aborted, stopped or killed. */
    public static final int FAILED = 1;
    /** Invalid options or arguments, or an invalid job. */
    public static final int USAGE = 2;

    public static final int NOT_AUTHORISED = 3;
    public static final int NOT_FOUND = 4;
    /** The service is unreachable or temporarily unavailable. A retry may succeed. */
    public static final int UNREACHABLE = 5;

    private ExitCode() {}
}
