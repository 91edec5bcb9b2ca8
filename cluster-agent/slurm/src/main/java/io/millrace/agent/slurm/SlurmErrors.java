package io.millrace.agent.slurm;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import java.util.List;

/** What Slurm's commands print when they cannot do what they were asked, and what kind of trouble that is. */
final class SlurmErrors {

    private record Known(String words, Kind kind) {}

    /** First match counts. The words are those of {@code slurm_strerror} and of the commands themselves. */
    private static final List<Known> KNOWN = List.of(
            new Known("Unable to contact slurm controller", Kind.DOWN),
            new Known("Unable to establish configuration source", Kind.DOWN),
            new Known("Could not establish a configuration source", Kind.DOWN),
            new Known("Unable to process configuration file", Kind.DOWN),
            new Known("Slurm backup controller in standby mode", Kind.DOWN),
            new Known("Munge encode failed", Kind.DOWN),
            new Known("Invalid authentication credential", Kind.DOWN),
            new Known("Protocol authentication error", Kind.DOWN),
            // sacctmgr, of slurmdbd.
            new Known("failed to open persistent connection", Kind.DOWN),
            new Known("Sending PersistInit msg", Kind.DOWN),
            new Known("Problem talking to the database", Kind.DOWN),
            new Known("Unable to connect to database", Kind.DOWN),
            new Known("Socket timed out on send/recv operation", Kind.TIMEOUT),
            new Known("Zero Bytes were transmitted or received", Kind.TIMEOUT),
            new Known("Connection reset by peer", Kind.TIMEOUT),
            // What scontrol says where squeue says "Unable to contact slurm controller".
            new Known("Unexpected message received", Kind.TIMEOUT),
            new Known("Invalid job id specified", Kind.NO_SUCH_JOB),
            new Known("Access/permission denied", Kind.DENIED),
            new Known("Your user doesn't have privilege to perform this action", Kind.DENIED),
            new Known("Invalid user id", Kind.DENIED),
            new Known("User's group not permitted to use this partition", Kind.DENIED),
            new Known("Job is pending execution", Kind.WRONG_STATE),
            new Known("Job is no longer pending execution", Kind.WRONG_STATE),
            new Known("Job/step already completing or completed", Kind.WRONG_STATE),
            new Known("Operation not permitted on individual component of heterogeneous job", Kind.WRONG_STATE),
            new Known("Job is current suspended", Kind.WRONG_STATE),
            new Known("Job is not suspended", Kind.WRONG_STATE),
            new Known("Job is in held state", Kind.WRONG_STATE),
            new Known("Requested operation is presently disabled", Kind.WRONG_STATE));

    private SlurmErrors() {}

    /** @param otherwise the kind of what is not known: for an order REJECTED, for a question UNREADABLE */
    static <T> Answer<T> of(final String what, final CommandResult result, final Kind otherwise) {
        final String said = result.complaint();
        final Kind kind = KNOWN.stream()
                .filter(known -> said.contains(known.words))
                .findFirst()
                .map(Known::kind)
                .orElse(otherwise);
        return Answer.trouble(
                kind,
                what + " said (exit " + result.exit() + "): " + (said.isEmpty() ? "nothing" : said)
                        + remedy(kind, said));
    }

    /** The output is not what this command prints: cut off, or an error where rows should stand. */
    static <T> Answer<T> unreadable(
            final String what, final IllegalArgumentException because, final CommandResult result) {
        final String said = result.complaint();
        return Answer.trouble(
                Kind.UNREADABLE,
                what + " printed what cannot be read: " + because.getMessage()
                        + (said.isEmpty() ? "" : "; it also said: " + said));
    }

    private static String remedy(final Kind kind, final String said) {
        if (said.contains("ersist")) {
            return "; is slurmdbd running, and its database?";
        }
        if (said.contains("Invalid qos specification")) {
            return "; the user has no QoS of that name here: set the user's limit first, which makes it";
        }
        if (said.contains("Invalid account or account/partition combination")) {
            return "; the user does not belong to that account here: sacctmgr add user USER account=ACCOUNT";
        }
        return switch (kind) {
            case DOWN -> "; is slurmctld running, and munged on this host?";
            case TIMEOUT -> "; slurmctld is busy or its host unreachable";
            case STOPPED, DENIED, NO_SUCH_JOB, WRONG_STATE, REJECTED, UNREADABLE -> "";
        };
    }
}
