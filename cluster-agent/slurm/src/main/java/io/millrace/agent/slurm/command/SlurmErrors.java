package io.millrace.agent.slurm.command;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import io.millrace.agent.wlm.KnownErrors;
import io.millrace.agent.wlm.KnownErrors.KnownError;

/** Error messages of Slurm's commands, with their kind and remedy. */
public final class SlurmErrors {

    private static final String CHECK_DATABASE = "check that slurmdbd and its database are running";
    private static final String CHECK_CONTROLLER = "check that slurmctld and the local munged are running";
    private static final String BUSY = "slurmctld is busy or its host is unreachable";

    /** The texts are those of {@code slurm_strerror} and of the commands themselves. */
    private static final KnownErrors KNOWN = KnownErrors.of(
            new KnownError("Unable to contact slurm controller", Kind.DOWN, CHECK_CONTROLLER),
            new KnownError("Unable to establish configuration source", Kind.DOWN, CHECK_CONTROLLER),
            new KnownError("Could not establish a configuration source", Kind.DOWN, CHECK_CONTROLLER),
            new KnownError("Unable to process configuration file", Kind.DOWN, CHECK_CONTROLLER),
            new KnownError("Slurm backup controller in standby mode", Kind.DOWN, CHECK_CONTROLLER),
            new KnownError("Munge encode failed", Kind.DOWN, CHECK_CONTROLLER),
            new KnownError("Invalid authentication credential", Kind.DOWN, CHECK_CONTROLLER),
            new KnownError("Protocol authentication error", Kind.DOWN, CHECK_CONTROLLER),
            new KnownError("failed to open persistent connection", Kind.DOWN, CHECK_DATABASE),
            new KnownError("Sending PersistInit msg", Kind.DOWN, CHECK_DATABASE),
            new KnownError("Problem talking to the database", Kind.DOWN, CHECK_DATABASE),
            new KnownError("Unable to connect to database", Kind.DOWN, CHECK_DATABASE),
            new KnownError("Socket timed out on send/recv operation", Kind.TIMEOUT, BUSY),
            new KnownError("Zero Bytes were transmitted or received", Kind.TIMEOUT, BUSY),
            new KnownError("Connection reset by peer", Kind.TIMEOUT, BUSY),
            // scontrol prints this where squeue prints "Unable to contact slurm controller".
            new KnownError("Unexpected message received", Kind.TIMEOUT, BUSY),
            new KnownError("Invalid job id specified", Kind.NO_SUCH_JOB),
            new KnownError("Access/permission denied", Kind.DENIED),
            new KnownError("Your user doesn't have privilege to perform this action", Kind.DENIED),
            new KnownError("Invalid user id", Kind.DENIED),
            new KnownError("User's group not permitted to use this partition", Kind.DENIED),
            new KnownError("Job is pending execution", Kind.WRONG_STATE),
            new KnownError("Job is no longer pending execution", Kind.WRONG_STATE),
            new KnownError("Job/step already completing or completed", Kind.WRONG_STATE),
            new KnownError("Operation not permitted on individual component of heterogeneous job", Kind.WRONG_STATE),
            new KnownError("Job is current suspended", Kind.WRONG_STATE),
            new KnownError("Job is not suspended", Kind.WRONG_STATE),
            new KnownError("Job is in held state", Kind.WRONG_STATE),
            new KnownError("Requested operation is presently disabled", Kind.WRONG_STATE),
            new KnownError(
                    "Invalid qos specification",
                    Kind.REJECTED,
                    "the user has no QoS of that name; set the user's limit first, which creates it"),
            new KnownError(
                    "Invalid account or account/partition combination",
                    Kind.REJECTED,
                    "add the user to the account: sacctmgr add user USER account=ACCOUNT"));

    private SlurmErrors() {}

    /** @param otherwise the kind of an unknown error: REJECTED for a change, UNREADABLE for a query */
    public static <T> Answer<T> of(final String command, final CommandResult result, final Kind otherwise) {
        final String message = result.errorText();
        final KnownError error = KNOWN.find(message).orElse(new KnownError("", otherwise));
        return KnownErrors.failure(command, result.exit(), message, error.kind(), error.remedy());
    }

    /** The output is truncated, or contains an error message instead of rows. */
    public static <T> Answer<T> unreadable(
            final String command, final IllegalArgumentException cause, final CommandResult result) {
        final String message = result.errorText();
        return Answer.trouble(
                Kind.UNREADABLE,
                "cannot read the output of " + command + ": " + cause.getMessage()
                        + (message.isEmpty() ? "" : "; standard error: " + message));
    }
}
