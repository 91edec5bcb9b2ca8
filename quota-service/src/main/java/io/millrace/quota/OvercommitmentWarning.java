package io.millrace.quota;

import io.millrace.model.ClusterId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns, once each time it comes about, that the quotas of a cluster's users cannot all be kept at once. That is allowed, and perhaps not meant. */
final class OvercommitmentWarning {

    private static final Logger LOG = LoggerFactory.getLogger(OvercommitmentWarning.class);

    private final ClusterId cluster;
    private long warnedOf;

    OvercommitmentWarning(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /** Returns whether this is worth a warning. */
    boolean check(final long promised, final long total) {
        final boolean tooMany = promised > total && total > 0;
        final boolean isNew = tooMany && promised != warnedOf;
        warnedOf = tooMany ? promised : 0;
        if (isNew) {
            LOG.warn(
                    "the quotas of users on {} add up to {} cores, and it has {}: not all of them can be kept at once",
                    cluster,
                    promised,
                    total);
        }
        return isNew;
    }
}
