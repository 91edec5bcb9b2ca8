package io.millrace.submit.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.ClusterAvailability.Status;
import io.millrace.model.policy.Request.AvailabilityRequested;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.EventPublisher;
import io.millrace.submit.ReasonText;
import io.millrace.submit.clusters.KnownClusters;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.store.LatestEvents;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests that migration-service drains, fences or opens a cluster (ADR 28). */
@ApplicationScoped
public class ChangeAvailability {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeAvailability.class);

    private final EventPublisher log;
    private final LatestEvents facts;
    private final KnownClusters clusters;
    private final Clock clock;

    ChangeAvailability(
            final EventPublisher log, final LatestEvents facts, final KnownClusters clusters, final Clock clock) {
        this.log = log;
        this.facts = facts;
        this.clusters = clusters;
        this.clock = clock;
    }

    public record Accepted(AvailabilityRequested request, LogPosition position) {}

    /** Empty if no operator has ever changed it. */
    @Transactional
    public Optional<ClusterAvailability> of(final ClusterId cluster) {
        requireKnown(cluster);
        return facts.find(Topic.AVAILABILITY, ClusterAvailability.keyOf(cluster), ClusterAvailability.class);
    }

    /**
     * @throws RequestRefused if the caller is not an operator, the cluster does not exist, the reason is missing, or a fenced cluster is to
     *     be drained
     */
    public Accepted change(
            final Caller caller, final ClusterId cluster, final Status wanted, final @Nullable String reason) {
        caller.requireOperator("draining or fencing a cluster");
        requireKnown(cluster);
        final String why = ReasonText.required(reason);
        if (wanted == Status.DRAINED
                && of(cluster).filter(now -> now.status().isFenced()).isPresent()) {
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "cluster '" + cluster + "' is fenced; undrain it and wait until it is open, then drain it");
        }
        final AvailabilityRequested request = new AvailabilityRequested(
                cluster, wanted, caller.user(), why, clock.instant().truncatedTo(ChronoUnit.MILLIS));
        final LogPosition at = log.publish(request);
        LOG.atInfo()
                .addKeyValue("cluster", cluster)
                .addKeyValue("user", caller.user())
                .addKeyValue("decision", wanted)
                .addKeyValue("reason", request.reason())
                .log("availability of a cluster requested");
        return new Accepted(request, at);
    }

    private void requireKnown(final ClusterId cluster) {
        if (!clusters.names().contains(cluster)) {
            throw RequestRefused.notFound("cluster '" + cluster + "' not found");
        }
    }
}
