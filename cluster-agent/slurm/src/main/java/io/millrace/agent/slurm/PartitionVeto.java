package io.millrace.agent.slurm;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a job would never start in a partition. {@code scontrol update} moves the job there without an error, and it stays pending
 * ({@code PartitionTimeLimit}, {@code PartitionNodeLimit}, {@code PartitionDown}).
 */
final class PartitionVeto {

    private PartitionVeto() {}

    static Optional<String> of(final JobObserved job, final PartitionObserved there) {
        final PartitionLimits limits = there.limits();
        if (!there.open()) {
            return Optional.of("it starts no jobs; scontrol update PartitionName=" + there.partition() + " State=UP");
        }
        if (!fits(job.walltime(), there.walltimeLimit())) {
            return Optional.of("its MaxTime is " + there.walltimeLimit() + ", the job asks for "
                    + (job.walltime() == null ? "no limit" : job.walltime()) + "; give the job a shorter walltime");
        }
        if (limits.maxNodes() != null && job.resources().nodes() > limits.maxNodes()) {
            return Optional.of("its MaxNodes is " + limits.maxNodes() + ", the job asks for "
                    + job.resources().nodes());
        }
        return there.access().takes(job.detail().qos())
                ? Optional.empty()
                : Optional.of("it takes no job of QoS " + job.detail().qos() + " (AllowQos, DenyQos)");
    }

    private static boolean fits(final @Nullable Duration asked, final @Nullable Duration most) {
        return most == null || (asked != null && asked.compareTo(most) <= 0);
    }
}
