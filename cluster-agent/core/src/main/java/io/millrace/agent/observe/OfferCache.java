package io.millrace.agent.observe;

import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.model.cluster.Capability;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The capabilities that the cluster offers at the moment. An installation can change, so they are queried again whenever the workload manager
 * becomes available, and every ten minutes.
 */
public final class OfferCache {

    private static final Logger LOG = LoggerFactory.getLogger(OfferCache.class);
    private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(10);

    private final WorkloadManager wlm;
    private final Clock clock;
    private volatile @Nullable Offer offer;
    private Instant refreshedAt = Instant.MIN;

    public OfferCache(final WorkloadManager wlm, final Clock clock) {
        this.wlm = wlm;
        this.clock = clock;
    }

    /**
     * Queries the workload manager, which has just answered another query.
     *
     * @param recovered whether it was unavailable before
     */
    void refresh(final boolean recovered) {
        final Instant now = clock.instant();
        if (!recovered && now.isBefore(refreshedAt.plus(REFRESH_INTERVAL))) {
            return;
        }
        final Offer last = offer;
        try {
            final Offer next = Offer.of(wlm);
            if (!next.equals(last)) {
                LOG.info("capabilities: {}; withheld: {}", next.capabilities(), next.withheld());
            }
            offer = next;
            refreshedAt = now;
        } catch (final RuntimeException e) {
            // Unavailable again: the last result stays in use.
            LOG.warn("cannot query the capabilities of the workload manager: {}", e.toString());
        }
    }

    /** Before the first query: what the adapter implements, so that a refusal reports an unavailable workload manager, not a missing capability. */
    public Set<Capability> capabilities() {
        final Offer known = offer;
        return known == null ? Offer.implemented(wlm) : known.capabilities();
    }

    /** Why a capability that the adapter implements is not offered. */
    public Optional<String> withheld(final Capability capability) {
        final Offer known = offer;
        return known == null
                ? Optional.empty()
                : Optional.ofNullable(known.withheld().get(capability));
    }

    /** The last result; null before the first query. */
    @Nullable
    Offer current() {
        return offer;
    }
}
