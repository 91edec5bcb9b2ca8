package io.millrace.agent.lsf.command;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import java.util.List;

/** Error messages of LSF commands and the kind of failure that each one means. All commands exit with 255. */
public final class LsfErrors {

    private record Known(String text, Kind kind, String remedy) {}

    private static final String ADMINISTRATOR =
            "; the agent's account must be an administrator of the cluster: add it to "
                    + "ADMINISTRATORS in lsf.cluster.<name> (or of the queue in lsb.queues) and run: lsadmin reconfig; badmin reconfig";

    /** The first match applies. The texts are those of {@code lsb_sysmsg}, {@code ls_sysmsg} and of the commands. */
    private static final List<Known> KNOWN = List.of(
            new Known("LIM is down", Kind.DOWN, "; is LIM running on the master host?"),
            new Known("(LIM) not responding", Kind.DOWN, "; is LIM running on the master host?"),
            new Known("LIM not responding", Kind.DOWN, "; is LIM running on the master host?"),
            new Known("Cannot connect to LSF", Kind.DOWN, "; is LIM running on the master host?"),
            new Known("Failed in an LSF library call", Kind.DOWN, "; is LIM running, and lsf.conf readable here?"),
            new Known("Can't reach slave LIM", Kind.DOWN, ""),
            new Known("batch daemon not responding", Kind.DOWN, "; is mbatchd running on the master host?"),
            new Known("Batch daemon not responding", Kind.DOWN, "; is mbatchd running on the master host?"),
            new Known("Batch system not responding", Kind.DOWN, "; is mbatchd running on the master host?"),
            new Known("Master batch daemon is down", Kind.DOWN, "; is mbatchd running on the master host?"),
            new Known("mbatchd is resizing", Kind.DOWN, ""),
            new Known("Communication time out", Kind.TIMEOUT, "; mbatchd is busy or its host unreachable"),
            new Known("Request aborted by esub", Kind.REJECTED, "; the site's esub script refused the job"),
            new Known(
                    "Checkpoint log is not found",
                    Kind.REJECTED,
                    "; the job was not checkpointed, see the echkpnt log in the checkpoint directory"),
            new Known("Operation is in progress", Kind.TIMEOUT, "; the operation may have been applied in part"),
            new Known("No matching job found", Kind.NO_SUCH_JOB, ""),
            new Known("is not found", Kind.NO_SUCH_JOB, ""),
            new Known("Job has already finished", Kind.WRONG_STATE, ""),
            new Known("Job has already started", Kind.WRONG_STATE, ""),
            new Known("Job has not started yet", Kind.WRONG_STATE, ""),
            new Known("Job is being requeued", Kind.WRONG_STATE, ""),
            new Known("Job has been requeued", Kind.WRONG_STATE, ""),
            new Known("Job has been suspended", Kind.WRONG_STATE, ""),
            new Known("Job is not checkpointable", Kind.WRONG_STATE, "; the job was submitted without bsub -k"),
            new Known("Migrating", Kind.WRONG_STATE, ""),
            new Known("parameters cannot be changed now", Kind.WRONG_STATE, ""),
            new Known("Resource usage limits of a running job", Kind.WRONG_STATE, ""),
            new Known("User cannot use the queue", Kind.DENIED, ""),
            new Known("User permission denied", Kind.DENIED, ADMINISTRATOR),
            new Known("Permission denied", Kind.DENIED, ADMINISTRATOR),
            new Known("Operation not permitted", Kind.DENIED, ADMINISTRATOR),
            new Known("not an LSF administrator", Kind.DENIED, ADMINISTRATOR),
            new Known("No such queue", Kind.REJECTED, "; a partition is an LSF queue here, run bqueues to list them"));

    private LsfErrors() {}

    public static boolean isDown(final CommandResult result) {
        final String text = result.complaint();
        return KNOWN.stream().anyMatch(known -> known.kind == Kind.DOWN && text.contains(known.text));
    }

    /** @param otherwise the kind of an unknown message: REJECTED for a command, UNREADABLE for a query */
    public static <T> Answer<T> of(final String what, final CommandResult result, final Kind otherwise) {
        final String text = (result.complaint() + " " + firstLines(result)).strip();
        final Known known = KNOWN.stream()
                .filter(candidate -> text.contains(candidate.text))
                .findFirst()
                .orElse(new Known("", otherwise, ""));
        return Answer.trouble(
                known.kind,
                what + " failed (exit " + result.exit() + "): " + (text.isEmpty() ? "no message" : text)
                        + known.remedy);
    }

    /** Some errors are printed to standard output. */
    private static String firstLines(final CommandResult result) {
        final String line = result.outputText().strip().replaceAll("\\s*\\R\\s*", "; ");
        return line.length() <= 300 ? line : line.substring(0, 300) + "…";
    }
}
