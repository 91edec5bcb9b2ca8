package io.millrace.cli;

/** How a command ends; part of its public contract. */
final class ExitCode {

    static final int OK = 0;
    /** The command could not do what it was asked for, or (with {@code --wait}) the job did not run to its end. */
    static final int FAILED = 1;
    /** Wrong options or arguments, or a job that cannot be one. */
    static final int USAGE = 2;

    static final int NOT_AUTHORISED = 3;
    static final int NOT_FOUND = 4;
    /** The service does not answer, or not now: trying again may help. */
    static final int UNREACHABLE = 5;

    private ExitCode() {}
}
