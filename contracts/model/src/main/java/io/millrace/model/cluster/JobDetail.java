package io.millrace.model.cluster;

import io.millrace.model.PartitionName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What else a workload manager says of a job, beyond what every decision needs.
 *
 * @param qos Slurm's quality of service; null where there is none
 * @param array the array it belongs to; null for a job of its own
 * @param dependencies what it waits for, each as {@code afterok:123} in the workload manager's own words
 * @param interactive whether a person sits at it ({@code salloc}, {@code qsub -I}, {@code bsub -I}): seen and counted, never touched
 * @param rerunnable whether its owner allows it to be requeued
 * @param partitions all that it may start in, the one it is shown in among them; null: that one alone
 */
public record JobDetail(
        @Nullable String qos,
        @Nullable ArrayTasks array,
        List<String> dependencies,
        Placement placement,
        boolean interactive,
        boolean rerunnable,
        @Nullable List<PartitionName> partitions) {

    /** A plain batch job of which nothing more is known. */
    public static final JobDetail NONE = new JobDetail(null, null, List.of(), Placement.ANYWHERE, false, true);

    public JobDetail {
        dependencies = List.copyOf(dependencies);
        partitions = partitions == null ? null : List.copyOf(partitions);
    }

    /** A job that names one partition, or none. */
    public JobDetail(
            final @Nullable String qos,
            final @Nullable ArrayTasks array,
            final List<String> dependencies,
            final Placement placement,
            final boolean interactive,
            final boolean rerunnable) {
        this(qos, array, dependencies, placement, interactive, rerunnable, null);
    }

    /** The same, of a job that may start in any of these partitions. */
    public JobDetail in(final List<PartitionName> choice) {
        return new JobDetail(qos, array, dependencies, placement, interactive, rerunnable, choice);
    }
}
