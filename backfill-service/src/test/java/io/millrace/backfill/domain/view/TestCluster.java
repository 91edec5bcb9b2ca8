package io.millrace.backfill.domain.view;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.SiteSettings;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.plan.BackfillPlanner;
import io.millrace.backfill.domain.plan.JobForecast;
import io.millrace.backfill.domain.plan.QueueForecast;
import io.millrace.decide.FollowedCluster;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
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
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.Maintenance;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.Placement;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.StartRule;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds a directed cluster at noon: {@code cluster(8).has(job("A").cores(4).hours(2))}. */
public final class TestCluster {

    public static final ClusterId ALPHA = ClusterId.of("alpha");
    public static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    public static final PartitionName MAIN = PartitionName.of("main");

    public final Commitments commitments = new Commitments();
    private final List<Consumer<FollowedCluster>> events = new ArrayList<>();
    public SiteSettings site = SiteSettings.NONE;
    public final Map<JobKey, Entitlement> entitlements = new LinkedHashMap<>();
    private final Map<String, JobObserved> jobs = new LinkedHashMap<>();
    private final List<NodeObserved> nodes = new ArrayList<>();
    private final List<PartitionObserved> partitions = new ArrayList<>();
    private final int cores;
    private StartRule startRule = StartRule.PARTS_OF_NODES;
    private ClusterConditions conditions = ClusterConditions.unknown(ALPHA);
    private Set<Capability> capabilities = Set.of(Capability.START);
    private WlmHealth health = new WlmHealth.Answering();
    private Instant observedAt = NOON;
    private BackfillPolicy policy = BackfillPolicy.EASY;
    private Map<JobKey, JobKey> displaced = Map.of();

    private TestCluster(final int cores) {
        this.cores = cores;
    }

    public static TestCluster scene(final int cores) {
        return new TestCluster(cores);
    }

    public static JobBuilder job(final String name) {
        return new JobBuilder(name);
    }

    /** A waiting borrowed job without node constraints, in order of definition, unless set otherwise. */
    public static final class JobBuilder {
        private final String name;
        private int cores = 1;
        private int nodes;
        private @Nullable Duration walltime = Duration.ofHours(1);
        private JobState state = new JobState.Held(HoldKind.ENTRY);
        private @Nullable EntitlementLevel right = EntitlementLevel.BORROWED;
        private PartitionName partition = MAIN;
        private List<PartitionName> otherPartitions = List.of();
        private Map<String, Integer> licences = Map.of();
        private int perNode;
        private @Nullable ArrayTasks array;

        private JobBuilder(final String name) {
            this.name = name;
        }

        public JobBuilder cores(final int count) {
            cores = count;
            return this;
        }

        public JobBuilder onNodes(final int count) {
            nodes = count;
            return this;
        }

        public JobBuilder hours(final int hours) {
            walltime = Duration.ofHours(hours);
            return this;
        }

        public JobBuilder minutes(final int minutes) {
            walltime = Duration.ofMinutes(minutes);
            return this;
        }

        public JobBuilder unlimited() {
            walltime = null;
            return this;
        }

        public JobBuilder in(final String name) {
            partition = PartitionName.of(name);
            return this;
        }

        /** Partitions that its priority opens. */
        public JobBuilder mayOverflowTo(final String... others) {
            otherPartitions = Arrays.stream(others).map(PartitionName::of).toList();
            return this;
        }

        /** An array of which these tasks wait. */
        public JobBuilder array(final String indices, final int tasks) {
            array = new ArrayTasks(name, indices, tasks, null);
            return this;
        }

        public JobBuilder licences(final String name, final int tokens) {
            licences = Map.of(name, tokens);
            return this;
        }

        public JobBuilder perNode(final int count) {
            perNode = count;
            return this;
        }

        public JobBuilder state(final JobState other) {
            state = other;
            return this;
        }

        public JobBuilder runningFor(final int minutes, final String... on) {
            return state(new JobState.Running(
                    NOON.minus(Duration.ofMinutes(minutes)),
                    Arrays.stream(on).map(NodeName::of).toList()));
        }

        public JobBuilder guaranteed() {
            right = EntitlementLevel.GUARANTEED;
            return this;
        }

        public JobBuilder right(final @Nullable EntitlementLevel other) {
            right = other;
            return this;
        }
    }

