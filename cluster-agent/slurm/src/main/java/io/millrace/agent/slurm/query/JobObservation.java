package io.millrace.agent.slurm.query;

import io.millrace.agent.slurm.format.ArrayRange;
import io.millrace.agent.slurm.format.TimeLimits;
import io.millrace.agent.slurm.format.Tres;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts a row of {@code squeue} to a {@link JobObserved}. */
public final class JobObservation {

    private static final Pattern TAG = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}\\.[1-9][0-9]{0,8}");

    private JobObservation() {}

    public static JobObserved of(final ClusterId cluster, final QueuedJob job, final Instant now) {
        final JobState state = JobStates.of(job);
        final String reason = job.cell("reason");
        return new JobObserved(
                job.key(cluster),
                job.name(),
                NameMapping.user(job.cell("username"), job.cell("userid")),
                NameMapping.project(job.cell("account")),
                job.partitions().get(0),
                state,
                reason.isEmpty() || reason.equals("None") ? null : reason,
                resources(job),
                TimeLimits.read(job.cell("timelimit")),
                eligibility(job, state, now),
                attempt(job),
                job.restarts(),
                job.number("prioritylong"),
                new CheckpointMethod.None(),
                detail(job));
    }

    private static JobDetail detail(final QueuedJob job) {
        final String qos = job.cell("qos");
        final ArrayRange array = job.array();
        final boolean interactive = job.cell("batchflag").equals("0");
        final List<PartitionName> partitions = job.partitions();
        return new JobDetail(
                qos.isEmpty() ? null : qos,
                array == null ? null : array.of(job.cell("arrayjobid")),
                dependencies(job.cell("dependency")),
                PlacementConstraints.of(job),
                interactive,
                !interactive && !job.cell("requeue").equals("0"),
                job.isPending() && partitions.size() > 1 ? partitions : null);
    }

    /** Dependencies as Slurm prints them, without their status. Alternatives, separated by question marks, stay one entry. */
    static List<String> dependencies(final String text) {
        final String list = text.replaceAll("\\((?:un)?fulfilled\\)|\\(failed\\)", "");
        return list.isEmpty() ? List.of() : List.of(list.split(","));
    }

    static @Nullable public AttemptId attempt(final QueuedJob job) {
        return attempt(job.cell("comment"));
    }

    static @Nullable public AttemptId attempt(final String comment) {
        return TAG.matcher(comment).matches() ? AttemptId.of(comment) : null;
    }

    /** What the job requested, in the form of accounting. */
    public static JobRequest request(final QueuedJob job) {
        return new JobRequest(
                job.name(),
                job.cell("username"),
                job.cell("userid"),
                job.cell("account"),
                job.cell("partition"),
                resources(job),
                TimeLimits.read(job.cell("timelimit")));
    }

    /** The resources of one task for pending array tasks, and of all components for a heterogeneous job. */
    private static Resources resources(final QueuedJob job) {
        Resources all = Resources.NONE;
        for (final QueuedJob part : job.components()) {
            all = all.plus(ofOne(part));
        }
        return job.parts().isEmpty() && all.nodes() == 1
                ? new Resources(all.cores(), 0, all.memoryMib(), all.gpus())
                : all;
    }

    private static Resources ofOne(final QueuedJob job) {
        final Tres tres = Tres.read(job.cell("tres-alloc"));
        final int nodes = (int) job.number("numnodes");
        // For a pending job without a memory request, Slurm prints the memory of whole nodes.
        final long memory_mib = job.isPending() && job.cell("minmemory").equals("0") ? 0 : tres.memory_mib();
        return new Resources((int) job.number("numcpus"), nodes, memory_mib, GpuCount.of(job, tres));
    }

    /**
     * The entry hold and Slurm's own delay after a requeue do not count: a start lifts both. The task limit of an array is also counted
     * by {@code Observation}, because Slurm does not report it for a held array.
     */
    private static Eligibility eligibility(final QueuedJob job, final JobState state, final Instant now) {
        if (state instanceof JobState.Held held && held.by() != HoldKind.ENTRY) {
            return Eligibility.not(Obstacle.HOLD);
        }
        if (dependsOnAnother(job)) {
            return Eligibility.not(Obstacle.DEPENDENCY);
        }
        if (job.isPending() && job.cell("reason").equals("JobArrayTaskLimit")) {
            return Eligibility.not(Obstacle.ARRAY_LIMIT);
        }
        final Instant begin = job.instant("eligibletime");
        return beginsLater(job, now)
                ? Eligibility.from(begin)
                : Eligibility.since(begin == null || begin.isAfter(now) ? job.submitted() : begin);
    }

    static boolean dependsOnAnother(final QueuedJob job) {
        return job.isPending() && job.cell("dependency").contains("unfulfilled");
    }

    /** Whether the owner requested a later begin time. After a requeue the begin time is Slurm's own two-minute delay and does not count. */
    public static boolean beginsLater(final QueuedJob job, final Instant now) {
        final Instant begin = job.instant("eligibletime");
        return job.isPending()
                && begin != null
                && begin.isAfter(now)
                && !job.beginsInFarFuture()
                && job.restarts() == 0;
    }
}
