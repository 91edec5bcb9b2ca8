package io.millrace.backfill.domain;

import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.util.Optional;

/**
 * What a partition allows.
 *
 * @param cores that its jobs can have in all
 * @param open whether it starts jobs
 * @param perJob what it asks of a single job
 * @param access who may use it; Unix groups are the workload manager's own affair
 */
public record PartitionLimit(PartitionName partition, int cores, boolean open, PartitionLimits perJob, Access access) {

    public PartitionLimit(final PartitionName partition, final int cores, final boolean open) {
        this(partition, cores, open, PartitionLimits.NONE, Access.EVERYBODY);
    }

    static PartitionLimit of(final PartitionObserved seen) {
        return new PartitionLimit(seen.partition(), seen.cores(), seen.open(), seen.limits(), seen.access());
    }

    /** Why a job cannot start in it; walltime aside. */
    Optional<Veto> veto(final JobObserved job) {
        if (!open) {
            return Optional.of(Veto.forNow("partition-closed", "partition '" + partition + "' is closed"));
        }
        final int wanted = job.resources().cores();
        if (wanted > cores) {
            return Optional.of(Veto.permanent(
                    "more-than-partition", "needs " + wanted + " cores, partition '" + partition + "' has " + cores));
        }
        if (perJob.maxCores() != null && wanted > perJob.maxCores()) {
            return Optional.of(Veto.permanent(
                    "more-than-partition",
                    "needs " + wanted + " cores, partition '" + partition + "' allows " + perJob.maxCores()
                            + " a job"));
        }
        final int nodes = job.resources().nodes();
        if (perJob.maxNodes() != null && nodes > perJob.maxNodes()) {
            return Optional.of(Veto.permanent(
                    "more-than-partition",
                    "needs " + nodes + " nodes, partition '" + partition + "' allows " + perJob.maxNodes() + " a job"));
        }
        final boolean mayUse = (access.users().isEmpty() || access.users().contains(job.owner()))
                && !access.deniedUsers().contains(job.owner());
        if (!mayUse) {
            return Optional.of(
                    Veto.permanent("no-access", "'" + job.owner() + "' may not use partition '" + partition + "'"));
        }
        return access.takes(job.detail().qos())
                ? Optional.empty()
                : Optional.of(Veto.permanent(
                        "no-access",
                        "partition '" + partition + "' takes no jobs of QoS '"
                                + job.detail().qos() + "'"));
    }
}