    public TestCluster has(final JobBuilder... told) {
        for (final JobBuilder job : told) {
            final JobKey key = new JobKey(new JobId(ALPHA, job.name), NOON.minusSeconds(7200L - jobs.size()));
            jobs.put(
                    job.name,
                    new JobObserved(
                            key,
                            job.name,
                            UserName.of("anna"),
                            null,
                            job.partition,
                            job.state,
                            null,
                            new Resources(job.cores, job.nodes, 0, 0),
                            job.walltime,
                            Eligibility.since(key.submittedAt()),
                            null,
                            0,
                            0,
                            new CheckpointMethod.None(),
                            new JobDetail(
                                    null,
                                    job.array,
                                    List.of(),
                                    new Placement(List.of(), job.perNode, false, List.of(), job.licences),
                                    false,
                                    true,
                                    null)));
            if (job.right != null) {
                final long priority = job.right == EntitlementLevel.GUARANTEED ? 1_000_000 : 0;
                entitlements.put(
                        key,
                        new Entitlement(key, job.right, priority, "for the test")
                                .withOtherPartitions(job.otherPartitions));
            }
        }
        return this;
    }

    public TestCluster node(final String name, final int total, final int free) {
        nodes.add(new NodeObserved(
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

    public TestCluster partition(
            final String name, final int ofCores, final boolean open, final @Nullable Duration limit) {
        partitions.add(new PartitionObserved(
                ALPHA, PartitionName.of(name), open, false, ofCores, limit, PartitionLimits.NONE, Access.EVERYBODY));
        return this;
    }

    /** What the agent observes beside nodes and partitions. */
    public TestCluster conditions(final Map<String, LicenceTokens> licences, final Maintenance... windows) {
        conditions = new ClusterConditions(ALPHA, null, licences, List.of(windows));
        return this;
    }

    public TestCluster startsBy(final StartRule rule) {
        startRule = rule;
        return this;
    }

    /** A partition that only these users may use. */
    public TestCluster partitionOf(final String name, final int ofCores, final String... users) {
        partitions.add(new PartitionObserved(
                ALPHA,
                PartitionName.of(name),
                true,
                false,
                ofCores,
                null,
                PartitionLimits.NONE,
                new Access(
                        Arrays.stream(users).map(UserName::of).collect(Collectors.toSet()),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        null,
                        null)));
        return this;
    }

    public TestCluster policy(final BackfillPolicy other) {
        policy = other;
        return this;
    }

    public TestCluster stale(final String because) {
        health = new WlmHealth.Stale(NOON.minusSeconds(600), because);
        return this;
    }

    public TestCluster observed(final Instant at) {
        observedAt = at;
        return this;
    }

    public TestCluster capabilities(final Capability... which) {
        capabilities = Set.of(which);
        return this;
    }

    public TestCluster displaced(final String job, final String by) {
        displaced = Map.of(key(job), key(by));
        return this;
    }

    public JobKey key(final String name) {
        return jobs.get(name).job();
    }

    public List<JobObserved> jobs() {
        return List.copyOf(jobs.values());
    }

    /** A command of backfill-service, and its offset. */
    public TestCluster issued(final Command command, final long offset) {
        events.add(cluster -> cluster.issued(command, offset));
        return this;
    }

    public TestCluster answered(final Outcome outcome) {
        events.add(cluster -> cluster.answered(outcome));
        return this;
    }

    public RevisionClosed marker(final long revision, final long included) {
        final int used = jobs.values().stream()
                .filter(job -> job.state().occupiesCores())
                .mapToInt(job -> job.resources().cores())
                .sum();
        return new RevisionClosed(
                ALPHA,
                revision,
                observedAt,
                health,
                Control.DIRECTED,
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
                null);
    }

    public QueueView queue() {
        return queue(NOON);
    }

    public QueueView queue(final Instant now) {
        final QueueView queue = new QueueView(ALPHA, policy.order(), commitments, site);
        entitlements.forEach(queue::entitled);
        final FollowedCluster followed = queue.followed();
        events.forEach(event -> event.accept(followed));
        jobs.values().forEach(followed::observed);
        nodes.forEach(followed::observed);
        partitions.forEach(followed::observed);
        followed.observed(conditions);
        followed.observed(marker(7, 0));
        queue.update(now);
        return queue;
    }

    private QueueSnapshot snapshot() {
        return queue().snapshot(commitments.promises());
    }

    public Schedule plan() {
        return BackfillPlanner.plan(snapshot(), policy, NOON.getEpochSecond());
    }

    /** Local ids of the jobs that start, in order. */
    public List<String> starts() {
        return plan().starts().stream()
                .map(start -> start.job().job().id().local())
                .toList();
    }

    public Map<String, JobForecast> outlook() {
        final Schedule schedule = plan();
        return QueueForecast.of(
                        snapshot(),
                        policy,
                        schedule,
                        displaced,
                        NOON.getEpochSecond(),
                        schedule.waiting().size())
                .stream()
                .collect(Collectors.toMap(forecast -> forecast.job().job().id().local(), forecast -> forecast));
    }

    /** The veto code of each ineligible job by local id. */
    public Map<String, String> barred() {
        return queue().ineligible().stream()
                .collect(Collectors.toMap(
                        barred -> barred.job().id().local(),
                        barred -> barred.veto().code()));
    }
}
