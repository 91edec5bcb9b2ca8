package io.millrace.cli;

/** The exit codes of all commands, which are part of the public interface. */
final class ExitCode {

    static final int OK = 0;
    /** The request was not possible, or with {@code --wait} the job was aborted, stopped or killed. */
    static final int FAILED = 1;
    /** Invalid options or arguments, or an invalid job. */
    static final int USAGE = 2;

    static final int NOT_AUTHORISED = 3;
    static final int NOT_FOUND = 4;
    /** The service is unreachable or temporarily unavailable. A retry may succeed. */
    static final int UNREACHABLE = 5;

    private ExitCode() {}
}
