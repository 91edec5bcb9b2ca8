package io.millrace.submit.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.submit.EventPublisher;
import io.millrace.submit.ReadModel;
import io.millrace.submit.ReasonText;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.projection.WaitForProjection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests a change of a quota from quota-service, based on a version that the caller has read. */
@ApplicationScoped
public class ChangeQuota {

    /** Only operators change quotas. */
    public static final String WHAT = "changing a quota";

    private static final Logger LOG = LoggerFactory.getLogger(ChangeQuota.class);

    /** Larger values are refused as typing errors. */
    public static final int MOST = 100_000_000;

    private final EventPublisher log;
    private final ShowQuotas quotas;
    private final ReadModel model;
    private final WaitForProjection projection;
    private final Clock clock;

    ChangeQuota(
            final EventPublisher log,
            final ShowQuotas quotas,
            final ReadModel model,
            final WaitForProjection projection,
            final Clock clock) {
        this.log = log;
        this.quotas = quotas;
        this.model = model;
        this.projection = projection;
        this.clock = clock;
    }

    /**
     * A requested quota.
     *
     * @param cluster null: all clusters together
     * @param basedOn version of the quota that the caller has read, 0 for none
     */
    public record QuotaChange(
            @Nullable ClusterId cluster,
            QuotaHolder holder,
            @Nullable Integer cores,
            QuotaTerms terms,
            @Nullable String reason,
            long basedOn) {}

    /** @param warnings possibly unintended effects of an accepted change */
    public record Accepted(QuotaRequested request, LogPosition position, List<String> warnings) {}

    /** @throws RequestRefused if the caller is not an operator, the version is outdated, or a value is invalid */
    public Accepted change(final Caller caller, final QuotaChange change) {
        caller.requireOperator(WHAT);
        final Map<ClusterId, Integer> clusters = model.clusterCores();
        mustExist(change, clusters);
        mustBeBasedOn(change.cluster(), change.holder(), change.basedOn());
        final int cores = figure("cores", change.cores());
        final QuotaRequested request = QuotaRequested.of(
                change.holder(),
                change.cluster(),
                cores,
                terms(change),
                caller.user(),
                ReasonText.required(change.reason()),
                change.basedOn(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
        return publish(request, warnings(request, cores, clusters));
    }

    /**
     * Requests the removal of a quota. Its holder then has the default quota, or is not limited if it is a project or group.
     *
     * @param cluster null: all clusters together
     * @param basedOn version of the quota that the caller has read
     * @throws RequestRefused if the caller is not an operator, there is no quota, or the version is outdated
     */
    public Accepted remove(
            final Caller caller,
            final @Nullable ClusterId cluster,
            final QuotaHolder holder,
            final @Nullable String reason,
            final long basedOn) {
        caller.requireOperator(WHAT);
        if (quotas.quota(cluster, holder).version() == 0) {
            throw RequestRefused.notFound("quota of '" + holder + "' on " + name(cluster) + " not found");
        }
        mustBeBasedOn(cluster, holder, basedOn);
        return publish(
                QuotaRequested.of(
                        holder,
                        cluster,
                        null,
                        QuotaTerms.NONE,
                        caller.user(),
                        ReasonText.required(reason),
                        basedOn,
                        clock.instant().truncatedTo(ChronoUnit.MILLIS)),
                List.of());
    }

    private Accepted publish(final QuotaRequested request, final List<String> warnings) {
        final LogPosition at = log.publish(request);
        LOG.atInfo()
                .addKeyValue("quota", request.key())
                .addKeyValue("decision", request.cores() == null ? "remove" : request.cores() + " cores")
                .addKeyValue("user", request.author())
                .addKeyValue("reason", request.reason())
                .log("quota change requested");
        projection.passed(at);
        return new Accepted(request, at, warnings);
    }

    private void mustBeBasedOn(final @Nullable ClusterId cluster, final QuotaHolder holder, final long basedOn) {
        final long version = quotas.quota(cluster, holder).version();
        if (version != basedOn) {
            throw new RequestRefused(
                    RequestRefused.Kind.OUTDATED,
                    "the quota of " + holder + " on " + name(cluster) + " has version " + version + ", not " + basedOn
                            + "; read the current version and retry");
        }
    }

    private void mustExist(final QuotaChange change, final Map<ClusterId, Integer> clusters) {
        final ClusterId cluster = change.cluster();
        if (cluster != null && !clusters.containsKey(cluster)) {
            throw RequestRefused.notFound("cluster '" + cluster + "' not found");
        }
        if (change.holder().kind() != QuotaHolder.Kind.USER) {
            return;
        }
        final UserName user = UserName.of(change.holder().name());
        final Set<ClusterId> among = cluster == null ? clusters.keySet() : Set.of(cluster);
        if (!among.isEmpty() && among.stream().noneMatch(one -> quotas.knows(one, user))) {
            throw RequestRefused.invalid(
                    "user",
                    cluster == null
                            ? "'" + user
                                    + "' has no account on any cluster, and all clusters accept listed users only; add the user"
                                    + " to the accounts of an agent first"
                            : "'" + user + "' has no account on " + cluster
                                    + ", which accepts listed users only; add the user to the accounts of its agent first");
        }
    }

    private static QuotaTerms terms(final QuotaChange change) {
        final QuotaTerms terms = change.terms();
        if (change.cluster() == null && (terms.borrowingLimit() != null || terms.lendingLimit() != null)) {
            throw RequestRefused.invalid(
                    terms.borrowingLimit() != null ? "borrowingLimit" : "lendingLimit",
                    "applies to a single cluster; set it on the quota of a cluster, not on a quota of all clusters");
        }
        return terms;
    }

    private List<String> warnings(
            final QuotaRequested request, final int cores, final Map<ClusterId, Integer> clusters) {
        final long up = clusters.entrySet().stream()
                .filter(cluster ->
                        request.cluster() == null || request.cluster().equals(cluster.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        final Map<QuotaHolder, Integer> guaranteed = new HashMap<>(quotas.guaranteedToUsers(request.cluster()));
        if (request.heldBy().kind() == QuotaHolder.Kind.USER) {
            guaranteed.put(request.heldBy(), cores);
        }
        final long all =
                guaranteed.values().stream().mapToLong(Integer::longValue).sum();
        final List<String> warnings = new ArrayList<>();
        if (cores > up) {
            warnings.add(cores + " cores exceed the " + up + " available cores of " + name(request.cluster()));
        } else if (all > up) {
            warnings.add("the quotas of users on " + name(request.cluster()) + " total " + all + " cores, but only "
                    + up + " are available, so they cannot all be guaranteed at the same time");
        }
        if (request.heldBy().kind() == QuotaHolder.Kind.USER
                && !quotas.isKnown(UserName.of(request.heldBy().name()))) {
            warnings.add("user '" + request.heldBy() + "' has no quota and no jobs on any cluster; check the name");
        }
        return warnings;
    }

    private static String name(final @Nullable ClusterId cluster) {
        return cluster == null ? "all clusters" : cluster.value();
    }

    /** Validates a number of cores or GPUs. */
    public static int figure(final String name, final @Nullable Integer figure) {
        if (figure == null || figure < 0 || figure > MOST) {
            throw RequestRefused.invalid(name, "must be between 0 and " + MOST + ", got " + figure);
        }
        return figure;
    }
}
