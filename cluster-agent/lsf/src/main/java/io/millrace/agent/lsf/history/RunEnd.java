package io.millrace.agent.lsf.history;

import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run as LSF reports it.
 *
 * @param started null if the job never ran
 * @param text the text after the time, without whitespace
 * @param signal the last signal requested by {@code bkill} or {@code brequeue} during the run; empty for none
 * @param requeued whether the job was pending again afterwards
 */
public record RunEnd(@Nullable Instant started, Instant time, String text, String signal, boolean requeued) {

    private static final Pattern TERM = Pattern.compile("TERM_([A-Z_]+)");
    private static final Pattern CODE = Pattern.compile("[Ee]xitcode(\\d+)");
    private static final Pattern BY_SIGNAL = Pattern.compile("[Ee]xitedbysignal(\\d+)");
    private static final Pattern CPU_TIME = Pattern.compile("CPUtimeusedis(\\d{1,12}(?:\\.\\d{1,6})?)seconds");
    private static final int SIGKILL = 9;

    RunEnd append(final String more) {
        return new RunEnd(started, time, text + ";" + more, signal, requeued);
    }

    RunEnd asRequeued() {
        return new RunEnd(started, time, text, signal, true);
    }

    /**
     * @param limit run time limit; null for none
     * @param queue null if not known
     */
    public RunOutcome outcome(final @Nullable Duration limit, final @Nullable LsfQueue queue) {
        if (requeued || signal.startsWith("REQUEUE")) {
            return new RunOutcome.Requeued();
        }
        final Matcher term = TERM.matcher(text);
        if (term.find()) {
            return terminated(term.group(1));
        }
        if (started == null) {
            return new RunOutcome.Cancelled();
        }
        if (text.startsWith("Donesuccessfully") || text.startsWith("Completed<done>")) {
            return new RunOutcome.Exited(0);
        }
        if (signal.equals("KILL")) {
            return new RunOutcome.Cancelled();
        }
        final RunOutcome byItself = withoutReason();
        if (byItself instanceof RunOutcome.Signalled
                && limit != null
                && Duration.between(started, time).compareTo(limit) >= 0) {
            return new RunOutcome.TimedOut(); // OpenLava does not report why it killed a job
        }
        return byItself instanceof RunOutcome.Exited exited && queue != null && queue.requeuesAfter(exited.exitCode())
                ? new RunOutcome.Requeued()
                : byItself;
    }

    /** The CPU time; the memory is not reported per run. */
    ResourceUsage used() {
        final Matcher cpu = CPU_TIME.matcher(text);
        return started != null && cpu.find()
                ? new ResourceUsage(seconds(Double.parseDouble(cpu.group(1))), null, null)
                : ResourceUsage.NONE;
    }

    static Duration seconds(final double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    /** See "Termination reasons displayed by bacct, bhist, and bjobs" in Administering IBM Spectrum LSF. */
    private RunOutcome terminated(final String reason) {
        return switch (reason) {
            case "RUNLIMIT", "DEADLINE", "CPULIMIT" -> new RunOutcome.TimedOut();
            case "MEMLIMIT", "SWAP" -> new RunOutcome.OutOfMemory();
            case "PREEMPT" -> new RunOutcome.Preempted();
            case "REQUEUE_OWNER", "REQUEUE_ADMIN", "REQUEUE_RC" -> new RunOutcome.Requeued();
            case "OWNER",
                    "ADMIN",
                    "FORCE_OWNER",
                    "FORCE_ADMIN",
                    "BUCKET_KILL",
                    "REMOVE_HUNG_JOB",
                    "ORPHAN_SYSTEM",
                    "WINDOW",
                    "LOAD",
                    "CHKPNT" -> new RunOutcome.Cancelled();
            case "ZOMBIE", "RC", "RMS", "SLURM", "KUBE", "CSM_ALLOC" -> new RunOutcome.NodeFailed();
            case "PROCESSLIMIT", "THREADLIMIT" ->
                withoutReason() instanceof RunOutcome.Signalled signalled
                        ? signalled
                        : new RunOutcome.Signalled(SIGKILL);
            default -> started == null ? new RunOutcome.Cancelled() : withoutReason();
        };
    }

    private RunOutcome withoutReason() {
        final Matcher bySignal = BY_SIGNAL.matcher(text);
        if (bySignal.find()) {
            return new RunOutcome.Signalled(Integer.parseInt(bySignal.group(1)));
        }
        final Matcher code = CODE.matcher(text);
        return code.find()
                ? ofExitCode(Integer.parseInt(code.group(1)))
                : new RunOutcome.Unknown("LSF reports '" + text + "' without an exit code");
    }

    /** The outcome of an exit code. A job runs under a shell, so a code above 128 means a signal. */
    static RunOutcome ofExitCode(final int code) {
        return code > 128 && code <= 128 + 64 ? new RunOutcome.Signalled(code - 128) : new RunOutcome.Exited(code);
    }
}
