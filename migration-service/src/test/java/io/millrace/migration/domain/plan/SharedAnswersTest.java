package io.millrace.migration.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.InFlightLimits;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.attempt.TransferTimes;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.GlobalJobLifecycle;
import io.millrace.migration.domain.job.GlobalJobs;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.migration.domain.view.CheapestPlacement;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.TargetRule;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.PlacementTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A pass in which equal requests share answers decides as one that asks every cluster for every group. */
class SharedAnswersTest {

    private static final int STEPS = 100;
    private static final int SEEDS = 6;
    private static final PartitionName MAIN = PartitionName.of("main");
    private static final List<ClusterId> CLUSTERS =
            Stream.of("a", "b", "c", "d").map(ClusterId::of).toList();

    static Stream<Arguments> seeds() {
        final Long only = Long.getLong("millrace.seed");
        return Stream.of(TargetRule.values())
                .flatMap(rule -> Stream.iterate(0L, seed -> seed + 1)
                        .limit(only == null ? SEEDS : 1)
                        .map(seed -> Arguments.of(rule, only == null ? seed : only)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shared_answers_are_those_of_asking_for_each_group(final TargetRule rule, final long seed) {
        new Run(rule, seed).play();
    }

    private static final class Run {

        private final Random random;
        private final MigrationPolicy policy;
        private final TargetClusters clusters = new TargetClusters();
        private final GlobalJobs jobs = new GlobalJobs();
        private final TransferTimes transfers = new TransferTimes();
        private final CheapestPlacement cheapest = new CheapestPlacement();
        private final List<GlobalJobId> known = new ArrayList<>();
        private final Map<ClusterId, Integer> totals = new HashMap<>();
        private Instant now = Instant.parse("2026-03-01T12:00:00Z");
        private int number;
        private int placed;
        private long revision;

        Run(final TargetRule rule, final long seed) {
            random = new Random(seed);
            final MigrationPolicy d = MigrationPolicy.DEFAULT;
            final MigrationPolicy unlimited = new MigrationPolicy(
                    List.of(CLUSTERS.get(2)),
                    d.queueAfter(),
                    d.unavailableAfter(),
                    d.maxTries(),
                    20,
                    d.initialBackoff(),
                    d.maxBackoff(),
                    d.commandValidity(),
                    Duration.ofMillis(1),
                    rule,
                    Map.of(CLUSTERS.get(1), 1.5),
                    d.limits(),
                    d.moves(),
                    d.homeJobsFirst());
            final MigrationPolicy limited =
                    seed % 2 == 0 ? unlimited : unlimited.withLimits(new InFlightLimits(4, 4, 2));
            policy = seed % 3 == 0 ? limited.withHomeJobsFirst() : limited;
        }

        private PlanView view() {
            return new PlanView(clusters, jobs.placed(), jobs.waiting(), transfers, cheapest, PlacementTable.EMPTY);
        }

        void play() {
            CLUSTERS.forEach(id -> totals.put(id, 8 + random.nextInt(24)));
            CLUSTERS.stream().limit(3).forEach(this::closeRevision);
            for (int step = 0; step < STEPS; step++) {
                now = now.plusSeconds(1 + random.nextInt(20));
                for (int i = random.nextInt(4); i >= 0; i--) {
                    something();
                }
                compare();
            }
            assertThat(placed).as("placements").isPositive();
        }

        private void compare() {
            PlacementPlan plan;
            int passes = 0;
            do {
                assertThat(passes++).as("passes without news").isLessThan(50);
                plan = new PlacementPass(view(), policy, now).plan();
                assertThat(plan).isEqualTo(asked());
                plan.placements().forEach(this::apply);
            } while (!plan.placements().isEmpty());
        }

        /** The same plan, by asking with a choice that has no memory but the promises of the pass. */
        private PlacementPlan asked() {
            final List<JobPlacement> promised = new ArrayList<>();
            final PlacementPass pass = new PlacementPass(view(), policy, now) {
                @Override
                PlacementDecision choose(final GlobalJob job, final RequestShape request) {
                    final TargetChoice fresh = new TargetChoice(view(), policy, now);
                    promised.forEach(one -> fresh.promise(one.job(), ((JobFact.Placed) one.fact()).cluster()));
                    return fresh.choose(job, request);
                }

                @Override
                JobPlacement place(final GlobalJob job, final PlacementDecision.Place at) {
                    final JobPlacement placement = super.place(job, at);
                    promised.add(placement);
                    return placement;
                }
            };
            return pass.plan();
        }

        private void apply(final JobPlacement placement) {
            placed += placement.fact() instanceof JobFact.Placed ? 1 : 0;
            learn(placement.job().id(), placement.fact());
        }

        private void learn(final GlobalJobId id, final JobFact fact) {
            jobs.find(id)
                    .flatMap(job -> GlobalJobLifecycle.after(job, fact, now))
                    .ifPresent(jobs::put);
        }

        private void something() {
            switch (random.nextInt(20)) {
                case 0, 1, 2, 3, 4 -> {
                    for (int i = random.nextInt(4); i >= 0; i--) {
                        submit();
                    }
                }
                case 5, 6, 7, 8, 9 -> closeRevision(any(CLUSTERS));
                case 10, 11, 12 -> jobs.find(anyJob()).ifPresent(this::progress);
                case 13 -> structure(any(CLUSTERS));
                case 14 ->
                    learn(anyJob(), new JobFact.HoldReceived(new HoldRequested(anyJob(), owner(0), now, "later")));
                case 15 -> learn(anyJob(), new JobFact.ReleaseReceived(new ReleaseRequested(anyJob(), owner(0), now)));
                case 16 ->
                    learn(anyJob(), new JobFact.StopReceived(new StopRequested(anyJob(), owner(0), now, "over")));
                case 17 -> offer();
                case 18 ->
                    learn(
                            anyJob(),
                            new JobFact.AlterReceived(new AlterRequested(
                                    anyJob(), owner(0), now, null, null, null, null, random.nextInt(3))));
                default -> now = now.plusSeconds(random.nextInt(60));
            }
        }

        private GlobalJobId anyJob() {
            if (known.isEmpty()) {
                submit();
            }
            return any(known);
        }

        private <T> T any(final List<T> from) {
            return from.get(random.nextInt(from.size()));
        }

        private static UserName owner(final int i) {
            return UserName.of("u" + i);
        }

        private void submit() {
            final int nodes = random.nextInt(6) == 0 ? 1 + random.nextInt(2) : 0;
            final JobSpec spec = new JobSpec(
                    "job",
                    "#!/bin/sh\n",
                    null,
                    new Resources(random.nextInt(8) == 0 ? 12 : 1 + random.nextInt(2) * 3, nodes, 0, 0),
                    Duration.ofHours(random.nextInt(6) == 0 ? 3 : 1),
                    random.nextInt(8) == 0 ? MAIN : null,
                    null,
                    Map.of(),
                    new CheckpointMethod.None(),
                    false);
            final GlobalJobId id = GlobalJobId.of("01J%023d".formatted(number++));
            final JobSubmitted submission = new JobSubmitted(
                    id,
                    1,
                    owner(random.nextInt(3)),
                    spec,
                    CLUSTERS.get(random.nextInt(2)),
                    "/home/u",
                    random.nextInt(10) == 0 ? any(CLUSTERS) : null,
                    now,
                    "signed");
            jobs.put(GlobalJobLifecycle.accepted(submission, now));
            known.add(id);
        }

        /** A placed job goes on, fails or ends. */
        private void progress(final GlobalJob job) {
            switch (job.state()) {
                case GlobalJobState.Uploading u ->
                    learn(
                            job.id(),
                            random.nextInt(4) == 0 ? new JobFact.AttemptFailed("no", true) : new JobFact.Uploaded());
                case GlobalJobState.Submitted s ->
                    learn(job.id(), new JobFact.AttemptFailed("no", random.nextBoolean()));
                default -> {}
            }
        }

        private void offer() {
            final PlacementOffered offer =
                    new PlacementOffered(any(CLUSTERS), anyJob(), 1, random.nextInt(100), "test");
            if (random.nextInt(3) == 0) {
                jobs.waiting().setAlone(offer.job(), cheapest.remove(offer.job(), offer.cluster()));
            } else {
                cheapest.put(offer);
                jobs.waiting().setAlone(offer.job(), true);
            }
        }

        /** What a cluster is or allows changes with its next revision. */
        private void structure(final ClusterId id) {
            final TargetCluster cluster = clusters.of(id);
            switch (random.nextInt(4)) {
                case 0 ->
                    cluster.observed(new SiteMappingObserved(
                            id, random.nextBoolean(), Map.of(owner(random.nextInt(3)), owner(9)), Map.of(), Map.of()));
                case 1 ->
                    cluster.observed(new PartitionObserved(
                            id,
                            MAIN,
                            random.nextInt(3) > 0,
                            true,
                            totals.get(id),
                            random.nextBoolean() ? Duration.ofHours(2) : null,
                            PartitionLimits.NONE,
                            Access.EVERYBODY));
                case 2 -> totals.put(id, 8 + random.nextInt(24));
                default -> cluster.vanished(PartitionObserved.keyOf(id, MAIN));
            }
        }

        /** A local job is predicted to start soon, or there is none. */
        private void queue(final TargetCluster cluster) {
            final JobKey local = new JobKey(new JobId(cluster.id(), "1"), Instant.EPOCH);
            if (random.nextBoolean()) {
                cluster.vanished(JobObserved.keyOf(local));
                return;
            }
            cluster.observed(new JobObserved(
                    local,
                    "local",
                    owner(0),
                    null,
                    MAIN,
                    new JobState.Queued(),
                    null,
                    Resources.cores(totals.get(cluster.id())),
                    Duration.ofHours(1),
                    Eligibility.since(Instant.EPOCH),
                    null,
                    0,
                    0,
                    new CheckpointMethod.None(),
                    JobDetail.NONE));
            cluster.predicted(local, now.plus(Duration.ofMinutes(random.nextInt(240))));
        }

        private void closeRevision(final ClusterId id) {
            final TargetCluster cluster = clusters.of(id);
            final int total = totals.get(id);
            final int free = random.nextInt(3) > 0 ? random.nextInt(6) : random.nextInt(total + 1);
            if (id.equals(CLUSTERS.getFirst())) {
                for (int node = 0; node < 4; node++) {
                    cluster.observed(new NodeObserved(
                            id,
                            NodeName.of("n" + node),
                            NodeObserved.Availability.UP,
                            Resources.cores(total / 4),
                            Resources.cores(Math.min(total / 4, free / 4 + random.nextInt(2))),
                            null,
                            List.of(),
                            List.of(MAIN)));
                }
            }
            queue(cluster);
            cluster.observed(new RevisionClosed(
                    id,
                    ++revision,
                    now,
                    random.nextInt(10) == 0 ? new WlmHealth.Stale(now, "no answer") : new WlmHealth.Answering(),
                    Control.NATIVE,
                    "test",
                    Resources.cores(total),
                    Resources.cores(free),
                    random.nextInt(12) == 0 ? Set.of() : EnumSet.of(Capability.TRANSFER),
                    0,
                    random.nextInt(12) == 0 ? null : "/staging",
                    null,
                    Map.of()));
        }
    }
}
