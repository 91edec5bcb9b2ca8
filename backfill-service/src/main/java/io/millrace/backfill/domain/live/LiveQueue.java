package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.job.IneligibleJob;
import io.millrace.backfill.domain.job.JobRole;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.decide.AssumedCluster;
import io.millrace.decide.ClusterView;
import io.millrace.decide.CommandView;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.policy.Entitlement;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a live cluster as the planner sees it: queued, ineligible and running jobs. It is kept between passes; an update costs as much
 * as there are {@link DirtyJobs}. Not thread-safe.
 */
public final class LiveQueue {

    private final ClusterView observed;
    private final CommandView commands;
    private final DirtyJobs dirty;
    private final Map<JobKey, Entitlement> entitlements;
    private final RetainedState retained;
    private final SiteSettings site;
    private final StartSettings settings;

    private final Map<JobKey, JobRole> roles = new HashMap<>();
    private final Map<JobKey, RunningJob> running = new LinkedHashMap<>();
    private final Map<PartitionName, Integer> busy = new HashMap<>();
    private final Map<String, Integer> licences;
    private int busyCores;
    private Set<JobKey> commanded = Set.of();
    private JobsInBackoff inBackoff = new JobsInBackoff();
    private Set<Capability> capabilities = Set.of();
    private int idle;
    private boolean capacityChanged;
    private boolean windowsChanged;
    private ClusterConditions conditions;
    private @Nullable ClusterInventory inventory;
    private @Nullable FreeNodeCapacity nodes;
    private @Nullable RevisionClosed marker;
    private Instant updatedAt = Instant.MIN;

    /** @param dirty listens to the views */
    public LiveQueue(
            final ClusterView observed,
            final CommandView commands,
            final DirtyJobs dirty,
            final Map<JobKey, Entitlement> entitlements,
            final RetainedState retained,
            final SiteSettings site,
            final StartSettings settings) {
        this.observed = observed;
        this.commands = commands;
        this.dirty = dirty;
        this.entitlements = entitlements;
        this.retained = retained;
        this.site = site;
        this.settings = settings;
        this.licences = new HashMap<>(site.licences());
        this.conditions = ClusterConditions.unknown(observed.cluster());
    }

    /**
     * Updates the roles of dirty jobs and of jobs whose role may change with time.
     *
     * @return the jobs whose role has changed
     * @throws NullPointerException if no revision of the cluster has been closed
     */
    Set<JobKey> update(final Instant now) {
        final AssumedCluster assumed = AssumedCluster.of(observed, commands);
        marker = assumed.marker();
        updatedAt = now;
        capacityChanged = idle != assumed.idleCores() || !dirty.nodes().isEmpty();
        idle = assumed.idleCores();
        final boolean everything = updateInventory(assumed.marker());
        final Set<JobKey> due = new LinkedHashSet<>(assumed.commanded());
        due.addAll(commanded);
        commanded = new LinkedHashSet<>(assumed.commanded());
        if (everything) {
            assumed.jobs().forEach(job -> due.add(job.job()));
            due.addAll(roles.keySet());
            due.addAll(retained.jobs());
        } else {
            due.addAll(dirty.jobs());
            due.addAll(inBackoff.jobs());
        }
        dirty.clear();
        return updateRoles(due, assumed, now);
    }

    /** @return whether the roles of all jobs must be updated */
    private boolean updateInventory(final RevisionClosed newest) {
        final boolean sameCapabilities = newest.capabilities().equals(capabilities);
        final ClusterConditions before = conditions;
        conditions = observed.conditions();
        capacityChanged |= !Objects.equals(before.licences(), conditions.licences());
        windowsChanged = !before.maintenance().equals(conditions.maintenance());
        capabilities = newest.capabilities();
        if (inventory == null
                || dirty.inventoryChanged()
                || !inventory.isValidFor(newest)
                || !totals(before).equals(totals(conditions))) {
            inventory = new ClusterInventory(observed, newest, site);
            capacityChanged = true;
            return true;
        }
        dirty.nodes().forEach(inventory.nodes()::observe);
        return dirty.allDirty() || !sameCapabilities;
    }

