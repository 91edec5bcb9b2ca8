package io.millrace.quota.domain;

import io.millrace.decide.ClusterView;
import io.millrace.decide.CommandView;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Maintenance;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.Placement;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.StartRule;
import io.millrace.model.cluster.Tier;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.UserLock;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.model.quota.Usage;
import io.millrace.quota.domain.account.PlannedEntitlement;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.plan.QuotaPlanner;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.preemption.VictimOrder;
import io.millrace.quota.domain.priority.PriorityView;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.CentreUsage;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds one cluster at noon. Jobs are submitted in the order in which they are added. */
public final class QuotaScenario {

    public static final ClusterId ALPHA = ClusterId.of("alpha");
    public static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    public final CommandView commands = new CommandView(Issuer.QUOTA);
    public final ActiveQuotas quotas = new ActiveQuotas(0);
    final Map<String, JobKey> keys = new LinkedHashMap<>();
    public PriorityView priority = PriorityView.NONE;
    public QuotaPolicy policy = QuotaPolicy.DEFAULT;
    Budgets budgets = Budgets.none();
    /** Core-seconds requested on other clusters. */
    public final Map<UserName, Long> elsewhere = new java.util.HashMap<>();

    /** Use on other clusters. */
    final CentreUsage centre = new CentreUsage();

    private final Map<UserName, UserLock> locks = new LinkedHashMap<>();
    private final Map<String, JobObserved> jobs = new LinkedHashMap<>();
    private final Map<NodeName, NodeObserved> nodes = new LinkedHashMap<>();
    private final int cores;
    private Set<Capability> capabilities = Set.of(Capability.START, Capability.RECLAIM);
    private Control control = Control.DIRECTED;
    private ClusterConditions conditions = ClusterConditions.unknown(ALPHA);
    private StartRule startRule = StartRule.PARTS_OF_NODES;
    private WlmHealth health = new WlmHealth.Answering();
    private Instant observedAt = NOON;
    private long revision = 7;
    private long included;

    private final Map<PartitionName, PartitionObserved> partitions = new LinkedHashMap<>();

    private QuotaScenario(final int cores) {
        this.cores = cores;
    }

    public static QuotaScenario cluster(final int cores) {
        return new QuotaScenario(cores);
    }

    /** Jobs wait in {@code main}. */
    public QuotaScenario partitions(final String... names) {
        for (final String name : names) {
            partition(new PartitionObserved(
                    ALPHA, PartitionName.of(name), true, false, cores, null, PartitionLimits.NONE, Access.EVERYBODY));
        }
        return this;
    }

    public QuotaScenario partition(final PartitionObserved seen) {
        partitions.put(seen.partition(), seen);
        return this;
    }

    /** The owner of the last job requested a choice among these partitions. */
    QuotaScenario choosingPartitions(final String... names) {
        return last(job -> job.with(job.detail()
                .in(java.util.Arrays.stream(names).map(PartitionName::of).toList())));
    }

    public int cores() {
        return cores;
    }

    public QuotaScenario quota(final String user, final int cores) {
        quotas.put(new Quota(UserName.of(user), ALPHA, cores, UserName.of("op"), "for the test", NOON, 1));
        return this;
    }

    /** A quota of a user, project or group on this cluster. */
    public QuotaScenario quotaOf(final String holder, final int cores, final QuotaTerms terms) {
        quotas.put(Quota.of(QuotaHolder.of(holder), ALPHA, cores, terms, UserName.of("op"), "for the test", NOON, 1));
        return this;
    }

    public QuotaScenario quotaOf(final String holder, final int cores) {
        return quotaOf(holder, cores, QuotaTerms.NONE);
    }

    public QuotaScenario quotaEverywhere(final String holder, final int cores) {
        quotas.put(Quota.of(
                QuotaHolder.of(holder), null, cores, QuotaTerms.NONE, UserName.of("op"), "for the test", NOON, 1));
        return this;
    }

