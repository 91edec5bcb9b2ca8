package io.millrace.agent.torque.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import java.util.List;

/**
 * Classifies error messages of the commands. The message takes precedence: the exit code is the server's error number modulo 256,
 * and these numbers differ between versions (170 is "bad state" in Torque and "unknown queue" in OpenPBS 2.3).
 */
public final class CommandErrors {

    private record Known(String words, Kind kind, String remedy) {}

    private static final String NO_SERVER =
            "; check that pbs_server is running and that its acl_hosts include this host";
    private static final String NO_TRUST =
            "; check that trqauthd runs on this host (older versions: pbs_iff is set-uid root) and that the server trusts this host";
    private static final String NO_RIGHT =
            "; make the agent an operator: qmgr -c 'set server operators += USER@HOST' (for system holds: managers +=), see"
                    + " deploy/torque";

    /** The first match counts. The messages are those of pbs_error_db.h and of the commands. */
    private static final List<Known> KNOWN = List.of(
            new Known("Unknown Job Id", Kind.NO_SUCH_JOB, ""),
            new Known("nonexistent job id", Kind.NO_SUCH_JOB, ""),
            new Known("Unknown Array Id", Kind.NO_SUCH_JOB, ""),
            new Known("illegally formed job identifier", Kind.NO_SUCH_JOB, ""),
            new Known("Connection refused", Kind.DOWN, NO_SERVER),
            new Known("annot connect to", Kind.DOWN, NO_SERVER),
            new Known("could not connect to", Kind.DOWN, NO_SERVER),
            new Known("Unable to communicate with", Kind.DOWN, NO_SERVER),
            new Known("No default server name", Kind.DOWN, "; set millrace.agent.torque.server"),
            new Known("Server shutting down", Kind.DOWN, NO_SERVER),
            new Known("End of File", Kind.TIMEOUT, NO_SERVER),
            new Known("Premature end of message", Kind.TIMEOUT, NO_SERVER),
            new Known("Batch protocol error", Kind.TIMEOUT, NO_SERVER),
            new Known("Protocol (ASN.1) error", Kind.TIMEOUT, NO_SERVER),
            new Known("Connection timed out", Kind.TIMEOUT, NO_SERVER),
            new Known("No free connections", Kind.DOWN, NO_SERVER),
            new Known("Invalid credential", Kind.DENIED, NO_TRUST),
            new Known("Expired credential", Kind.DENIED, NO_TRUST),
            new Known("unable to authenticate", Kind.DENIED, NO_TRUST),
            new Known("Unauthorized host", Kind.DENIED, NO_TRUST),
            new Known("Access from host not allowed", Kind.DENIED, NO_TRUST),
            new Known(
                    "Bad UID for job execution",
                    Kind.DENIED,
                    "; give the owner an account on the server's host, and"
                            + " let the server trust the submission host: qmgr -c 'set server submit_hosts += HOST'"),
            new Known("can not be run as root", Kind.DENIED, "; submit as another user"),
            new Known("Unauthorized Request", Kind.DENIED, NO_RIGHT),
            new Known("additional permissions required", Kind.DENIED, NO_RIGHT),
            new Known(
                    "Access to queue is denied",
                    Kind.DENIED,
                    "; add the owner to acl_users or acl_groups of the queue"),
            new Known("not rerunnable", Kind.WRONG_STATE, "; it was submitted with qsub -r n"),
            new Known("Request invalid for state of job", Kind.WRONG_STATE, ""),
            new Known("Job is not checkpointable", Kind.WRONG_STATE, ""),
            new Known("attempt to start job in non-started queue", Kind.WRONG_STATE, "; start the queue: qstart QUEUE"),
            new Known("Cannot modify attribute while job running", Kind.WRONG_STATE, ""),
            new Known("Resource temporarily unavailable", Kind.WRONG_STATE, ""),
            new Known("Unknown queue", Kind.REJECTED, "; use an existing partition"),
            new Known("Queue is not enabled", Kind.REJECTED, "; the partition is disabled: qenable QUEUE"),
            new Known("Job exceeds queue resource limits", Kind.REJECTED, ""),
            new Known("Unknown resource type", Kind.REJECTED, ""),
            new Known("Invalid Job Dependency", Kind.REJECTED, ""),
            new Known("illegal -", Kind.REJECTED, ""),
            new Known("Unknown/illegal signal name", Kind.REJECTED, ""));

    private CommandErrors() {}

    /** @param otherwise the kind of an unknown error: REJECTED for a command, UNREADABLE for a query */
    public static <T> Answer<T> of(final String what, final CommandResult result, final Kind otherwise) {
        final String said = said(result);
        final Known known = KNOWN.stream()
                .filter(one -> said.contains(one.words))
                .findFirst()
                .orElseGet(() -> byExit(result.exit(), otherwise));
        return Answer.trouble(
                known.kind,
                what + " failed (exit " + result.exit() + "): " + (said.isEmpty() ? "no message" : said)
                        + known.remedy);
    }

    /** Error numbers that are the same in all versions. */
    private static Known byExit(final int exit, final Kind otherwise) {
        return switch (exit) {
            case 111 -> new Known("", Kind.DOWN, NO_SERVER); // ECONNREFUSED
            case 126, 127 ->
                new Known(
                        "",
                        Kind.DOWN,
                        "; set millrace.agent.torque.bin-dir to the folder where the commands are installed");
            case 153 -> new Known("", Kind.NO_SUCH_JOB, "");
            case 159 -> new Known("", Kind.DENIED, NO_RIGHT);
            default -> new Known("", otherwise, "");
        };
    }

    private static String said(final CommandResult result) {
        final String complaint = result.complaint();
        return complaint.isEmpty()
                ? ListingReader.cut(result.outputText().strip().replaceAll("\\s*\\R\\s*", "; "))
                : complaint;
    }
}