    private static Map<String, Integer> totals(final ClusterConditions conditions) {
        return conditions.licences() == null
                ? Map.of()
                : conditions.licences().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, tokens -> tokens.getValue().total()));
    }

    private Set<JobKey> updateRoles(final Set<JobKey> due, final AssumedCluster assumed, final Instant now) {
        final ClusterInventory current = inventory();
        final FreeNodeCapacity free =
                current.nodes().isEmpty() ? current.nodes() : current.nodes().copy();
        nodes = free;
        inBackoff = new JobsInBackoff();
        final RoleAssignment assignment = new RoleAssignment(
                observed, assumed, commands, entitlements, retained, current, free, settings, now, inBackoff);
        final Set<JobKey> changed = new LinkedHashSet<>();
        for (final JobKey key : due) {
            final JobObserved job = assumed.job(key);
            retained.update(key, job);
            if (setRole(key, job == null ? null : assignment.role(job))) {
                changed.add(key);
            }
        }
        return changed;
    }

    private boolean setRole(final JobKey job, final @Nullable JobRole now) {
        final JobRole before = now == null ? roles.remove(job) : roles.put(job, now);
        if (Objects.equals(before, now)) {
            return false;
        }
        if (before instanceof RunningJob ended) {
            running.remove(job);
            occupy(ended, -1);
        }
        if (now instanceof RunningJob started) {
            running.put(job, started);
            occupy(started, 1);
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

    /** Its role; null if it has none. */
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

    /** Idle and busy cores. */
    int coresUp() {
        return idle + busyCores;
    }

    /** Whether the last update changed the free capacity. */
    boolean capacityChanged() {
        return capacityChanged;
    }

    /** The free capacity now. */
    FreeCapacity freeCapacity() {
        final Map<PartitionName, Integer> free = new HashMap<>();
        inventory().partitions().forEach((name, limit) -> free.put(name, limit.cores() - busy.getOrDefault(name, 0)));
        return FreeCapacity.of(idle, free, nodes(), freeLicences());
    }

    /** Free tokens: what the workload manager reports, without those of jobs that it does not show as running yet; else what the site states. */
    private Map<String, Integer> freeLicences() {
        final Map<String, LicenceTokens> reported = conditions.licences();
        if (reported == null || reported.isEmpty()) {
            return licences;
        }
        final Map<String, Integer> free = new HashMap<>(licences);
        reported.forEach((name, tokens) -> free.put(name, tokens.free()));
        for (final JobKey key : commanded) {
            final JobObserved seen = observed.job(key);
            if (running.containsKey(key) && seen != null && seen.state().isWaiting()) {
                running.get(key)
                        .placement()
                        .licences()
                        .forEach((name, tokens) -> free.computeIfPresent(name, (n, left) -> left - tokens));
            }
        }
        return free;
    }

    /** Maintenance windows of the site file, and those that the workload manager reports. */
    private List<MaintenanceWindow> windows() {
        return Stream.concat(
                        site.windows().stream(),
                        conditions.maintenance().stream()
                                .map(window -> MaintenanceWindow.of(
                                        window, Math.max(1, marker().total().cores()))))
                .toList();
    }

    /** Whether maintenance windows withhold capacity, now or later, or did in the last pass. */
    boolean hasWindows() {
        return windowsChanged
                || !site.windows().isEmpty()
                || !conditions.maintenance().isEmpty();
    }

    private ClusterInventory inventory() {
        return Objects.requireNonNull(inventory, "call update() first");
    }

    private FreeNodeCapacity nodes() {
        return Objects.requireNonNull(nodes, "call update() first");
    }

    public RevisionClosed marker() {
        return Objects.requireNonNull(marker, "call update() first");
    }

    /** Why no job may be started on this cluster now; empty if jobs may be started. */
    public Optional<Veto> blockingVeto() {
        if (marker().health() instanceof WlmHealth.Stale stale) {
            return Optional.of(VetoCode.CLUSTER_STALE.veto(
                    "the workload manager has not answered since " + stale.lastAnsweredAt() + ": " + stale.reason()));
        }
        if (Duration.between(marker().observedAt(), updatedAt).compareTo(settings.staleAfter()) > 0) {
            return Optional.of(
                    VetoCode.AGENT_SILENT.veto("the agent has published nothing since " + marker().observedAt()));
        }
        return marker().capabilities().contains(Capability.START)
                ? Optional.empty()
                : Optional.of(
                        VetoCode.START_UNSUPPORTED.veto("the agent of this cluster does not support starting jobs"));
    }

    /** The input for a planner that starts from scratch. */
    public QueueSnapshot snapshot() {
        return new QueueSnapshot(
                idle,
                of(QueuedJob.class),
                List.copyOf(running.values()),
                nodes(),
                inventory().partitions(),
                windows(),
                freeLicences(),
                retained.beneficiaries(),
                retained.reservations());
    }

    public List<IneligibleJob> ineligible() {
        return of(IneligibleJob.class);
    }

    private <T extends JobRole> List<T> of(final Class<T> part) {
        return roles.values().stream().filter(part::isInstance).map(part::cast).toList();
    }

    /** When a back-off ends; empty if only an event can change the plan. */
    public Optional<Instant> replanAt() {
        return inBackoff.firstRetry();
    }
}