    public QuotaScenario group(final String name, final String... members) {
        quotas.put(new QuotaGroup(
                QuotaHolder.of("group:" + name),
                java.util.Arrays.stream(members).map(QuotaHolder::of).collect(java.util.stream.Collectors.toSet()),
                UserName.of("op"),
                "for the test",
                NOON,
                1));
        return this;
    }

    public QuotaScenario usesElsewhere(final String cluster, final String user, final int cores) {
        centre.put(new Usage(ClusterId.of(cluster), UserName.of(user), 0, cores, 0, 0, 0));
        return this;
    }

    public QuotaScenario locked(final String user) {
        locks.put(UserName.of(user), new UserLock(UserName.of(user), true, UserName.of("op"), "stolen laptop", NOON));
        return this;
    }

    /** The last job is charged to this project. */
    public QuotaScenario forProject(final String project) {
        return last(job -> job.of(job.owner(), ProjectName.of(project)));
    }

    /** The last job names this project, and its agent does not vouch for it. */
    public QuotaScenario claimingProject(final String project) {
        return last(job -> job.with(job.detail().claiming(ProjectName.of(project))));
    }

    public QuotaScenario node(final String name, final int total, final int free) {
        nodes.put(
                NodeName.of(name),
                new NodeObserved(
                        ALPHA,
                        NodeName.of(name),
                        NodeObserved.Availability.UP,
                        Resources.cores(total),
                        Resources.cores(free),
                        null,
                        List.of(),
                        List.of()));
        return this;
    }

    public QuotaScenario runs(
            final String job, final String owner, final int cores, final int startedMinutesAgo, final String... on) {
        final List<NodeName> nodes =
                java.util.Arrays.stream(on).map(NodeName::of).toList();
        return job(
                job,
                owner,
                Resources.cores(cores),
                new JobState.Running(NOON.minus(Duration.ofMinutes(startedMinutesAgo)), nodes));
    }

    /** An interactive job ({@code salloc}). */
    public QuotaScenario runsInteractively(
            final String job, final String owner, final int cores, final int startedMinutesAgo) {
        runs(job, owner, cores, startedMinutesAgo);
        jobs.computeIfPresent(
                job,
                (name, seen) -> seen.with(new JobDetail(null, null, List.of(), Placement.ANYWHERE, true, false, null)));
        return this;
    }

    public QuotaScenario waits(final String job, final String owner, final int cores) {
        return job(job, owner, Resources.cores(cores), new JobState.Held(HoldKind.ENTRY));
    }

    public QuotaScenario waitsForNodes(final String job, final String owner, final int cores, final int nodes) {
        return job(job, owner, new Resources(cores, nodes, 0, 0), new JobState.Queued());
    }

    /** The workload manager reports this tier of the job; null: none. */
    public QuotaScenario inTier(final String job, final Tier tier) {
        jobs.computeIfPresent(job, (name, seen) -> seen.with(seen.detail().inTier(tier)));
        return this;
    }

    /** The job is charged to a project and requests a quality of service. */
    public QuotaScenario chargedTo(final String job, final String project, final String qos) {
        jobs.computeIfPresent(
                job,
                (name, seen) -> seen.of(seen.owner(), ProjectName.of(project))
                        .with(new JobDetail(qos, null, List.of(), Placement.ANYWHERE, false, true, null)));
        return this;
    }

    public QuotaScenario job(final String name, final String owner, final Resources resources, final JobState state) {
        final JobKey key = new JobKey(new JobId(ALPHA, name), NOON.minusSeconds(7200L - keys.size()));
        keys.put(name, key);
        jobs.put(
                name,
                new JobObserved(
                        key,
                        name,
                        UserName.of(owner),
                        null,
                        PartitionName.of("main"),
                        state,
                        null,
                        resources,
                        Duration.ofHours(1),
                        Eligibility.since(key.submittedAt()),
                        null,
                        0,
                        0,
                        new CheckpointMethod.None(),
                        JobDetail.NONE));
        return this;
    }

