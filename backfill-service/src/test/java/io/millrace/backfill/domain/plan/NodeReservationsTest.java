package io.millrace.backfill.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.EarlierReservation;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.backfill.domain.Promises;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunTimeHistory;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.NodeShare;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Reservations of every depth count all that a job asks for: seeded worlds with whole nodes, memory, accelerators, features, partitions, licences
 * and maintenance windows. Times are seconds.
 */
class NodeReservationsTest {

    private static final int[] DEPTHS = {0, 1, 2, 5, BackfillPolicy.ALL};

    @Test
    void one_pass_starts_the_same_jobs_as_the_naive_planner_at_every_depth() {
        int starts = 0;
        int waits = 0;
        int elsewhere = 0;
        for (long seed = 1; seed <= 150; seed++) {
            final Random random = new Random(seed);
            final MixedCluster world = new MixedCluster(random);
            final Map<QueuedJob, List<NodeShare>> running = running(world, random);
            final List<QueuedJob> queued =
                    Stream.generate(() -> world.job(1000, false)).limit(12).toList();
            final List<MaintenanceWindow> windows =
                    seed % 3 == 0 ? List.of(world.window(10 + random.nextInt(60), 150)) : List.of();
            final QueueSnapshot view = view(world, queued, seen(running, 0), running.values(), windows, Map.of());
            for (final int depth : DEPTHS) {
                final NaiveNodePlanner naive = new NaiveNodePlanner(world, 2000);
                running.forEach((job, on) -> naive.take(job, on, 0, job.walltime_s()));
                windows.forEach(window -> window.closedNodes(world.empty().nodes())
                        .forEach(node -> naive.close(node, (int) window.from_s(), (int) window.until_s())));
                final Schedule schedule = BackfillPlanner.plan(view, new BackfillPolicy(JobOrder.FCFS, depth), 0);
                assertThat(schedule.starts().stream().map(start -> start.job().job()))
                        .as("seed %d, depth %d", seed, depth)
                        .isEqualTo(naive.starts(queued, depth));
                starts += schedule.starts().size();
                elsewhere += (int) schedule.starts().stream()
                        .filter(start -> start.job().startsInOtherPartition())
                        .count();
                waits += schedule.waiting().size();
            }
        }
        assertThat(starts).as("the worlds are interesting").isGreaterThan(800);
        assertThat(waits).isGreaterThan(1000);
        assertThat(elsewhere).isGreaterThan(50);
    }

    @Test
    void no_job_is_late_and_no_resource_is_reserved_twice() {
        for (long seed = 1; seed <= 80; seed++) {
            play(seed);
        }
    }

    private record Run(QueuedJob job, List<NodeShare> on, long start_s, long end_s) {}

