package io.millrace.agent.torque.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import io.millrace.agent.wlm.KnownErrors;
import io.millrace.agent.wlm.KnownErrors.KnownError;

/**
 * Classifies error messages of the commands. The message takes precedence: the exit code is the server's error number modulo 256,
 * and these numbers differ between versions (170 is "bad state" in Torque and "unknown queue" in OpenPBS 2.3).
 */
public final class TorqueErrors {

    private static final String NO_SERVER = "check that pbs_server is running and that its acl_hosts include this host";
    private static final String NO_TRUST =
            "check that trqauthd runs on this host (older versions: pbs_iff is set-uid root) and that the server trusts this host";
    private static final String NO_RIGHT =
            "make the agent an operator: qmgr -c 'set server operators += USER@HOST' (for system holds: managers +=), see"
                    + " deploy/torque";

    /** The messages are those of pbs_error_db.h and of the commands. */
    private static final KnownErrors KNOWN = KnownErrors.of(
            new KnownError("Unknown Job Id", Kind.NO_SUCH_JOB),
            new KnownError("nonexistent job id", Kind.NO_SUCH_JOB),
            new KnownError("Unknown Array Id", Kind.NO_SUCH_JOB),
            new KnownError("illegally formed job identifier", Kind.NO_SUCH_JOB),
            new KnownError("Connection refused", Kind.DOWN, NO_SERVER),
            new KnownError("annot connect to", Kind.DOWN, NO_SERVER),
            new KnownError("could not connect to", Kind.DOWN, NO_SERVER),
            new KnownError("Unable to communicate with", Kind.DOWN, NO_SERVER),
            new KnownError("No default server name", Kind.DOWN, "set millrace.agent.torque.server"),
            new KnownError("Server shutting down", Kind.DOWN, NO_SERVER),
            new KnownError("End of File", Kind.TIMEOUT, NO_SERVER),
            new KnownError("Premature end of message", Kind.TIMEOUT, NO_SERVER),
            new KnownError("Batch protocol error", Kind.TIMEOUT, NO_SERVER),
            new KnownError("Protocol (ASN.1) error", Kind.TIMEOUT, NO_SERVER),
            new KnownError("Connection timed out", Kind.TIMEOUT, NO_SERVER),
            new KnownError("No free connections", Kind.DOWN, NO_SERVER),
            new KnownError("Invalid credential", Kind.DENIED, NO_TRUST),
            new KnownError("Expired credential", Kind.DENIED, NO_TRUST),
            new KnownError("unable to authenticate", Kind.DENIED, NO_TRUST),
            new KnownError("Unauthorized host", Kind.DENIED, NO_TRUST),
            new KnownError("Access from host not allowed", Kind.DENIED, NO_TRUST),
            new KnownError(
                    "Bad UID for job execution",
                    Kind.DENIED,
                    "give the owner an account on the server's host, and"
                            + " let the server trust the submission host: qmgr -c 'set server submit_hosts += HOST'"),
            new KnownError("can not be run as root", Kind.DENIED, "submit as another user"),
            new KnownError("Unauthorized Request", Kind.DENIED, NO_RIGHT),
            new KnownError("additional permissions required", Kind.DENIED, NO_RIGHT),
            new KnownError(
                    "Access to queue is denied", Kind.DENIED, "add the owner to acl_users or acl_groups of the queue"),
            new KnownError("not rerunnable", Kind.WRONG_STATE, "it was submitted with qsub -r n"),
            new KnownError("Request invalid for state of job", Kind.WRONG_STATE),
            new KnownError("Job is not checkpointable", Kind.WRONG_STATE),
            new KnownError(
                    "attempt to start job in non-started queue", Kind.WRONG_STATE, "start the queue: qstart QUEUE"),
            new KnownError("Cannot modify attribute while job running", Kind.WRONG_STATE),
            new KnownError("Resource temporarily unavailable", Kind.WRONG_STATE),
            new KnownError("Unknown queue", Kind.REJECTED, "use an existing partition"),
            new KnownError("Queue is not enabled", Kind.REJECTED, "the partition is disabled: qenable QUEUE"),
            new KnownError("Job exceeds queue resource limits", Kind.REJECTED),
            new KnownError("Unknown resource type", Kind.REJECTED),
            new KnownError("Invalid Job Dependency", Kind.REJECTED),
            new KnownError("illegal -", Kind.REJECTED),
            new KnownError("Unknown/illegal signal name", Kind.REJECTED));

    private TorqueErrors() {}

    /** @param otherwise the kind of an unknown error: REJECTED for a command, UNREADABLE for a query */
    public static <T> Answer<T> of(final String what, final CommandResult result, final Kind otherwise) {
        final String message = message(result);
        final KnownError error = KNOWN.find(message).orElseGet(() -> byExit(result.exit(), otherwise));
        return KnownErrors.failure(what, result.exit(), message, error.kind(), error.remedy());
    }

    /** Error numbers that are the same in all versions. */
    private static KnownError byExit(final int exit, final Kind otherwise) {
        return switch (exit) {
            case 111 -> new KnownError("", Kind.DOWN, NO_SERVER); // ECONNREFUSED
            case 126, 127 ->
                new KnownError(
                        "",
                        Kind.DOWN,
                        "set millrace.agent.torque.bin-dir to the folder where the commands are installed");
            case 153 -> new KnownError("", Kind.NO_SUCH_JOB);
            case 159 -> new KnownError("", Kind.DENIED, NO_RIGHT);
            default -> new KnownError("", otherwise);
        };
    }

    private static String message(final CommandResult result) {
        final String complaint = result.errorText();
        return complaint.isEmpty() ? ListingReader.cut(CommandResult.onOneLine(result.outputText(), "; ")) : complaint;
    }
}
