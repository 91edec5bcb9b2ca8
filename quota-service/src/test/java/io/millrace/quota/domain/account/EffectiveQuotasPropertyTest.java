package io.millrace.quota.domain.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.plan.QuotaPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/**
 * on random trees, against a naive implementation that sums up all running jobs for each answer. A failing seed is printed.
 */
class EffectiveQuotasPropertyTest {

    private static final int WORLDS = 2000;
    private static final List<String> USERS = List.of("anna", "bob", "cleo");
    private static final List<String> PROJECTS = List.of("physics", "chemistry");

    /** Quotas and groups in plain maps. */
    private record World(
            QuotaScenario scene,
            Map<String, Integer> here,
            Map<String, Integer> everywhere,
            Map<String, String> above) {}

    private record Running(JobObserved job, Instant since) {}

    private int guaranteed;
    private int borrowed;

    @Test
    void entitlements_equal_those_of_the_naive_rules() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            check(seed);
        }
        assertThat(guaranteed).as("the worlds are interesting").isGreaterThan(WORLDS / 4);
        assertThat(borrowed).as("the worlds are interesting").isGreaterThan(WORLDS / 4);
    }

    private static World world(final long seed) {
        final RandomGenerator random =
                RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        final World world = new World(QuotaScenario.cluster(200), new HashMap<>(), new HashMap<>(), new HashMap<>());
        tree(world, random);
        final List<String> holders = new ArrayList<>(USERS);
        PROJECTS.forEach(project -> holders.add("project:" + project));
        holders.addAll(List.of("group:science", "group:all"));
        for (final String holder : holders) {
            if (random.nextInt(3) > 0) {
                final int cores = random.nextInt(0, 24);
                world.here.put(holder, cores);
                world.scene.quotaOf(holder, cores);
            }
            if (random.nextInt(4) == 0) {
                final int cores = random.nextInt(0, 32);
                world.everywhere.put(holder, cores);
                world.scene.quotaEverywhere(holder, cores);
            }
        }
        for (int i = 0; i < 8; i++) {
            world.scene.runs("r" + i, USERS.get(random.nextInt(3)), random.nextInt(1, 12), random.nextInt(1, 60));
            project(world, random);
        }
        for (int i = 0; i < 4; i++) {
            world.scene.waits("w" + i, USERS.get(random.nextInt(3)), random.nextInt(1, 10));
            project(world, random);
        }
        return world;
    }

    private static void tree(final World world, final RandomGenerator random) {
        final List<String> science = new ArrayList<>();
        for (final String member : List.of("anna", "bob", "project:physics")) {
            if (random.nextBoolean()) {
                science.add(member);
                world.above.put(member, "group:science");
            }
        }
        world.scene.group("science", science.toArray(String[]::new));
        if (random.nextBoolean()) {
            world.scene.group("all", "group:science", "cleo");
            world.above.put("group:science", "group:all");
            world.above.put("cleo", "group:all");
        }
    }

    private static void project(final World world, final RandomGenerator random) {
        final int which = random.nextInt(3);
        if (which < 2) {
            world.scene.forProject(PROJECTS.get(which));
        }
    }

    private void check(final long seed) {
        final World world = world(seed);
        final QuotaPlan plan = world.scene.plan();
        final List<Running> running = new ArrayList<>();
        final List<JobObserved> waiting = new ArrayList<>();
        for (final JobObserved job : world.scene.view().jobs()) {
            if (job.state() instanceof JobState.Running run) {
                running.add(new Running(job, run.startedAt()));
            } else {
                waiting.add(job);
            }
        }
        running.sort(Comparator.comparing(Running::since)
                .thenComparing(one -> one.job().job(), JobKey.BY_SUBMISSION.reversed()));
        waiting.sort(Comparator.comparing(JobObserved::job, JobKey.BY_SUBMISSION));
        final Map<Running, Integer> claims = claims(world, running);
        final List<JobObserved> promised = new ArrayList<>();
        for (final JobObserved job : waiting) {
            final boolean within =
                    quotas(world, job).keySet().stream().allMatch(quota -> admits(world, quota, job, claims, promised));
            assertThat(plan.entitlements().get(job.job()).level())
                    .as("seed %d: %s", seed, job.job())
                    .isEqualTo(within ? EntitlementLevel.GUARANTEED : EntitlementLevel.BORROWED);
            if (within) {
                promised.add(job);
                guaranteed++;
            } else {
                borrowed++;
            }
        }
    }

    /** Oldest first, each job claims from every quota above it what earlier jobs have left. */
    private static Map<Running, Integer> claims(final World world, final List<Running> running) {
        final Map<Running, Integer> claims = new HashMap<>();
        for (final Running one : running) {
            final Map<String, Integer> above = quotas(world, one.job());
            int most = one.job().resources().cores();
            for (final Map.Entry<String, Integer> quota : above.entrySet()) {
                if (one.job().resources().cores() > quota.getValue()) {
                    most = 0;
                }
                most = Math.min(most, quota.getValue() - claimed(world, quota.getKey(), claims));
            }
            claims.put(one, most);
        }
        return claims;
    }

    private static int claimed(final World world, final String quota, final Map<Running, Integer> claims) {
        return claims.entrySet().stream()
                .filter(claim -> quotas(world, claim.getKey().job()).containsKey(quota))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** Use of the account, claims of others, reservations of earlier jobs, and the job itself. */
    private static boolean admits(
            final World world,
            final String quota,
            final JobObserved job,
            final Map<Running, Integer> claims,
            final List<JobObserved> promised) {
        int sum = job.resources().cores();
        for (final Map.Entry<Running, Integer> claim : claims.entrySet()) {
            final JobObserved other = claim.getKey().job();
            if (account(world, other).equals(account(world, job))) {
                sum += other.resources().cores();
            } else if (quotas(world, other).containsKey(quota)) {
                sum += claim.getValue();
            }
        }
        for (final JobObserved other : promised) {
            if (quotas(world, other).containsKey(quota)) {
                sum += other.resources().cores();
            }
        }
        return sum <= quotas(world, job).get(quota);
    }

    private static String account(final World world, final JobObserved job) {
        final boolean counted = job.project() != null
                && path(world, "project:" + job.project()).stream()
                        .anyMatch(holder -> world.here.containsKey(holder) || world.everywhere.containsKey(holder));
        return job.owner() + (counted ? "/" + job.project() : "");
    }

    private static Map<String, Integer> quotas(final World world, final JobObserved job) {
        final List<String> holders = new ArrayList<>(path(world, job.owner().value()));
        if (job.project() != null) {
            holders.addAll(path(world, "project:" + job.project()));
        }
        final Map<String, Integer> quotas = new HashMap<>();
        for (final String holder : holders) {
            if (world.here.containsKey(holder)) {
                quotas.put("here/" + holder, world.here.get(holder));
            }
            if (world.everywhere.containsKey(holder)) {
                quotas.put("*/" + holder, world.everywhere.get(holder));
            }
        }
        if (quotas.isEmpty()) {
            quotas.put("default/" + job.owner(), 0);
        }
        return quotas;
    }

    private static List<String> path(final World world, final String holder) {
        final List<String> path = new ArrayList<>();
        for (String next = holder; next != null; next = world.above.get(next)) {
            path.add(next);
        }
        return path;
    }
}