    private static void play(final long seed) {
        final Random random = new Random(seed);
        final MixedCluster world = new MixedCluster(random);
        final BackfillPolicy policy = new BackfillPolicy(JobOrder.FCFS, DEPTHS[1 + random.nextInt(4)]);
        final List<MaintenanceWindow> windows = random.nextInt(3) == 0
                ? List.of(world.window(100 + random.nextInt(200), 400 + random.nextInt(100)))
                : List.of();
        final List<QueuedJob> toCome = new ArrayList<>();
        long submit = 0;
        for (int i = 0; i < 40; i++) {
            submit += random.nextInt(3) == 0 ? 0 : random.nextInt(20);
            // What a spreadable job has on each of its nodes is not seen, so a planner can only guess.
            toCome.add(world.job(submit, true));
        }
        final int jobs = toCome.size();
        final Map<JobKey, Run> runs = new LinkedHashMap<>();
        final Map<JobKey, Run> ran = new LinkedHashMap<>();
        final Map<JobKey, Long> promised = new HashMap<>();
        final List<QueuedJob> waiting = new ArrayList<>();
        Map<JobKey, EarlierReservation> told = Map.of();
        long now = 0;
        long lookAgain = Long.MAX_VALUE;
        while (ran.size() < jobs) {
            now = Stream.concat(
                            toCome.stream()
                                    .limit(1)
                                    .map(job -> job.job().submittedAt().getEpochSecond()),
                            runs.values().stream().map(Run::end_s))
                    .mapToLong(at -> at)
                    .min()
                    .orElse(lookAgain);
            now = Math.min(now, lookAgain);
            final long t = now;
            assertThat(t).as("seed %d: somebody waits for ever", seed).isLessThan(ShadowTime.NEVER);
            for (final Run run : List.copyOf(runs.values())) {
                if (run.end_s <= t) {
                    runs.remove(run.job.job());
                    ran.put(run.job.job(), run);
                }
            }
            while (!toCome.isEmpty() && toCome.getFirst().job().submittedAt().getEpochSecond() <= t) {
                waiting.add(toCome.removeFirst());
            }
            final Pass pass = new Pass(
                    view(
                            world,
                            List.copyOf(waiting),
                            runs.values().stream()
                                    .map(run -> new RunningJob(
                                                    run.job.job(),
                                                    run.job.resources(),
                                                    run.job.partition(),
                                                    run.start_s + run.job.walltime_s(),
                                                    names(world, run.on))
                                            .withPlacement(run.job.placement()))
                                    .toList(),
                            runs.values().stream().map(Run::on).toList(),
                            windows,
                            told),
                    policy,
                    new RunTimeHistory(),
                    t);
            final Schedule schedule = BackfillPlanner.plan(pass);
            final long next_s = schedule.replanAt().second();
            lookAgain = next_s > t ? next_s : Long.MAX_VALUE;
            for (final Start start : schedule.starts()) {
                final QueuedJob job = start.job();
                assertThat(t)
                        .as("seed %d, %s: %s starts when it was promised at the latest", seed, policy, job)
                        .isLessThanOrEqualTo(promised.getOrDefault(job.job(), Long.MAX_VALUE));
                final long run_s = 1 + random.nextLong(job.walltime_s());
                runs.put(job.job(), new Run(job, shares(pass, job.job()), t, t + run_s));
                waiting.removeIf(other -> other.job().equals(job.job()));
            }
            told = promises(schedule);
            told.forEach((job, promise) -> promised.merge(job, promise.start_s(), Math::min));
            fits(seed, world, runs.values(), windows, t);
        }
    }

    private static List<NodeShare> shares(final Pass pass, final JobKey job) {
        return pass.running().stream()
                .filter(run -> run.job().job().equals(job))
                .findFirst()
                .orElseThrow()
                .shares();
    }

    private static Map<JobKey, EarlierReservation> promises(final Schedule schedule) {
        return schedule.reservations().stream()
                .filter(each -> each.shadow().isForeseeable())
                .collect(Collectors.toMap(
                        each -> each.head().job(),
                        each -> new EarlierReservation(each.shadow().second(), each.nodes())));
    }

