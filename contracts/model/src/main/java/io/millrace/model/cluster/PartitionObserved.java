package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A partition (queue) of a cluster.
 *
 * @param open whether it accepts and starts jobs
 * @param isDefault whether jobs without a partition go here
 * @param cores cores of all its nodes
 * @param walltimeLimit the longest walltime it accepts; null means unlimited
 * @param limits what it asks of a single job
 * @param access who may use it
 */
public record PartitionObserved(
        ClusterId cluster,
        PartitionName partition,
        boolean open,
        boolean isDefault,
        int cores,
        @Nullable Duration walltimeLimit,
        PartitionLimits limits,
        Access access)
        implements ClusterStateEvent {

    public static String keyOf(final ClusterId cluster, final PartitionName partition) {
        return cluster + "/partition/" + partition;
    }

    @Override
    public String key() {
        return keyOf(cluster, partition);
    }

    /** Why a job cannot start in it, even if nothing ran; empty if it can. Unix groups are the workload manager's own affair. */
    public Optional<Veto> veto(final JobObserved job) {
        return closed().or(() -> tooLarge(job)).or(() -> tooLong(job)).or(() -> noAccess(job));
    }

    private Optional<Veto> closed() {
        return open ? Optional.empty() : Optional.of(VetoCode.PARTITION_CLOSED.veto(named() + " is closed"));
    }

    private Optional<Veto> tooLarge(final JobObserved job) {
        final int wanted = job.resources().cores();
        if (wanted > cores) {
            return tooLarge(wanted + " cores", " has " + cores);
        }
        if (limits.maxCores() != null && wanted > limits.maxCores()) {
            return tooLarge(wanted + " cores", " allows " + limits.maxCores() + " a job");
        }
        final int nodes = job.resources().nodes();
        return limits.maxNodes() != null && nodes > limits.maxNodes()
                ? tooLarge(nodes + " nodes", " allows " + limits.maxNodes() + " a job")
                : Optional.empty();
    }

    private Optional<Veto> tooLarge(final String wanted, final String offered) {
        return Optional.of(VetoCode.EXCEEDS_PARTITION.veto("needs " + wanted + ", " + named() + offered));
    }

    private Optional<Veto> tooLong(final JobObserved job) {
        return job.walltime() != null && walltimeLimit != null && job.walltime().compareTo(walltimeLimit) > 0
                ? Optional.of(VetoCode.EXCEEDS_WALLTIME_LIMIT.veto(
                        "requests " + job.walltime() + ", " + named() + " allows " + walltimeLimit))
                : Optional.empty();
    }

    private Optional<Veto> noAccess(final JobObserved job) {
        final boolean mayUse = (access.users().isEmpty() || access.users().contains(job.owner()))
                && !access.deniedUsers().contains(job.owner());
        if (!mayUse) {
            return Optional.of(VetoCode.ACCESS_DENIED.veto("'" + job.owner() + "' may not use " + named()));
        }
        return access.takes(job.detail().qos())
                ? Optional.empty()
                : Optional.of(VetoCode.ACCESS_DENIED.veto(
                        named() + " takes no jobs of QoS '" + job.detail().qos() + "'"));
    }

    private String named() {
        return "partition '" + partition + "'";
    }
}
