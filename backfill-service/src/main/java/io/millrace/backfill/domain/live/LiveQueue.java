package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.job.IneligibleJob;
import io.millrace.backfill.domain.job.JobRole;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.view.AssumedCluster;
import io.millrace.model.view.ClusterView;
import io.millrace.model.view.CommandView;
import io.millrace.model.view.FreeNodeCapacity;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a live cluster as the planner sees it: who may start, who stands aside and why, and what occupies cores until when. It is kept from
 * look to look, and a look costs what was {@link DirtyJobs}. Not thread-safe.
 */
public final class LiveQueue {

    private final ClusterView observed;
    private final CommandView commands;
    private final DirtyJobs touched;
    private final Map<JobKey, Entitlement> entitlements;
    private final RetainedState remembered;
    private final SiteSettings site;
    private final StartSettings rules;

    private final Map<JobKey, JobRole> roles = new HashMap<>();
    private final Map<JobKey, RunningJob> running = new LinkedHashMap<>();
    private final Map<PartitionName, Integer> busy = new HashMap<>();
    private final Map<String, Integer> licences;
    private int busyCores;
    private Set<JobKey> commanded = Set.of();
    private JobsInBackoff restless = new JobsInBackoff();
    private Set<Capability> capabilities = Set.of();
    private int idle;
    private boolean capacityChanged;
    private @Nullable ClusterInventory layout;
    private @Nullable FreeNodeCapacity nodes;
    private @Nullable RevisionClosed marker;
    private Instant lookedAt = Instant.MIN;

    /** @param touched hears of changes in what is observed and commanded */
    public LiveQueue(
            final ClusterView observed,
            final CommandView commands,
            final DirtyJobs touched,
            final Map<JobKey, Entitlement> entitlements,
            final RetainedState remembered,
            final SiteSettings site,
            final StartSettings rules) {
        this.observed = observed;
        this.commands = commands;
        this.touched = touched;
        this.entitlements = entitlements;
        this.remembered = remembered;
        this.site = site;
        this.rules = rules;
        this.licences = new HashMap<>(site.licences());
    }

    /**
     * Looks at what was touched, and at whom time may have moved.
     *
     * @return the jobs whose part is another than before
     * @throws NullPointerException if no revision of the cluster was closed yet
     */
    Set<JobKey> update(final Instant now) {
        final AssumedCluster assumed = AssumedCluster.of(observed, commands);
        marker = assumed.marker();
        lookedAt = now;
        capacityChanged = idle != assumed.idleCores() || !touched.nodes().isEmpty();
        idle = assumed.idleCores();
        final boolean everything = arrange(assumed.marker());
        final Set<JobKey> due = new LinkedHashSet<>(assumed.commanded());
        due.addAll(commanded);
        commanded = new LinkedHashSet<>(assumed.commanded());
        if (everything) {
            assumed.jobs().forEach(job -> due.add(job.job()));
            due.addAll(roles.keySet());
            due.addAll(remembered.jobs());
        } else {
            due.addAll(touched.jobs());
            due.addAll(restless.jobs());
        }
        touched.clear();
        return place(due, assumed, now);
    }

    /** Brings the layout up to date; returns whether every job must be looked at again. */
    private boolean arrange(final RevisionClosed newest) {
        final boolean sameOffer = newest.capabilities().equals(capabilities);
        capabilities = newest.capabilities();
        if (layout == null || touched.inventoryChanged() || !layout.isValidFor(newest)) {
            layout = new ClusterInventory(observed, newest, site);
            capacityChanged = true;
            return true;
        }
        touched.nodes().forEach(layout.nodes()::observe);
        return touched.allDirty() || !sameOffer;
    }

