package io.millrace.backfill.domain.view;

import io.millrace.backfill.domain.IneligibleJob;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.backfill.domain.JobRole;
import io.millrace.backfill.domain.Promises;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.SiteSettings;
import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.decide.AssumedCluster;
import io.millrace.decide.ClusterListener;
import io.millrace.decide.ClusterView;
import io.millrace.decide.CommandView;
import io.millrace.decide.FollowedCluster;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.policy.Entitlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a live cluster, folded from the log: the role of each job (waiting, running, or ineligible and why), with the waiting jobs in
 * order. An event costs O(log n): the role of a job is determined again when the job, its entitlement or its class has changed. Rare changes
 * that concern all jobs (partitions, kinds of nodes, licences, capabilities of the agent) determine every role again. Not thread-safe.
 */
public final class QueueView {

    /** Age of the newest revision after which no job is started. */
    private static final Duration STALE_AFTER = Duration.ofMinutes(2);

    private final SiteSettings site;
    private final Commitments commitments;
    private final FollowedCluster followed;

    private final Map<JobKey, Entitlement> entitlements = new HashMap<>();
    private final Map<JobKey, String> classes = new HashMap<>();
    private final Map<JobKey, Long> expected_s = new HashMap<>();

    private final Map<JobKey, JobRole> roles = new HashMap<>();
    private final NavigableSet<QueuedJob> queued;
    private final Map<JobKey, RunningJob> running = new LinkedHashMap<>();

    /** Jobs whose role must be determined again. */
    private final Set<JobKey> changed = new LinkedHashSet<>();
    /** Jobs of open commands, which a revision may show at any time. */
    private Set<JobKey> commanded = Set.of();

    private JobsInBackoff inBackoff = new JobsInBackoff();
    private Set<Capability> capabilities = Set.of();
    private Map<String, Integer> licenceTotals = Map.of();
    private @Nullable ClusterInventory inventory;
    private @Nullable FreeNodeCapacity nodes;
    private int idle;

    /** @param order of the policy, in which the waiting jobs are kept as far as it depends on the jobs alone */
    public QueueView(
            final ClusterId cluster, final JobOrder order, final Commitments commitments, final SiteSettings site) {
        this.site = site;
        this.commitments = commitments;
        this.queued = new TreeSet<>(order.ofJobs());
        this.followed = new FollowedCluster(cluster, Issuer.BACKFILL, new Changes());
    }

    /** Applies the events of the cluster; the roles follow in the next {@link #update}. */
    private final class Changes implements ClusterListener {
        @Override
        public void jobChanged(final JobKey job) {
            changed.add(job);
        }

        @Override
        public void nodeChanged(final @Nullable NodeObserved before, final @Nullable NodeObserved now) {
            if (inventory == null || Objects.equals(before, now)) {
                return;
            }
            if (before == null || now == null || !isAlike(before, now)) {
                inventory = null;
            } else if (now.availability() == Availability.UP) {
                inventory.nodes().observe(now);
            }
        }

        private static boolean isAlike(final NodeObserved one, final NodeObserved other) {
            return one.availability() == other.availability()
                    && one.total().equals(other.total())
                    && one.features().equals(other.features())
                    && one.partitions().equals(other.partitions());
        }

        @Override
        public void partitionsChanged() {
            inventory = null;
        }

        /** An answer to a command of backfill-service may begin a back-off of its job. */
        @Override
        public void commandAnswered(final Outcome outcome) {
            if (outcome.issuer() == Issuer.BACKFILL) {
                switch (outcome.action()) {
                    case "start", "requeue", "checkpoint" -> changed.add(JobKey.of(outcome.subject()));
                    default -> {}
                }
            }
        }
    }

    /** The views of the cluster and of its commands; they take its events. */
    public FollowedCluster followed() {
        return followed;
    }

    /** Sets the entitlement of a job; null if it has none. */
    public void entitled(final JobKey job, final @Nullable Entitlement entitlement) {
        if (entitlement == null) {
            entitlements.remove(job);
        } else {
            entitlements.put(job, entitlement);
        }
        changed.add(job);
        followed.markChanged();
    }

    /** Sets the class of a job. */
    public void classified(final JobKey job, final String jobClass) {
        classes.put(job, jobClass);
        changed.add(job);
    }

    /** Sets the expected run time of a job. */
    public void expected(final JobKey job, final Duration run) {
        expected_s.put(job, run.toSeconds());
        changed.add(job);
    }

    /** A start of the job has been decided; its role follows from the command. */
    public void started(final JobKey job) {
        changed.add(job);
    }

    @Nullable
    Entitlement entitlement(final JobKey job) {
        return entitlements.get(job);
    }

    String classOf(final JobKey job) {
        return classes.getOrDefault(job, "");
    }

    /** 0 if no run time was published. */
    long expected_s(final JobKey job) {
        return expected_s.getOrDefault(job, 0L);
    }

    /**
     * Brings the roles up to date.
     *
     * @throws NullPointerException if no revision of the cluster has been closed
     */
    public void update(final Instant now) {
        final ClusterView observed = followed.view();
        final AssumedCluster assumed = AssumedCluster.of(observed, followed.commands());
        idle = assumed.idleCores();
        final Set<JobKey> due = new LinkedHashSet<>(assumed.commanded());
        due.addAll(commanded);
        commanded = new LinkedHashSet<>(assumed.commanded());
        due.addAll(changed);
        changed.clear();
        due.addAll(inBackoff.jobs());
        if (concernsAllJobs(assumed.marker())) {
            inventory = new ClusterInventory(observed, assumed.marker(), site);
            assumed.jobs().forEach(job -> due.add(job.job()));
            due.addAll(roles.keySet());
            due.addAll(commitments.jobs());
        }
        updateRoles(due, assumed, now);
    }

