package io.millrace.agent.openpbs;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import io.millrace.agent.wlm.CommandResult;
import java.util.List;

/**
 * What the commands print when they cannot do what they were asked, and what kind of trouble that is. By their words first: the exit
 * code is the server's error number modulo 256, and those numbers moved between versions (170 is "bad state" in Torque, "unknown queue" in
 * OpenPBS 2.3).
 */
final class CommandErrors {

    private record Known(String words, Kind kind, String remedy) {}

    private static final String NO_SERVER = "; is pbs_server running, and this host among its acl_hosts?";
    private static final String NO_TRUST =
            "; is trqauthd running on this host (pbs_iff set-uid root in older versions), and this host trusted by the server?";
    private static final String NO_RIGHT =
            "; an operator's right is missing: qmgr -c 'set server operators += USER@HOST' (system holds: managers +=), see"
                    + " deploy/torque";

    /** First match counts. The words are those of pbs_error_db.h and of the commands themselves. */
    private static final List<Known> KNOWN = List.of(
            new Known("Unknown Job Id", Kind.NO_SUCH_JOB, ""),
            new Known("nonexistent job id", Kind.NO_SUCH_JOB, ""),
            new Known("Unknown Array Id", Kind.NO_SUCH_JOB, ""),
            new Known("illegally formed job identifier", Kind.NO_SUCH_JOB, ""),
            new Known("Connection refused", Kind.DOWN, NO_SERVER),
            new Known("annot connect to", Kind.DOWN, NO_SERVER),
            new Known("could not connect to", Kind.DOWN, NO_SERVER),
            new Known("Unable to communicate with", Kind.DOWN, NO_SERVER),
            new Known("No default server name", Kind.DOWN, "; set millrace.agent.openpbs.server"),
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
                    "; the owner needs an account on the server's host, and the"
                            + " submitting host must be trusted: qmgr -c 'set server submit_hosts += HOST'"),
            new Known("can not be run as root", Kind.DENIED, "; jobs of root are never taken"),
            new Known("Unauthorized Request", Kind.DENIED, NO_RIGHT),
            new Known("additional permissions required", Kind.DENIED, NO_RIGHT),
            new Known(
                    "Access to queue is denied",
                    Kind.DENIED,
                    "; the queue's acl_users or acl_groups leave this owner out"),
            new Known("not rerunnable", Kind.WRONG_STATE, "; its owner said so (qsub -r n)"),
            new Known("Request invalid for state of job", Kind.WRONG_STATE, ""),
            new Known("Job is not checkpointable", Kind.WRONG_STATE, ""),
            new Known("attempt to start job in non-started queue", Kind.WRONG_STATE, "; qstart the queue"),
            new Known("Cannot modify attribute while job running", Kind.WRONG_STATE, ""),
            new Known("Resource temporarily unavailable", Kind.WRONG_STATE, ""),
            new Known("Unknown queue", Kind.REJECTED, "; no such partition"),
            new Known("Queue is not enabled", Kind.REJECTED, "; the partition takes no jobs now"),
            new Known("Job exceeds queue resource limits", Kind.REJECTED, ""),
            new Known("Unknown resource type", Kind.REJECTED, ""),
            new Known("Invalid Job Dependency", Kind.REJECTED, ""),
            new Known("illegal -", Kind.REJECTED, ""),
            new Known("Unknown/illegal signal name", Kind.REJECTED, ""));

    private CommandErrors() {}

    /** @param otherwise the kind of what is not known: for an order REJECTED, for a question UNREADABLE */
    static <T> Answer<T> of(final String what, final CommandResult result, final Kind otherwise) {
        final String said = said(result);
        final Known known = KNOWN.stream()
                .filter(one -> said.contains(one.words))
                .findFirst()
                .orElseGet(() -> byExit(result.exit(), otherwise));
        return Answer.trouble(
                known.kind,
                what + " said (exit " + result.exit() + "): " + (said.isEmpty() ? "nothing" : said) + known.remedy);
    }

    /** Those numbers that all versions share. */
    private static Known byExit(final int exit, final Kind otherwise) {
        return switch (exit) {
            case 111 -> new Known("", Kind.DOWN, NO_SERVER); // ECONNREFUSED
            case 126, 127 ->
                new Known(
                        "",
                        Kind.DOWN,
                        "; set millrace.agent.openpbs.bin-dir to the folder where the commands are installed");
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
