package io.millrace.agent.slurm.query;

import io.millrace.agent.slurm.format.NodeList;
import io.millrace.model.NodeName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Converts Slurm's job states; see "JOB STATE CODES" in squeue(1). */
public final class JobStates {

    private static final Set<String> ENDED = Set.of(
            "BOOT_FAIL",
            "CANCELLED",
            "COMPLETED",
            "DEADLINE",
            "FAILED",
            "LAUNCH_FAILED",
            "NODE_FAIL",
            "OUT_OF_MEMORY",
            "PREEMPTED",
            "RECONFIG_FAIL",
            "REVOKED",
            "TIMEOUT");

    private JobStates() {}

    public static boolean isEnded(final QueuedJob job) {
        return ENDED.contains(job.cell("state"));
    }

    /** The state of a job that has not ended. */
    public static JobState of(final QueuedJob job) {
        final String state = job.cell("state");
        return switch (state) {
            case "PENDING", "REQUEUE_HOLD", "RESV_DEL_HOLD", "EXPEDITING" -> waiting(job);
            // Nodes being configured are already allocated; a stopped or signalled job keeps its cores.
            case "RUNNING", "CONFIGURING", "POWER_UP_NODE", "STOPPED", "SIGNALING", "RESIZING" ->
                new JobState.Running(started(job), nodes(job));
            case "SUSPENDED" -> new JobState.Suspended(started(job), nodes(job));
            case "COMPLETING", "STAGE_OUT", "REQUEUED", "REQUEUE_FED", "UPDATE_DB" -> new JobState.Completing();
            // The job exited with one of the site's RequeueExitHold codes.
            case "SPECIAL_EXIT" ->
                new JobState.Held(hasMark(job, AdminCommentMark.ENTRY) ? HoldKind.ENTRY : HoldKind.USER);
            default -> new JobState.Unknown(state);
        };
    }

    private static JobState waiting(final QueuedJob job) {
        if (job.isHeld()) {
            return new JobState.Held(holder(job));
        }
        // Released by its owner, and held by its far-future begin time.
        return job.beginsInFarFuture() ? new JobState.Held(HoldKind.ENTRY) : new JobState.Queued();
    }

    private static boolean hasMark(final QueuedJob job, final String value) {
        return job.mark().map(AdminCommentMark::value).filter(value::equals).isPresent();
    }

    private static HoldKind holder(final QueuedJob job) {
        final String mark = job.mark().map(AdminCommentMark::value).orElse("");
        final boolean operators =
                mark.equals(AdminCommentMark.OPERATOR) && job.cell("reason").equals("JobHeldAdmin");
        if (OperatorRequest.isHold(job)) {
            return HoldKind.OPERATOR;
        }
        if (job.beginsInFarFuture() && !operators) {
            return HoldKind.USER;
        }
        return switch (mark) {
            case AdminCommentMark.ENTRY -> HoldKind.ENTRY;
            case AdminCommentMark.SUBMISSION -> HoldKind.SUBMISSION;
            case AdminCommentMark.USER -> HoldKind.USER;
            case AdminCommentMark.OPERATOR -> HoldKind.OPERATOR;
            default -> {
                if (job.mark().filter(one -> one.isStartAfter(job.restarts())).isPresent()) {
                    yield HoldKind.ENTRY; // a start was interrupted between its two commands
                }
                yield job.cell("reason").equals("JobHeldUser") ? HoldKind.USER : HoldKind.OPERATOR;
            }
        };
    }

    private static Instant started(final QueuedJob job) {
        final Instant started = job.instant("starttime");
        return started == null ? job.submitted() : started;
    }

    private static List<NodeName> nodes(final QueuedJob job) {
        return job.components().stream()
                .flatMap(part -> NodeList.read(part.cell("nodelist")).stream())
                .distinct()
                .toList();
    }
}
