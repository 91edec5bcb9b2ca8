package io.millrace.agent.slurm;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A row of {@code squeue} as the observation that everybody understands. */
final class JobPicture {

    private static final Pattern TAG = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}\\.[1-9][0-9]{0,8}");

    private JobPicture() {}

    static JobObserved of(final ClusterId cluster, final QueuedJob job, final Instant now) {
        final JobState state = JobStates.of(job);
        final String account = job.cell("account");
        final String reason = job.cell("reason");
        return new JobObserved(
                job.key(cluster),
                job.name(),
                UserName.of(job.cell("username")),
                account.isEmpty() ? null : ProjectName.of(account),
                PartitionName.of(job.cell("partition")),
                state,
                reason.isEmpty() || reason.equals("None") ? null : reason,
                resources(job),
                Durations.read(job.cell("timelimit")),
                eligible(job, state, now),
                attempt(job),
                job.restarts(),
                job.number("prioritylong"),
                new CheckpointMethod.None());
    }

    static @Nullable AttemptId attempt(final QueuedJob job) {
        final String comment = job.cell("comment");
        return TAG.matcher(comment).matches() ? AttemptId.of(comment) : null;
    }

    private static Resources resources(final QueuedJob job) {
        final Tres tres = Tres.read(job.cell("tres-alloc"));
        final int nodes = (int) job.number("numnodes");
        // A waiting job that asked for no memory is shown with that of whole nodes; nobody asked for it.
        final long memory_mib = job.isPending() && job.cell("minmemory").equals("0") ? 0 : tres.memory_mib();
        return new Resources((int) job.number("numcpus"), nodes > 1 ? nodes : 0, memory_mib, tres.generic("gpu"));
    }

    /** A job at the gate is eligible unless its owner asked for a later begin or it depends on another; other holds are not. */
    private static @Nullable Instant eligible(final QueuedJob job, final JobState state, final Instant now) {
        final boolean heldByOthers = state instanceof JobState.Held held && held.by() != HoldKind.ENTRY;
        if (heldByOthers || dependsOnAnother(job) || beginsLater(job, now)) {
            return null;
        }
        final Instant eligible = job.instant("eligibletime");
        return eligible == null || eligible.isAfter(now) ? job.submitted() : eligible;
    }

    static boolean dependsOnAnother(final QueuedJob job) {
        return job.isPending() && job.cell("dependency").contains("unfulfilled");
    }

    /** Whether the owner asked for a later begin. After a requeue Slurm itself sets the begin two minutes ahead: that is nobody's wish. */
    static boolean beginsLater(final QueuedJob job, final Instant now) {
        final Instant begin = job.instant("eligibletime");
        return job.isPending() && begin != null && begin.isAfter(now) && !job.isFarAway() && job.restarts() == 0;
    }
}
