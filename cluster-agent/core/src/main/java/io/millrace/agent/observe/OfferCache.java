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
 * What this cluster offers at the moment. An installation can change while its workload manager is away, and also while it is not: so it
 * is asked again whenever it came back, and now and then.
 */
public final class OfferCache {

    private static final Logger LOG = LoggerFactory.getLogger(OfferCache.class);
    private static final Duration ASK_EVERY = Duration.ofMinutes(10);

    private final WorkloadManager wlm;
    private final Clock clock;
    private volatile @Nullable Offer offer;
    private Instant askedAt = Instant.MIN;

    public OfferCache(final WorkloadManager wlm, final Clock clock) {
        this.wlm = wlm;
        this.clock = clock;
    }

    /**
     * Asks the workload manager, which has just answered another question.
     *
     * @param cameBack whether it was silent before
     */
    void refresh(final boolean cameBack) {
        final Instant now = clock.instant();
        if (!cameBack && now.isBefore(askedAt.plus(ASK_EVERY))) {
            return;
        }
        final Offer last = offer;
        try {
            final Offer next = Offer.of(wlm);
            if (!next.equals(last)) {
                LOG.info("it offers {}; withheld: {}", next.capabilities(), next.withheld());
            }
            offer = next;
            askedAt = now;
        } catch (final RuntimeException e) {
            // It went away again between two questions: what was found before stays until it answers.
            LOG.warn("what this workload manager offers cannot be told now: {}", e.toString());
        }
    }

    /** For judging: before it was ever asked, the refusal shall be that it does not answer, not that it cannot. */
    /** Before it was ever asked: what its adapter can do, so that a refusal says that it does not answer, not that it cannot. */
    public Set<Capability> capabilities() {
        final Offer known = offer;
        return known == null ? Offer.implemented(wlm) : known.capabilities();
    }

    /** Why a capability is not offered that the adapter could do. */
    public Optional<String> withheld(final Capability capability) {
        final Offer known = offer;
        return known == null
                ? Optional.empty()
                : Optional.ofNullable(known.withheld().get(capability));
    }

    /** What was found; null if it was never asked in this life. */
    @Nullable
    Offer current() {
        return offer;
    }
}