    private static void fits(
            final long seed,
            final MixedCluster world,
            final Collection<Run> runs,
            final List<MaintenanceWindow> windows,
            final long now) {
        for (int i = 0; i < world.nodes.size(); i++) {
            final int node = i;
            final var total = world.nodes.get(i).total();
            final List<NodeShare> there = runs.stream()
                    .flatMap(run -> run.on.stream())
                    .filter(share -> share.node() == node)
                    .toList();
            assertThat(there.stream().mapToInt(NodeShare::cores).sum())
                    .as("seed %d at %d: cores of n%d", seed, now, i)
                    .isLessThanOrEqualTo(total.cores());
            assertThat(there.stream().mapToLong(NodeShare::memoryMib).sum())
                    .as("seed %d at %d: memory of n%d", seed, now, i)
                    .isLessThanOrEqualTo(total.memoryMib());
            assertThat(there.stream().mapToInt(NodeShare::gpus).sum())
                    .as("seed %d at %d: accelerators of n%d", seed, now, i)
                    .isLessThanOrEqualTo(total.gpus());
        }
        world.licences.forEach((name, tokens) -> assertThat(runs.stream()
                        .mapToInt(run -> run.job.placement().licences().getOrDefault(name, 0))
                        .sum())
                .as("seed %d at %d: licences", seed, now)
                .isLessThanOrEqualTo(tokens));
        world.partitions.forEach((name, limit) -> assertThat(runs.stream()
                        .filter(run -> run.job.partition().equals(name))
                        .mapToInt(run -> run.job.cores())
                        .sum())
                .as("seed %d at %d: cores of partition %s", seed, now, name)
                .isLessThanOrEqualTo(limit.cores()));
        for (final Run run : runs) {
            assertThat(run.on)
                    .as("seed %d: %s is on nodes", seed, run.job)
                    .isNotEmpty()
                    .allMatch(share -> world.nodes
                            .get(share.node())
                            .features()
                            .containsAll(run.job.placement().features()))
                    .allMatch(
                            share -> world.nodes.get(share.node()).partitions().contains(run.job.partition()));
            assertThat(run.on.stream().mapToInt(NodeShare::cores).sum()).isGreaterThanOrEqualTo(run.job.cores());
            for (final MaintenanceWindow window : windows) {
                final Set<Integer> closed =
                        Set.copyOf(window.closedNodes(world.empty().nodes()));
                final boolean meets =
                        run.start_s < window.until_s() && window.from_s() < run.start_s + run.job.walltime_s();
                assertThat(meets && run.on.stream().anyMatch(share -> closed.contains(share.node())))
                        .as("seed %d: %s keeps out of the window", seed, run.job)
                        .isFalse();
            }
        }
    }

    private static Map<QueuedJob, List<NodeShare>> running(final MixedCluster world, final Random random) {
        final FreeNodeCapacity room = world.empty();
        final Map<QueuedJob, List<NodeShare>> running = new LinkedHashMap<>();
        int licences = world.licences.get("ansys");
        for (int i = 0; i < 8; i++) {
            final QueuedJob job = world.job(0, true);
            final List<NodeShare> on = room.choose(job.demand(), room);
            licences -= job.placement().licences().size();
            if (!on.isEmpty() && licences >= 0 && random.nextInt(4) > 0 && world.partitions.isEmpty()) {
                room.take(on);
                running.put(job, on);
            } else {
                licences += job.placement().licences().size();
            }
        }
        return running;
    }

    private static List<RunningJob> seen(final Map<QueuedJob, List<NodeShare>> running, final long start_s) {
        final List<RunningJob> seen = new ArrayList<>();
        running.forEach((job, on) -> seen.add(new RunningJob(
                        job.job(),
                        job.resources(),
                        job.partition(),
                        start_s + job.walltime_s(),
                        on.stream()
                                .map(share -> NodeName.of("n" + share.node()))
                                .toList())
                .withPlacement(job.placement())));
        return seen;
    }

    private static List<NodeName> names(final MixedCluster world, final List<NodeShare> on) {
        return on.stream().map(share -> world.nodes.get(share.node()).node()).toList();
    }

    private static QueueSnapshot view(
            final MixedCluster world,
            final List<QueuedJob> queued,
            final List<RunningJob> running,
            final Collection<List<NodeShare>> taken,
            final List<MaintenanceWindow> windows,
            final Map<JobKey, EarlierReservation> promised) {
        final Map<String, Integer> licences = new HashMap<>(world.licences);
        running.forEach(job ->
                job.placement().licences().forEach((name, tokens) -> licences.merge(name, -tokens, Integer::sum)));
        final int inUse =
                taken.stream().flatMap(List::stream).mapToInt(NodeShare::cores).sum();
        return new QueueSnapshot(
                world.cores() - inUse,
                queued,
                running,
                world.with(taken),
                world.partitions,
                windows,
                licences,
                Promises.reserved(promised));
    }
}
