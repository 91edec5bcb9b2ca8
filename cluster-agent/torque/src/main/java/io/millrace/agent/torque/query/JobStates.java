package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.ExecHost;
import io.millrace.model.NodeName;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.List;

/** Determines the state of a job from its state letter, its holds and Millrace's mark. */
public final class JobStates {

    private JobStates() {}

    /** @param control who starts jobs; under directed control, a job without a hold counts as held for entry */
    public static JobState of(final TorqueJob job, final Control control) {
        return switch (job.stateLetter()) {
            case "Q", "W", "T" -> waiting(control);
            case "H" -> held(job, control);
            case "R" -> new JobState.Running(started(job), nodes(job));
            case "S" -> new JobState.Suspended(started(job), nodes(job));
            case "E" -> new JobState.Completing();
            case "C" -> new JobState.Unsettled(ended(job));
            default -> new JobState.Unknown(job.stateLetter().isEmpty() ? "no job_state" : job.stateLetter());
        };
    }

    private static JobState waiting(final Control control) {
        return control == Control.DIRECTED ? new JobState.Held(HoldKind.ENTRY) : new JobState.Queued();
    }

    private static JobState held(final TorqueJob job, final Control control) {
        if (isSubmissionHold(job)) {
            return new JobState.Held(HoldKind.SUBMISSION);
        }
        if (job.otherHolds().user()) {
            return new JobState.Held(HoldKind.USER);
        }
        if (job.otherHolds().operator() || job.otherHolds().other()) {
            return new JobState.Held(HoldKind.OPERATOR);
        }
        // The server itself sets a system hold on jobs with dependencies.
        if (job.otherHolds().system() && job.dependencies().isEmpty()) {
            return new JobState.Held(HoldKind.OPERATOR);
        }
        return job.mark().isPresent() ? new JobState.Held(HoldKind.ENTRY) : waiting(control);
    }

    /**
     * Whether the job is held until its id is recorded in the log: it has the mark, or Millrace just submitted it and has not
     * marked it yet. Such a job has a user hold, the only type that qsub allows.
     */
    static boolean isSubmissionHold(final TorqueJob job) {
        return job.mark().isPresent()
                ? job.mark().orElseThrow().purpose().equals(HoldMark.SUBMISSION)
                : job.holds().user()
                        && (job.object().all("comment").isEmpty() || isMarkedForSubmission(job))
                        && !job.hasStarted()
                        && JobVariables.attempt(job.variables()) != null;
    }

    private static boolean isMarkedForSubmission(final TorqueJob job) {
        return HoldMark.parse(job.comment())
                .filter(mark -> mark.purpose().equals(HoldMark.SUBMISSION))
                .isPresent();
    }

    public static Instant started(final TorqueJob job) {
        final Instant start = job.instant("start_time");
        if (start != null) {
            return start;
        }
        // OpenPBS 2.3 has no start time. The modification time changes at the start of a job.
        final Instant changed = job.instant("mtime");
        return changed == null ? job.submitted() : changed;
    }

    private static Instant ended(final TorqueJob job) {
        final Instant end = job.instant("comp_time");
        final Instant changed = job.instant("mtime");
        return end != null ? end : changed != null ? changed : job.submitted();
    }

    static List<NodeName> nodes(final TorqueJob job) {
        return ExecHost.hosts(job.object().get("exec_host"));
    }
}