    /** The walltime of the job instead of one hour; null: no limit. */
    public QuotaScenario walltime(final String job, final @Nullable Duration limit) {
        jobs.computeIfPresent(
                job,
                (name, seen) -> new JobObserved(
                        seen.job(),
                        seen.name(),
                        seen.owner(),
                        seen.project(),
                        seen.partition(),
                        seen.state(),
                        seen.reason(),
                        seen.resources(),
                        limit,
                        seen.eligibility(),
                        seen.attempt(),
                        seen.restarts(),
                        seen.priority(),
                        seen.checkpoint(),
                        JobDetail.NONE));
        return this;
    }

    /** Changes the last job. */
    private QuotaScenario last(final java.util.function.UnaryOperator<JobObserved> other) {
        final String last = keys.keySet().stream().reduce((one, next) -> next).orElseThrow();
        jobs.computeIfPresent(last, (name, job) -> other.apply(job));
        return this;
    }

    /** The last job represents the waiting tasks of an array. */
    public QuotaScenario array(final int tasks) {
        return last(job -> job.with(job.detail().with(new ArrayTasks(job.name(), "1-" + tasks, tasks, null))));
    }

    /** The last job has this checkpoint method. */
    public QuotaScenario checkpointedBy(final CheckpointMethod method) {
        return last(job -> job.with(method));
    }

    /** The last job was requeued this many times. */
    public QuotaScenario requeued(final int times) {
        return last(job -> new JobObserved(
                job.job(),
                job.name(),
                job.owner(),
                job.project(),
                job.partition(),
                job.state(),
                job.reason(),
                job.resources(),
                job.walltime(),
                job.eligibility(),
                job.attempt(),
                times,
                job.priority(),
                job.checkpoint(),
                job.detail()));
    }

    /** The last job must not be requeued. */
    public QuotaScenario notRerunnable() {
        return last(job -> job.with(new JobDetail(null, null, List.of(), Placement.ANYWHERE, false, false, null)));
    }

    /** The last job has a dependency. */
    public QuotaScenario after(final String dependency) {
        return last(job ->
                        job.with(new JobDetail(null, null, List.of(dependency), Placement.ANYWHERE, false, true, null)))
                .thatIs(Eligibility.not(Eligibility.Obstacle.DEPENDENCY));
    }

    /** Whether the last job could start now. */
    public QuotaScenario thatIs(final Eligibility eligibility) {
        return last(job -> job.with(eligibility));
    }

    /** The last job has these GPUs and this memory. */
    public QuotaScenario with(final int gpus, final long memory_mib) {
        return last(job -> new JobObserved(
                job.job(),
                job.name(),
                job.owner(),
                job.project(),
                job.partition(),
                job.state(),
                job.reason(),
                new Resources(job.resources().cores(), job.resources().nodes(), memory_mib, gpus),
                job.walltime(),
                job.eligibility(),
                job.attempt(),
                job.restarts(),
                job.priority(),
                job.checkpoint(),
                job.detail()));
    }

    public QuotaScenario maintenance(final Maintenance... windows) {
        conditions = new ClusterConditions(ALPHA, null, null, List.of(windows));
        return this;
    }

    public QuotaScenario startsBy(final StartRule rule) {
        startRule = rule;
        return this;
    }

    /** The last job has so many cores on each of its nodes. */
    public QuotaScenario perNode(final int cores) {
        return last(job -> job.with(new JobDetail(
                null,
                null,
                List.of(),
                new Placement(List.of(), cores, false, List.of(), java.util.Map.of()),
                false,
                true,
                null)));
    }

    public QuotaScenario drained(final String name) {
        nodes.computeIfPresent(
                NodeName.of(name),
                (node, seen) -> new NodeObserved(
                        ALPHA,
                        node,
                        NodeObserved.Availability.DRAINED,
                        seen.total(),
                        Resources.NONE,
                        "maintenance",
                        seen.features(),
                        seen.partitions()));
        return this;
    }

    public QuotaScenario offering(final Capability... more) {
        final Set<Capability> all = new java.util.HashSet<>(capabilities);
        all.addAll(Set.of(more));
        capabilities = all;
        return this;
    }

