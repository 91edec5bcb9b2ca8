package io.millrace.model.cluster;

import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.array.ArrayTasks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Further properties of a job that not every decision needs.
 *
 * @param qos Slurm's quality of service; null where there is none
 * @param array the array it belongs to; null for a single job
 * @param dependencies its dependencies, each such as {@code afterok:123}, in the syntax of the workload manager
 * @param interactive whether it is an interactive job ({@code salloc}, {@code qsub -I}, {@code bsub -I}); observed and counted, never preempted
 * @param rerunnable whether its owner allows it to be requeued
 * @param partitions all partitions it may start in; null: only the one it waits in
 * @param tier how the local scheduler treats it, where the queue of the job determines this (LSF); null: not reported
 * @param claimedProject a project that it names and does not charge, because its owner is not known as a member (S-5); null: none
 */
public record JobDetail(
        @Nullable String qos,
        @Nullable ArrayTasks array,
        List<String> dependencies,
        Placement placement,
        boolean interactive,
        boolean rerunnable,
        @Nullable List<PartitionName> partitions,
        @Nullable Tier tier,
        @Nullable ProjectName claimedProject) {

    /** A plain batch job of which nothing more is known. */
    public static final JobDetail NONE = new JobDetail(null, null, List.of(), Placement.ANYWHERE, false, true, null);

    /** A job whose tier is not reported. */
    public JobDetail(
            final @Nullable String qos,
            final @Nullable ArrayTasks array,
            final List<String> dependencies,
            final Placement placement,
            final boolean interactive,
            final boolean rerunnable,
            final @Nullable List<PartitionName> partitions) {
        this(qos, array, dependencies, placement, interactive, rerunnable, partitions, null, null);
    }

    public JobDetail {
        dependencies = List.copyOf(dependencies);
        partitions = partitions == null ? null : List.copyOf(partitions);
    }

    /** The same, of a job that represents these tasks. */
    public JobDetail with(final ArrayTasks other) {
        return new JobDetail(
                qos, other, dependencies, placement, interactive, rerunnable, partitions, tier, claimedProject);
    }

    /** The same, of a job that may start in any of these partitions. */
    public JobDetail in(final List<PartitionName> choice) {
        return new JobDetail(
                qos, array, dependencies, placement, interactive, rerunnable, choice, tier, claimedProject);
    }

    /** The same, of a job that the local scheduler treats like this. */
    public JobDetail inTier(final @Nullable Tier other) {
        return new JobDetail(
                qos, array, dependencies, placement, interactive, rerunnable, partitions, other, claimedProject);
    }

    /** The same, of a job that names this project and does not charge it. */
    public JobDetail claiming(final ProjectName project) {
        return new JobDetail(qos, array, dependencies, placement, interactive, rerunnable, partitions, tier, project);
    }
}
