package io.millrace.quota;

import io.millrace.model.ClusterId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once if the quotas of a cluster's users add up to more than its cores. This is allowed, but may be a mistake. */
final class OvercommitmentWarning {

    private static final Logger LOG = LoggerFactory.getLogger(OvercommitmentWarning.class);

    private final ClusterId cluster;
    private long warnedOf;

    OvercommitmentWarning(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /** Returns whether there was a warning. */
    boolean check(final long promised, final long total) {
        final boolean tooMany = promised > total && total > 0;
        final boolean isNew = tooMany && promised != warnedOf;
        warnedOf = tooMany ? promised : 0;
        if (isNew) {
            LOG.warn(
                    "Quotas of users add up to more cores than the cluster has: cluster={} quotas={} cores={}",
                    cluster,
                    promised,
                    total);
        }
        return isNew;
    }
}
