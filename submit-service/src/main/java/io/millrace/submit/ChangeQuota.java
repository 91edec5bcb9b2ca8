package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.policy.QuotaHolder;
import io.millrace.model.policy.QuotaTerms;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.RequestRefused;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Asks quota-service for another quota, based on a version that the asker has seen. */
@ApplicationScoped
public class ChangeQuota {

    /** Only operators change quotas. */
    public static final String WHAT = "another quota";

    private static final Logger LOG = Logger.getLogger(ChangeQuota.class);
    private static final int MAX_REASON = 1000;

    /** No centre has more; larger figures are slips of the keyboard. */
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
     * A quota as it should be.
     *
     * @param cluster null: of all clusters together
     * @param basedOn version of the quota the asker has seen, 0 for none
     */
    public record QuotaChange(
            @Nullable ClusterId cluster,
            QuotaHolder holder,
            @Nullable Integer cores,
            QuotaTerms terms,
            @Nullable String reason,
            long basedOn) {}

    /** @param warnings what is allowed and perhaps not meant */
    public record Accepted(QuotaRequested request, LogPosition at, List<String> warnings) {}

    /** @throws RequestRefused if the caller is no operator, the version is not in force any more, or the figures are wrong */
    public Accepted change(final Caller caller, final QuotaChange wish) {
        caller.mustBeOperator(WHAT);
        final Map<ClusterId, Integer> clusters = model.clusterCores();
        mustExist(wish, clusters);
        final long version = quotas.quota(wish.cluster(), wish.holder()).version();
        if (version != wish.basedOn()) {
            throw new RequestRefused(
                    RequestRefused.Kind.OUTDATED,
                    "the quota of " + wish.holder() + " on " + name(wish.cluster()) + " has version " + version
                            + ", not " + wish.basedOn() + ": read it again and decide anew");
        }
        final QuotaRequested request = QuotaRequested.of(
                wish.holder(),
                wish.cluster(),
                figure("cores", wish.cores()),
                terms(wish),
                caller.user(),
                reason(wish.reason()),
                wish.basedOn(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
        final List<String> warnings = warnings(request, clusters);
        final LogPosition at = log.put(request);
        LOG.infof("quota asked for: quota=%s cores=%d by=%s", request.key(), request.cores(), caller.user());
        projection.passed(at);
        return new Accepted(request, at, warnings);
    }

    private void mustExist(final QuotaChange wish, final Map<ClusterId, Integer> clusters) {
        final ClusterId cluster = wish.cluster();
        if (cluster != null && !clusters.containsKey(cluster)) {
            throw RequestRefused.notFound("there is no cluster '" + cluster + "'");
        }
        if (wish.holder().kind() != QuotaHolder.Kind.USER) {
            return;
        }
        final UserName user = UserName.of(wish.holder().name());
        final Set<ClusterId> among = cluster == null ? clusters.keySet() : Set.of(cluster);
        if (!among.isEmpty() && among.stream().noneMatch(one -> quotas.knows(one, user))) {
            throw RequestRefused.invalid(
                    "user",
                    cluster == null
                            ? "'" + user
                                    + "' has no account on any cluster, and all of them take listed users only: add one"
                                    + " to an agent's accounts first"
                            : "'" + user + "' has no account on " + cluster
                                    + ", which takes listed users only: add one to its agent's accounts first");
        }
    }

    private static QuotaTerms terms(final QuotaChange wish) {
        final QuotaTerms terms = wish.terms();
        if (wish.cluster() == null && (terms.mayBorrow() != null || terms.mayLend() != null)) {
            throw RequestRefused.invalid(
                    terms.mayBorrow() != null ? "mayBorrow" : "mayLend",
                    "holds on one cluster: set it on a quota of a cluster, not on one of all clusters");
        }
        return terms;
    }

    private List<String> warnings(final QuotaRequested request, final Map<ClusterId, Integer> clusters) {
        final long up = clusters.entrySet().stream()
                .filter(cluster -> request.cluster() == null || request.cluster().equals(cluster.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        final Map<QuotaHolder, Integer> promised = new HashMap<>(quotas.promisedToUsers(request.cluster()));
        if (request.heldBy().kind() == QuotaHolder.Kind.USER) {
            promised.put(request.heldBy(), request.cores());
        }
        final long all =
                promised.values().stream().mapToLong(Integer::longValue).sum();
        final List<String> warnings = new ArrayList<>();
        if (request.cores() > up) {
            warnings.add(request.cores() + " cores are more than the " + up + " that are up on " + name(request.cluster()));
        } else if (all > up) {
            warnings.add("the quotas of users on " + name(request.cluster()) + " add up to " + all + " cores, and " + up
                    + " are up: not all of them can be kept at once");
        }
        if (request.heldBy().kind() == QuotaHolder.Kind.USER
                && quotas.quotas(request.heldBy()).isEmpty()) {
            warnings.add("nobody called '" + request.heldBy()
                    + "' has had a quota or a job on any cluster so far: is the name right?");
        }
        return warnings;
    }

    private static String name(final @Nullable ClusterId cluster) {
        return cluster == null ? "all clusters" : cluster.value();
    }

    /** Checks a number of cores or GPUs. */
    public static int figure(final String name, final @Nullable Integer figure) {
        if (figure == null || figure < 0 || figure > MOST) {
            throw RequestRefused.invalid(name, "must be between 0 and " + MOST + ", got " + figure);
        }
        return figure;
    }

    private static String reason(final @Nullable String reason) {
        if (reason == null || reason.isBlank() || reason.length() > MAX_REASON) {
            throw RequestRefused.invalid("reason", "must say why, in 1 to " + MAX_REASON + " characters");
        }
        return reason.strip();
    }
}