    private Set<JobKey> place(final Set<JobKey> due, final AssumedCluster assumed, final Instant now) {
        final ClusterInventory here = Objects.requireNonNull(layout, "arranged before");
        final FreeNodeCapacity free =
                here.nodes().isEmpty() ? here.nodes() : here.nodes().copy();
        nodes = free;
        restless = new JobsInBackoff();
        final RoleAssignment placing =
                new RoleAssignment(observed, assumed, commands, entitlements, remembered, here, free, rules, now, restless);
        final Set<JobKey> changed = new LinkedHashSet<>();
        for (final JobKey key : due) {
            final JobObserved job = assumed.job(key);
            remembered.update(key, job);
            if (become(key, job == null ? null : placing.role(job))) {
                changed.add(key);
            }
        }
        return changed;
    }

    private boolean become(final JobKey job, final @Nullable JobRole now) {
        final JobRole before = now == null ? roles.remove(job) : roles.put(job, now);
        if (Objects.equals(before, now)) {
            return false;
        }
        if (before instanceof RunningJob gone) {
            running.remove(job);
            occupy(gone, -1);
        }
        if (now instanceof RunningJob come) {
            running.put(job, come);
            occupy(come, 1);
        }
        return true;
    }

    private void occupy(final RunningJob job, final int sign) {
        capacityChanged = true;
        busyCores += sign * job.cores();
        busy.merge(job.partition(), sign * job.cores(), Integer::sum);
        job.placement()
                .licences()
                .forEach((name, tokens) -> licences.computeIfPresent(name, (n, free) -> free - sign * tokens));
    }

    /** Its part; null if it plays none. */
    @Nullable
    JobRole role(final JobKey job) {
        return roles.get(job);
    }

    Collection<JobRole> roles() {
        return roles.values();
    }

    Collection<RunningJob> running() {
        return running.values();
    }

    /** Cores that are up: idle, or occupied by somebody. */
    int coresUp() {
        return idle + busyCores;
    }

    /** Whether the last look found another room than the one before. */
    boolean capacityChanged() {
        return capacityChanged;
    }

    /** The room now. */
    FreeCapacity freeCapacity() {
        final Map<PartitionName, Integer> free = new HashMap<>();
        layout().partitions().forEach((name, limit) -> free.put(name, limit.cores() - busy.getOrDefault(name, 0)));
        return FreeCapacity.of(idle, free, nodes(), licences);
    }

    /** Whether anything but what runs takes room, later if not now. */
    boolean hasWindows() {
        return !site.windows().isEmpty();
    }

    private ClusterInventory layout() {
        return Objects.requireNonNull(layout, "look first");
    }

    private FreeNodeCapacity nodes() {
        return Objects.requireNonNull(nodes, "look first");
    }

    public RevisionClosed marker() {
        return Objects.requireNonNull(marker, "look first");
    }

    /** Why nothing at all may be started here now; empty if starts may be decided. */
    public Optional<Veto> blockingVeto() {
        if (marker().health() instanceof WlmHealth.Stale stale) {
            return Optional.of(VetoCode.CLUSTER_STALE.veto("the workload manager does not answer since " + stale.lastAnsweredAt() + ": " + stale.reason()));
        }
        if (Duration.between(marker().observedAt(), lookedAt).compareTo(rules.staleAfter()) > 0) {
            return Optional.of(
                    VetoCode.AGENT_SILENT.veto("the agent has said nothing since " + marker().observedAt()));
        }
        return marker().capabilities().contains(Capability.START)
                ? Optional.empty()
                : Optional.of(VetoCode.START_UNSUPPORTED.veto("the agent of this cluster cannot start jobs"));
    }

    /** All of it, as it is now. */
    public QueueSnapshot snapshot() {
        return new QueueSnapshot(
                idle,
                of(QueuedJob.class),
                List.copyOf(running.values()),
                nodes(),
                layout().partitions(),
                site.windows(),
                licences,
                remembered.beneficiaries(),
                remembered.reservations());
    }

    public List<IneligibleJob> ineligible() {
        return of(IneligibleJob.class);
    }

    private <T extends JobRole> List<T> of(final Class<T> part) {
        return roles.values().stream().filter(part::isInstance).map(part::cast).toList();
    }

    /** When a pause ends; empty if only news can change the plan. */
    public Optional<Instant> replanAt() {
        return restless.firstRetry();
    }
}
