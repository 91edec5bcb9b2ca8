package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.ExecHost;
import io.millrace.agent.pbs.HoldTypes;
import io.millrace.model.NodeName;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.List;

/**
 * Maps the state letters of PBS to job states. Under directed control, the scheduler is off: a job without any other hold counts as
 * held for entry.
 */
public final class JobStates {

    private JobStates() {}

    /** The state of a job that has not finished. */
    public static JobState of(final PbsJob job, final Control control) {
        return switch (job.stateLetter()) {
            case 'Q', 'W', 'T' -> waiting(control);
            case 'H' -> held(job, control);
            case 'R' -> new JobState.Running(started(job), nodes(job));
            // S: suspended by a command or by the scheduler (45). U: suspended because the workstation is in use.
            case 'S', 'U' -> new JobState.Suspended(started(job), nodes(job));
            case 'E' -> new JobState.Completing();
            // A started array. Its running subjobs are reported separately, see JobArrays.
            case 'B' ->
                JobArrays.hasWaitingSubjobs(job) ? waiting(control) : new JobState.Running(started(job), List.of());
            default -> new JobState.Unknown(job.object().get("job_state", "?"));
        };
    }

    private static JobState waiting(final Control control) {
        return control == Control.DIRECTED ? new JobState.Held(HoldKind.ENTRY) : new JobState.Queued();
    }

    private static JobState held(final PbsJob job, final Control control) {
        final HoldTypes holds = job.holds();
        final boolean ours = holds.operator() && isOwnHold(job);
        final String word = job.mark().map(HoldMark::purpose).orElse("");
        if (ours && word.equals(HoldMark.SUBMISSION) || isUnfinishedSubmission(job)) {
            return new JobState.Held(HoldKind.SUBMISSION);
        }
        if (holds.user()) {
            return new JobState.Held(HoldKind.USER);
        }
        if (holds.operator()) {
            return new JobState.Held(ours ? HoldKind.ENTRY : HoldKind.OPERATOR);
        }
        return holds.other() || holds.system() && !job.waitsForDependency()
                ? new JobState.Held(HoldKind.OPERATOR)
                : waiting(control);
    }

    /**
     * Whether the job was submitted by Millrace, which was interrupted before it could replace the user hold of our own qsub by its own, or
     * whose replacement a crash of the server has lost: the server saves changes of a job some time after it has answered.
     */
    private static boolean isUnfinishedSubmission(final PbsJob job) {
        return job.holds().user()
                && job.mark()
                        .map(mark -> mark.purpose().equals(HoldMark.SUBMISSION)
                                && !job.holds().operator())
                        .orElse(true)
                && job.runCount() == 0
                && JobVariables.attempt(job.object()) != null;
    }

    /**
     * Whether the operator hold is Millrace's. A running job cannot be marked, so between a requeue and the new mark the account
     * decides that PBS records with each hold. If the agent runs as root, this applies only to a job that has run since Millrace
     * released it.
     */
    private static boolean isOwnHold(final PbsJob job) {
        final String agent = job.site().agent();
        final String by = job.heldBy().orElse("");
        if (!by.isEmpty() && !by.equals(agent) && !by.equals(job.owner())) {
            return false; // an operator has set a hold since
        }
        final HoldMark mark = job.mark().orElse(null);
        if (mark == null) {
            return job.runCount() > 0 && by.equals(agent) && !agent.equals("root");
        }
        return mark.runs() == job.runCount()
                ? !mark.purpose().equals(HoldMark.FREE)
                : mark.runs() < job.runCount() && by.equals(agent);
    }

    private static Instant started(final PbsJob job) {
        final Instant started = job.time("stime");
        return started == null ? job.submitted() : started;
    }

    private static List<NodeName> nodes(final PbsJob job) {
        final List<NodeName> vnodes = ExecHost.vnodes(job.object().get("exec_vnode"));
        return vnodes.isEmpty() ? ExecHost.hosts(job.object().get("exec_host")) : vnodes;
    }
}
