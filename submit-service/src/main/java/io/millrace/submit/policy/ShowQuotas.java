package io.millrace.submit.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.Usage;
import io.millrace.submit.clusters.KnownClusters;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.policy.QuotaState;
import io.millrace.submit.identity.Projects;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.job.GlobalJobs;
import io.millrace.submit.store.job.LocalJobs;
import io.millrace.submit.store.job.RunEnds;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows quotas with their usage and pending or refused changes. */
@ApplicationScoped
public class ShowQuotas {

    private final LatestEvents facts;
    private final KnownClusters clusters;
    private final Projects projects;
    private final RunEnds runs;
    private final GlobalJobs submissions;
    private final LocalJobs localJobs;

    ShowQuotas(
            final LatestEvents facts,
            final KnownClusters clusters,
            final Projects projects,
            final RunEnds runs,
            final GlobalJobs submissions,
            final LocalJobs localJobs) {
        this.projects = projects;
        this.facts = facts;
        this.clusters = clusters;
        this.runs = runs;
        this.submissions = submissions;
        this.localJobs = localJobs;
    }

    /** S-5: the quota of a project or group shows its members how much they may use, and others nothing. May block. */
    public boolean maySee(final Caller caller, final QuotaHolder holder) {
        return caller.operator()
                || switch (holder.kind()) {
                    case USER -> caller.maySee(UserName.of(holder.name()));
                    case PROJECT -> projects.isMember(caller.user(), ProjectName.of(holder.name()));
                    case GROUP -> isWithin(caller, holder);
                };
    }

    private boolean isWithin(final Caller caller, final QuotaHolder group) {
        return QuarkusTransaction.requiringNew()
                .call(() -> facts.find(Topic.QUOTAS, group.toString(), QuotaGroup.class))
                .stream()
                .flatMap(known -> known.members().stream())
                .anyMatch(member -> maySee(caller, member)); // no group is within itself
    }

    /** @param cluster null: the quota of all clusters together */
    @Transactional
    public QuotaState quota(final @Nullable ClusterId cluster, final QuotaHolder holder) {
        final String key = Quota.keyOf(holder, cluster);
        return new QuotaState(
                cluster,
                holder,
                facts.find(Topic.QUOTAS, key, Quota.class).orElse(null),
                facts.find(Topic.USAGE, key, Usage.class).orElse(null),
                facts.find(Topic.REQUESTS, key, QuotaRequested.class).orElse(null),
                facts.find(Topic.QUOTAS, QuotaRefused.keyOf(key), QuotaRefused.class)
                        .orElse(null));
    }

    /** Quotas ordered by cluster and holder; {@code holder} null: all holders. */
    @Transactional
    public List<QuotaState> quotas(final @Nullable QuotaHolder holder) {
        final Map<String, Quota> inForce = byKey(holder, Quota.class, Event::key);
        final Map<String, Usage> usage = byKey(holder, Usage.class, Event::key);
        final Map<String, QuotaRequested> requested = byKey(holder, QuotaRequested.class, Event::key);
        final Map<String, QuotaRefused> refused =
                byKey(holder, QuotaRefused.class, refusal -> refusal.request().key());
        final TreeSet<String> keys = new TreeSet<>(inForce.keySet());
        keys.addAll(usage.keySet());
        keys.addAll(requested.keySet());
        return keys.stream()
                .map(key -> new QuotaState(
                        cluster(key.substring(0, key.indexOf('/'))),
                        QuotaHolder.of(key.substring(key.indexOf('/') + 1)),
                        inForce.get(key),
                        usage.get(key),
                        requested.get(key),
                        refused.get(key)))
                .toList();
    }

    /** Whether the user has a quota, or a job of the user is known: an ended one, a submitted one, or one in a cluster's queue. */
    @Transactional
    public boolean isKnown(final UserName user) {
        return !quotas(QuotaHolder.of(user)).isEmpty()
                || runs.any(user)
                || submissions.any(user)
                || localJobs.any(user);
    }

    /** Sentences about quotas of clusters that no agent has reported; their names are probably misspelt in the quota file. */
    @Transactional
    public List<String> warnings() {
        final Set<ClusterId> known = new TreeSet<>(clusters.names());
        return facts.all(Quota.class).stream()
                .map(Quota::cluster)
                .filter(Objects::nonNull)
                .filter(cluster -> !known.contains(cluster))
                .distinct()
                .sorted()
                .map(cluster -> "no agent has reported cluster '" + cluster
                        + "', which has quotas; check the name. Known clusters: "
                        + known.stream().map(ClusterId::value).collect(Collectors.joining(", ")))
                .toList();
    }

    /** @return null for all clusters together */
    public static @Nullable ClusterId cluster(final String name) {
        return name.equals(Quota.EVERYWHERE) ? null : ClusterId.of(name);
    }

    /** Guaranteed cores by user on this cluster (null: on all clusters together). */
    @Transactional
    public Map<QuotaHolder, Integer> guaranteedToUsers(final @Nullable ClusterId cluster) {
        return facts.all(Quota.class).stream()
                .filter(quota -> Objects.equals(quota.cluster(), cluster))
                .filter(quota -> quota.heldBy().kind() == QuotaHolder.Kind.USER)
                .collect(Collectors.toMap(Quota::heldBy, Quota::cores));
    }

    /** Whether this user may run jobs there; a cluster without listed accounts accepts every user. */
    @Transactional
    public boolean knows(final ClusterId cluster, final UserName user) {
        return facts.find(Topic.CLUSTER_STATE, SiteMappingObserved.keyOf(cluster), SiteMappingObserved.class)
                .map(mapping -> mapping.knows(user))
                .orElse(true);
    }

    private <E extends Event> Map<String, E> byKey(
            final @Nullable QuotaHolder holder, final Class<E> type, final Function<E, String> key) {
        final List<E> events = holder == null ? facts.all(type) : facts.bySubject(List.of(holder.toString()), type);
        return events.stream().collect(Collectors.toMap(key, Function.identity()));
    }
}