    public QuotaScenario modes(final io.millrace.model.command.Preemption.Mode... allowed) {
        policy = policy.with(new PreemptModePolicy(List.of(allowed), Duration.ofMinutes(2)));
        return this;
    }

    /** Adds a node with features to a partition, which is created if necessary. */
    public QuotaScenario nodeOf(
            final String partition, final String name, final int total, final int free, final String... features) {
        if (!partitions.containsKey(PartitionName.of(partition))) {
            partitions(partition);
        }
        nodes.put(
                NodeName.of(name),
                new NodeObserved(
                        ALPHA,
                        NodeName.of(name),
                        NodeObserved.Availability.UP,
                        Resources.cores(total),
                        Resources.cores(free),
                        null,
                        List.of(features),
                        List.of(PartitionName.of(partition))));
        return this;
    }

    /** The last job is in this partition. */
    public QuotaScenario in(final String partition) {
        return last(job -> job.in(PartitionName.of(partition)));
    }

    /** The last job requests these features. */
    public QuotaScenario requestingFeatures(final String... features) {
        return last(job -> job.with(new JobDetail(
                null,
                null,
                List.of(),
                new Placement(List.of(features), 0, false, List.of(), java.util.Map.of()),
                false,
                true,
                null)));
    }

    public QuotaScenario node(final String name, final Resources total, final Resources free) {
        nodes.put(
                NodeName.of(name),
                new NodeObserved(
                        ALPHA,
                        NodeName.of(name),
                        NodeObserved.Availability.UP,
                        total,
                        free,
                        null,
                        List.of(),
                        List.of()));
        return this;
    }

    public QuotaScenario without(final Capability capability) {
        final Set<Capability> left = new java.util.HashSet<>(capabilities);
        left.remove(capability);
        capabilities = left;
        return this;
    }

    /** A native cluster with these additional capabilities. */
    QuotaScenario nativeWith(final Capability... more) {
        control = Control.NATIVE;
        return offering(more);
    }

    QuotaScenario directed() {
        control = Control.DIRECTED;
        return this;
    }

    public QuotaScenario stale(final String because) {
        health = new WlmHealth.Stale(NOON.minusSeconds(600), because);
        return this;
    }

    public QuotaScenario observed(final Instant at) {
        observedAt = at;
        return this;
    }

    public QuotaScenario order(final VictimOrder order) {
        policy = policy.with(order);
        return this;
    }

    public JobKey key(final String name) {
        return keys.get(name);
    }

    public ClusterView view() {
        final ClusterView view = new ClusterView(ALPHA);
        jobs.values().forEach(view::apply);
        nodes.values().forEach(view::apply);
        final int used = jobs.values().stream()
                .filter(job -> job.state().occupiesCores())
                .mapToInt(job -> job.resources().cores())
                .sum();
        partitions.values().forEach(view::apply);
        view.apply(conditions);
        view.apply(new RevisionClosed(
                ALPHA,
                revision,
                observedAt,
                health,
                control,
                "local",
                Resources.cores(cores),
                Resources.cores(Math.max(0, cores - used)),
                capabilities,
                included,
                null,
                null,
                Map.of(),
                null,
                startRule,
                null,
                null));
        return view;
    }

    public QuotaPlan plan() {
        return plan(NOON);
    }

    public QuotaView quotaView() {
        return QuotaView.of(view(), commands, quotas, user -> elsewhere.getOrDefault(user, 0L), centre, budgets)
                .withLocks(locks);
    }

    public QuotaPlan plan(final Instant now) {
        return QuotaPlanner.plan(quotaView().with(priority), policy, now);
    }

    /** What a pass at noon plans for this job. */
    public PlannedEntitlement planned(final String job) {
        return planned(job, NOON);
    }

    public PlannedEntitlement planned(final String job, final Instant now) {
        return plan(now).planned().stream()
                .filter(one -> one.job().equals(key(job)))
                .findFirst()
                .orElseThrow();
    }
}
