package io.millrace.quota.domain.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.preemption.VictimOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Promise 4 on random clusters, against a naive implementation that tries all subsets of the running jobs. A failing seed is printed.
 */
class ReclaimPropertyTest {

    private static final int WORLDS = 3000;

    private static final List<Eligibility> NOT_NOW = List.of(
            Eligibility.from(QuotaScenario.NOON.plusSeconds(1200)),
            Eligibility.from(null),
            Eligibility.not(Obstacle.DEPENDENCY),
            Eligibility.not(Obstacle.HOLD),
            Eligibility.not(Obstacle.ARRAY_LIMIT),
            Eligibility.not(Obstacle.ADVANCE_RESERVATION),
            Eligibility.UNKNOWN);

    private record Job(JobKey key, UserName owner, int cores, PartitionName in) {
        static Job of(final JobObserved job) {
            return new Job(job.job(), job.owner(), job.resources().cores(), job.partition());
        }
    }

    private int reclaims;
    private int refusals;
    private int promised;
    private int blocked;

    @Test
    void a_plan_equals_that_of_the_naive_rules() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            check(seed, world(seed));
        }
        theyWereInteresting();
    }

    /** */
    @Test
    void a_job_that_could_not_start_now_changes_nothing_for_the_others() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            check(seed, world(seed, 0.4));
        }
        theyWereInteresting();
        assertThat(blocked).as("the worlds are interesting").isGreaterThan(WORLDS / 40);
    }

    /** */
    @Test
    void victims_are_in_the_partition_of_the_beneficiary() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            check(seed, worldOfTwoPartitions(seed));
        }
        theyWereInteresting();
    }

    private void theyWereInteresting() {
        assertThat(reclaims).as("the worlds are interesting").isGreaterThan(WORLDS / 40);
        assertThat(promised).as("the worlds are interesting").isGreaterThan(WORLDS / 40);
        assertThat(refusals).as("the worlds are interesting").isGreaterThan(WORLDS / 40);
    }

    /** One node per partition, and a waiting job in each. */
    private static QuotaScenario worldOfTwoPartitions(final long seed) {
        final RandomGenerator random =
                RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        final String[] users = {"anna", "bob", "cleo", "dora"};
        final String[] partitions = {"main", "fast"};
        final int[] cores = {random.nextInt(8, 24), random.nextInt(8, 24)};
        final int[] free = cores.clone();
        final QuotaScenario scene = QuotaScenario.cluster(cores[0] + cores[1]);
        for (final String user : users) {
            scene.quota(user, random.nextInt(0, scene.cores() / 2));
        }
        for (int i = 0; i < 10; i++) {
            final int where = random.nextInt(2);
            final int size = random.nextInt(1, Math.max(2, cores[where] / 2));
            if (size <= free[where]) {
                free[where] -= size;
                scene.runs("r" + i, users[random.nextInt(users.length)], size, random.nextInt(1, 60), "n" + where)
                        .in(partitions[where]);
            }
        }
        for (int i = 0; i < 2; i++) {
            scene.nodeOf(partitions[i], "n" + i, cores[i], free[i]);
            scene.waits("w" + i, users[random.nextInt(users.length)], random.nextInt(1, cores[i]))
                    .in(partitions[i]);
        }
        return scene.order(VictimOrder.values()[random.nextInt(VictimOrder.values().length)]);
    }

    /** Without known nodes, only core counts matter. */
    private static Map<PartitionName, Integer> idle(final QuotaScenario scene) {
        final Map<PartitionName, Integer> idle = new HashMap<>();
        scene.view()
                .nodes()
                .forEach(node ->
                        idle.merge(node.partitions().getFirst(), node.free().cores(), Integer::sum));
        return idle.isEmpty()
                ? new HashMap<>(Map.of(
                        PartitionName.of("main"), scene.view().marker().free().cores()))
                : idle;
    }

    private static QuotaScenario world(final long seed) {
        return world(seed, 0);
    }

    /** @param blocked the share of waiting jobs that could not start now */
    private static QuotaScenario world(final long seed, final double blocked) {
        final RandomGenerator random =
                RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        final int cores = random.nextInt(8, 40);
        final QuotaScenario scene = QuotaScenario.cluster(cores);
        final String[] users = {"anna", "bob", "cleo", "dora"};
        for (final String user : users) {
            scene.quota(user, random.nextInt(0, cores / 2));
        }
        int used = 0;
        for (int i = 0; i < 10; i++) {
            final int size = random.nextInt(1, Math.max(2, cores / 3));
            if (used + size <= cores) {
                used += size;
                scene.runs("r" + i, users[random.nextInt(users.length)], size, random.nextInt(1, 60));
            }
        }
        for (int i = 0; i < random.nextInt(1, 6); i++) {
            scene.waits("w" + i, users[random.nextInt(users.length)], random.nextInt(1, Math.max(2, cores / 3)));
            if (blocked > 0 && random.nextDouble() < blocked) {
                scene.thatIs(NOT_NOW.get(random.nextInt(NOT_NOW.size())));
            }
        }
        return scene.order(VictimOrder.values()[random.nextInt(VictimOrder.values().length)]);
    }

    private void check(final long seed, final QuotaScenario scene) {
        final QuotaPlan plan = scene.plan();
        final Map<JobKey, Action.Reclaim> decided = plan.reclaims().stream()
                .map(Command::action)
                .map(Action.Reclaim.class::cast)
                .collect(Collectors.toMap(Action.Reclaim::beneficiary, reclaim -> reclaim));
        final List<Job> running = new ArrayList<>();
        final List<Job> fresh = new ArrayList<>();
        final List<JobObserved> waiting = new ArrayList<>();
        for (final JobObserved job : scene.view().jobs()) {
            if (job.state().isWaiting() && !job.isStartable()) {
                blocked++;
                assertThat(decided).as("seed %d: %s", seed, job).doesNotContainKey(job.job());
                assertThat(plan.vetoes()).as("seed %d: %s", seed, job).doesNotContainKey(job.job());
            } else if (job.state().isWaiting()) {
                waiting.add(job);
            } else {
                running.add(Job.of(job));
            }
        }
        waiting.sort(Comparator.comparingLong(
                        (JobObserved job) -> -plan.entitlements().get(job.job()).priority())
                .thenComparing(job -> job.job().submittedAt()));
        final Map<PartitionName, Integer> idleIn = idle(scene);
        for (final JobObserved job : waiting) {
            final int needed = job.resources().cores();
            final int idle = idleIn.getOrDefault(job.partition(), 0);
            final int used = cores(running, job.owner()) + cores(fresh, job.owner());
            final boolean within = needed + used <= scene.quotas.coresOf(job.owner(), QuotaScenario.ALPHA);
            if (within && needed <= idle) {
                // these cores are reserved for it.
                fresh.add(Job.of(job));
                idleIn.put(job.partition(), idle - needed);
                promised++;
            }
            final boolean wanted = within && !fresh.contains(Job.of(job));
            final boolean possible = wanted && someSetSuffices(scene, running, job, needed - idle);
            assertThat(decided.containsKey(job.job()))
                    .as("seed %d: %s", seed, job.job())
                    .isEqualTo(possible);
            assertThat(plan.vetoes().containsKey(job.job()))
                    .as("seed %d: %s", seed, job.job())
                    .isEqualTo(wanted && !possible);
            if (!possible) {
                refusals += wanted ? 1 : 0;
                continue;
            }
            reclaims++;
            final List<JobKey> victims = decided.get(job.job()).victims();
            final List<Job> taken =
                    running.stream().filter(r -> victims.contains(r.key())).toList();
            assertThat(taken).as("seed %d: victims run, each once", seed).hasSize(victims.size());
            assertThat(taken)
                    .as("seed %d: they run where the room is wanted", seed)
                    .allMatch(victim -> victim.in().equals(job.partition()));
            assertThat(allowed(scene, running, taken, job))
                    .as("seed %d: owners stay at quota", seed)
                    .isTrue();
            final int freed = taken.stream().mapToInt(Job::cores).sum();
            assertThat(freed + idle).as("seed %d: it fits at once", seed).isGreaterThanOrEqualTo(needed);
            for (final Job victim : taken) {
                assertThat(freed - victim.cores() + idle)
                        .as("seed %d: %s is needed", seed, victim)
                        .isLessThan(needed);
            }
            running.removeAll(taken);
            fresh.add(Job.of(job));
            idleIn.put(job.partition(), idle - Math.max(0, needed - freed));
        }
    }

    private static boolean someSetSuffices(
            final QuotaScenario scene, final List<Job> running, final JobObserved beneficiary, final int missing) {
        final List<Job> there = running.stream()
                .filter(job -> job.in().equals(beneficiary.partition()))
                .toList();
        for (int set = 1; set < 1 << there.size(); set++) {
            final List<Job> taken = new ArrayList<>();
            for (int j = 0; j < there.size(); j++) {
                if ((set >> j & 1) == 1) {
                    taken.add(there.get(j));
                }
            }
            if (taken.stream().mapToInt(Job::cores).sum() >= missing && allowed(scene, running, taken, beneficiary)) {
                return true;
            }
        }
        return false;
    }

    /** Only jobs of other users; the remaining jobs that are not wide fill the quota; wide jobs can always be preempted. */
    private static boolean allowed(
            final QuotaScenario scene, final List<Job> running, final List<Job> taken, final JobObserved beneficiary) {
        final Map<UserName, Integer> left = new HashMap<>();
        final Map<UserName, Boolean> touched = new HashMap<>();
        for (final Job job : running) {
            final boolean wide = job.cores() > scene.quotas.coresOf(job.owner(), QuotaScenario.ALPHA);
            if (!wide && taken.contains(job)) {
                touched.put(job.owner(), true);
            } else if (!wide) {
                left.merge(job.owner(), job.cores(), Integer::sum);
            }
        }
        return taken.stream().noneMatch(job -> job.owner().equals(beneficiary.owner()))
                && touched.keySet().stream()
                        .allMatch(owner ->
                                left.getOrDefault(owner, 0) >= scene.quotas.coresOf(owner, QuotaScenario.ALPHA));
    }

    private static int cores(final List<Job> jobs, final UserName owner) {
        return jobs.stream()
                .filter(job -> job.owner().equals(owner))
                .mapToInt(Job::cores)
                .sum();
    }
}
