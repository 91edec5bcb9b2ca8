package io.millrace.migration.domain.plan;

import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.job.GlobalJob;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One reason why a cluster cannot start a job now. Its type says what it may read, and so which jobs share its answer within a pass. */
sealed interface VetoRule {

    /** All jobs that request the same get the same answer, until something is promised on the cluster. */
    @FunctionalInterface
    non-sealed interface OfRequest extends VetoRule {
        Optional<Veto> veto(RequestShape request, TargetCluster cluster);
    }

    /** All jobs of an owner in a partition get the same answer. */
    @FunctionalInterface
    non-sealed interface OfOwner extends VetoRule {
        Optional<Veto> veto(UserName owner, @Nullable PartitionName partition, TargetCluster cluster);
    }

    /**
     * Each of the jobs that it concerns is asked for itself.
     *
     * @param concerns few of the waiting jobs
     */
    record OfJob(Predicate<GlobalJob> concerns, BiFunction<GlobalJob, TargetCluster, Optional<Veto>> rule)
            implements VetoRule {}

    static VetoRule ofRequest(final OfRequest rule) {
        return rule;
    }

    static VetoRule ofOwner(final OfOwner rule) {
        return rule;
    }

    static VetoRule ofJob(
            final Predicate<GlobalJob> concerns, final BiFunction<GlobalJob, TargetCluster, Optional<Veto>> rule) {
        return new OfJob(concerns, rule);
    }
}
