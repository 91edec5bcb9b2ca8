package io.millrace.agent.lsf.command;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import io.millrace.agent.wlm.KnownErrors;
import io.millrace.agent.wlm.KnownErrors.KnownError;

/** Error messages of LSF commands and the kind of failure that each one means. All commands exit with 255. */
public final class LsfErrors {

    private static final String LIM = "check that LIM is running on the master host";
    private static final String MBATCHD = "check that mbatchd is running on the master host";
    private static final String ADMINISTRATOR =
            "the agent's account must be an administrator of the cluster: add it to ADMINISTRATORS in"
                    + " lsf.cluster.<name> (or of the queue in lsb.queues) and run: lsadmin reconfig; badmin reconfig";

    private static final String RUNNING_JOBS =
            "LSF changes a running job only if lsf.conf contains LSB_MOD_ALL_JOBS=Y: set it and run: badmin mbdrestart;"
                    + " OpenLava changes waiting jobs only";

    /** The texts are those of {@code lsb_sysmsg}, {@code ls_sysmsg} and of the commands. */
    private static final KnownErrors KNOWN = KnownErrors.of(
            new KnownError("LIM is down", Kind.DOWN, LIM),
            new KnownError("(LIM) not responding", Kind.DOWN, LIM),
            new KnownError("LIM not responding", Kind.DOWN, LIM),
            new KnownError("Cannot connect to LSF", Kind.DOWN, LIM),
            new KnownError(
                    "Failed in an LSF library call",
                    Kind.DOWN,
                    "check that LIM is running and lsf.conf is readable on this host"),
            new KnownError("Can't reach slave LIM", Kind.DOWN),
            new KnownError("Connection refused by server", Kind.DOWN, MBATCHD),
            new KnownError("Batch daemon not responding", Kind.DOWN, MBATCHD),
            new KnownError("Batch system not responding", Kind.DOWN, MBATCHD),
            new KnownError("Master batch daemon is down", Kind.DOWN, MBATCHD),
            new KnownError("mbatchd is resizing", Kind.DOWN),
            new KnownError(
                    "Communication time out", Kind.TIMEOUT, "mbatchd is busy or its host is unreachable; retry later"),
            new KnownError("Request aborted by esub", Kind.REJECTED, "the site's esub script refused the job"),
            new KnownError(
                    "Checkpoint log is not found",
                    Kind.REJECTED,
                    "the job was not checkpointed; see the echkpnt log in the checkpoint directory"),
            new KnownError("Operation is in progress", Kind.TIMEOUT, "the operation may have been applied in part"),
            new KnownError("No matching job found", Kind.NO_SUCH_JOB),
            new KnownError("is not found", Kind.NO_SUCH_JOB),
            new KnownError("Job has already finished", Kind.WRONG_STATE),
            new KnownError("Job has already started", Kind.WRONG_STATE),
            new KnownError("Job has not started yet", Kind.WRONG_STATE),
            new KnownError("Job is being requeued", Kind.WRONG_STATE),
            new KnownError("Job has been requeued", Kind.WRONG_STATE),
            new KnownError("Job has been suspended", Kind.WRONG_STATE),
            new KnownError("Job is not checkpointable", Kind.WRONG_STATE, "the job was submitted without bsub -k"),
            new KnownError("Migrating", Kind.WRONG_STATE),
            new KnownError("parameters cannot be changed now", Kind.WRONG_STATE, RUNNING_JOBS),
            new KnownError("Resource usage limits of a running job", Kind.WRONG_STATE, RUNNING_JOBS),
            new KnownError("User cannot use the queue", Kind.DENIED),
            new KnownError("Permission denied", Kind.DENIED, ADMINISTRATOR),
            new KnownError("Operation not permitted", Kind.DENIED, ADMINISTRATOR),
            new KnownError("not an LSF administrator", Kind.DENIED, ADMINISTRATOR),
            new KnownError("No such queue", Kind.REJECTED, "a partition is an LSF queue; bqueues lists the queues"));

    private LsfErrors() {}

    public static boolean isDown(final CommandResult result) {
        return KNOWN.find(result.errorText())
                .filter(known -> known.kind() == Kind.DOWN)
                .isPresent();
    }

    /** @param otherwise the kind of an unknown message: REJECTED for a command, UNREADABLE for a query */
    public static <T> Answer<T> of(final String what, final CommandResult result, final Kind otherwise) {
        final String text = (result.errorText() + " " + firstLines(result)).strip();
        final KnownError known = KNOWN.find(text).orElse(new KnownError("", otherwise));
        return KnownErrors.failure(what, result.exit(), text, known.kind(), known.remedy());
    }

    /** Some errors are printed to standard output. */
    private static String firstLines(final CommandResult result) {
        final String line = CommandResult.onOneLine(result.outputText(), "; ");
        return line.length() <= 300 ? line : line.substring(0, 300) + "…";
    }
}
