package io.millrace.model.cluster;

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
 */
public record JobDetail(
        @Nullable String qos,
        @Nullable ArrayTasks array,
        List<String> dependencies,
        Placement placement,
        boolean interactive,
        boolean rerunnable) {

    /** A plain batch job of which nothing more is known. */
    public static final JobDetail NONE = new JobDetail(null, null, List.of(), Placement.ANYWHERE, false, true);

    public JobDetail {
        dependencies = List.copyOf(dependencies);
    }
}