    /** Forgets what has changed, and determines every role in the next {@link #update}: for a cluster that is not planned now. */
    public void pause() {
        changed.clear();
        inventory = null;
    }

    private boolean concernsAllJobs(final RevisionClosed newest) {
        final Map<String, Integer> totals = totals(followed.view().conditions());
        final boolean isSame = newest.capabilities().equals(capabilities)
                && totals.equals(licenceTotals)
                && inventory != null
                && inventory.isValidFor(newest);
        capabilities = newest.capabilities();
        licenceTotals = totals;
        return !isSame;
    }

    private static Map<String, Integer> totals(final ClusterConditions conditions) {
        return conditions.licences() == null
                ? Map.of()
                : conditions.licences().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, tokens -> tokens.getValue().total()));
    }

    private void updateRoles(final Set<JobKey> due, final AssumedCluster assumed, final Instant now) {
        final FreeNodeCapacity known = inventory().nodes();
        final FreeNodeCapacity free = known.isEmpty() ? known : known.copy();
        nodes = free;
        inBackoff = new JobsInBackoff();
        final RoleAssignment assignment =
                new RoleAssignment(this, assumed, commitments, inventory(), free, now, inBackoff);
        for (final JobKey key : due) {
            final JobObserved job = assumed.job(key);
            commitments.update(key, job);
            if (job == null) {
                classes.remove(key);
                expected_s.remove(key);
            }
            setRole(key, job == null ? null : assignment.role(job));
        }
    }

    private void setRole(final JobKey job, final @Nullable JobRole now) {
        final JobRole before = now == null ? roles.remove(job) : roles.put(job, now);
        if (Objects.equals(before, now)) {
            return;
        }
        if (before instanceof QueuedJob left) {
            queued.remove(left);
        } else if (before instanceof RunningJob) {
            running.remove(job);
        }
        if (now instanceof QueuedJob waits) {
            queued.add(waits);
        } else if (now instanceof RunningJob runs) {
            running.put(job, runs);
        }
    }

    /** The roles of all jobs that have one. */
    public Collection<JobRole> roles() {
        return roles.values();
    }

    /** The waiting jobs that may start as soon as they fit, in order. */
    public Collection<QueuedJob> queued() {
        return queued;
    }

    public List<IneligibleJob> ineligible() {
        return roles.values().stream()
                .filter(IneligibleJob.class::isInstance)
                .map(IneligibleJob.class::cast)
                .toList();
    }

    /** The newest revision. @throws NullPointerException if none has been closed */
    public RevisionClosed marker() {
        return Objects.requireNonNull(followed.view().marker(), "no revision of the cluster has been closed");
    }

    CommandView commands() {
        return followed.commands();
    }

    private ClusterInventory inventory() {
        return Objects.requireNonNull(inventory, "call update() first");
    }

    /** Why no job may be started on this cluster now; empty if jobs may be started. */
    public Optional<Veto> blockingVeto(final Instant now) {
        if (marker().health() instanceof WlmHealth.Stale stale) {
            return Optional.of(VetoCode.CLUSTER_STALE.veto(
                    "the workload manager has not answered since " + stale.lastAnsweredAt() + ": " + stale.reason()));
        }
        if (Duration.between(marker().observedAt(), now).compareTo(STALE_AFTER) > 0) {
            return Optional.of(
                    VetoCode.AGENT_SILENT.veto("the agent has published nothing since " + marker().observedAt()));
        }
        return marker().capabilities().contains(Capability.START)
                ? Optional.empty()
                : Optional.of(
                        VetoCode.START_UNSUPPORTED.veto("the agent of this cluster does not support starting jobs"));
    }

    /** The input of a planning pass. @param promises of earlier passes */
    public QueueSnapshot snapshot(final Promises promises) {
        return new QueueSnapshot(
                idle,
                queued,
                new ArrayList<>(running.values()),
                Objects.requireNonNull(nodes, "call update() first"),
                inventory().partitions(),
                windows(),
                freeLicences(),
                promises);
    }

    /** Maintenance windows of the site file, and those that the workload manager reports. */
    private List<MaintenanceWindow> windows() {
        return Stream.concat(
                        site.windows().stream(),
                        followed.view().conditions().maintenance().stream()
                                .map(window -> MaintenanceWindow.of(
                                        window, Math.max(1, marker().total().cores()))))
                .toList();
    }

    /** Free tokens: what the workload manager reports, without those of jobs that it does not show as running yet; else what the site states. */
    private Map<String, Integer> freeLicences() {
        final Map<String, LicenceTokens> reported = followed.view().conditions().licences();
        final Map<String, Integer> free = new HashMap<>(site.licences());
        if (!free.isEmpty()) {
            running.values().forEach(job -> take(job, free));
        }
        if (reported == null || reported.isEmpty()) {
            return free;
        }
        reported.forEach((name, tokens) -> free.put(name, tokens.free()));
        for (final JobKey key : commanded) {
            final JobObserved seen = followed.view().job(key);
            final RunningJob assumed = running.get(key);
            if (assumed != null && seen != null && seen.state().isWaiting()) {
                take(assumed, free);
            }
        }
        return free;
    }

    private static void take(final RunningJob job, final Map<String, Integer> free) {
        job.placement().licences().forEach((name, tokens) -> free.computeIfPresent(name, (n, left) -> left - tokens));
    }

    /** When a back-off ends; empty if only an event can change the plan. */
    public Optional<Instant> replanAt() {
        return inBackoff.firstRetry();
    }
}
