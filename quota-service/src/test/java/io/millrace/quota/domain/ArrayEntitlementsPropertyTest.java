package io.millrace.quota.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.UserName;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.Capability;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetGrant.Exhausted;
import io.millrace.model.quota.BudgetGrant.Refill;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.BudgetUsage;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.budget.Tariff;
import io.millrace.quota.domain.priority.JobPriorities;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Quotas with limits on borrowing and lending, processor-hour limits and budgets on random clusters: the entitlement of an array covers as
 * many tasks as would get the entitlement of the first if each task were a job of its own. A failing seed is printed.
 */
class ArrayEntitlementsPropertyTest {

    private static final int WORLDS = 2000;
    private static final int CORES = 200;
    private static final List<String> USERS = List.of("anna", "bob", "cleo");

    private int several;
    private int limited;

    @Test
    void an_array_is_entitled_as_its_tasks_would_be() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            check(seed);
        }
        assertThat(several).as("the worlds are interesting").isGreaterThan(WORLDS / 10);
        assertThat(limited).as("the worlds are interesting").isGreaterThan(WORLDS / 10);
    }

    private void check(final long seed) {
        final int tasks = random(seed).nextInt(2, 16);
        final Exhausted exhausted = Exhausted.values()[random(seed + WORLDS).nextInt(3)];
        final QuotaScenario together = world(seed, exhausted, scene -> scene.array(tasks));
        final QuotaScenario apart = world(seed, exhausted, scene -> {});
        final int cores = together.view().job(together.key("a")).resources().cores();
        final String owner = together.view().job(together.key("a")).owner().value();
        final QuotaScenario expanded = world(
                seed,
                exhausted,
                scene -> IntStream.range(1, tasks).forEach(task -> scene.waits("a" + task, owner, cores)));

        final Entitlement array = together.plan().entitlements().get(together.key("a"));
        assertThat(array.level())
                .as("seed %d: the level of the next task", seed)
                .isEqualTo(apart.plan().entitlements().get(apart.key("a")).level());
        if (array.level() == EntitlementLevel.HELD) {
            assertThat(array.tasks()).as("seed %d", seed).isNull();
            return;
        }
        final int covered = ArrayIndices.count(array.tasks());
        final int alike = alike(expanded, tasks);
        if (exhausted == Exhausted.BORROW) {
            // Borrowed because of its budget, it counts towards the quota, too.
            assertThat(covered).as("seed %d", seed).isLessThanOrEqualTo(alike);
        } else {
            assertThat(covered).as("seed %d", seed).isEqualTo(alike);
        }
        assertThat(ArrayIndices.read(array.tasks()).boxed())
                .as("seed %d: the next tasks", seed)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, covered).boxed().toList());
        several += covered > 1 ? 1 : 0;
        limited += covered < tasks ? 1 : 0;
    }

    /** How many of the jobs, from the first on, have the level and the priority of the first. */
    private static int alike(final QuotaScenario expanded, final int tasks) {
        final Map<?, Entitlement> all = expanded.plan().entitlements();
        final Entitlement first = all.get(expanded.key("a"));
        int alike = 1;
        while (alike < tasks && isAlike(first, all.get(expanded.key("a" + alike)))) {
            alike++;
        }
        return alike;
    }

    private static boolean isAlike(final Entitlement one, final Entitlement other) {
        return one.level() == other.level()
                && (one.priority() == JobPriorities.LAST) == (other.priority() == JobPriorities.LAST);
    }

    private static RandomGenerator random(final long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** @param afterA adds what comes directly behind job {@code a} in the queue */
    private static QuotaScenario world(
            final long seed, final Exhausted exhausted, final Consumer<QuotaScenario> afterA) {
        final RandomGenerator random = random(~seed);
        final QuotaScenario scene = QuotaScenario.cluster(CORES).offering(Capability.START_TASKS);
        for (final String holder : List.of("anna", "bob", "cleo", "project:physics", "group:all")) {
            if (random.nextInt(3) > 0) {
                scene.quotaOf(
                        holder, random.nextInt(0, 40), new QuotaTerms(null, limit(random), limit(random), List.of()));
            }
        }
        scene.group("all", "anna", "bob");
        for (int i = 0; i < 5; i++) {
            scene.runs("r" + i, USERS.get(random.nextInt(3)), random.nextInt(1, 30), random.nextInt(1, 60));
            project(scene, random);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            scene.waits("w" + i, USERS.get(random.nextInt(3)), random.nextInt(1, 10));
            project(scene, random);
        }
        scene.waits("a", USERS.get(random.nextInt(3)), random.nextInt(1, 12));
        afterA.accept(scene);
        scene.waits("z", USERS.get(random.nextInt(3)), random.nextInt(1, 10));
        limits(scene, random, exhausted);
        return scene;
    }

    private static Integer limit(final RandomGenerator random) {
        return random.nextInt(3) == 0 ? random.nextInt(0, 40) : null;
    }

    private static void project(final QuotaScenario scene, final RandomGenerator random) {
        if (random.nextInt(3) == 0) {
            scene.forProject("physics");
        }
    }

    private static void limits(final QuotaScenario scene, final RandomGenerator random, final Exhausted exhausted) {
        if (random.nextInt(3) == 0) {
            final long core_s = random.nextInt(1, 120) * 3600L;
            scene.policy = scene.policy.with(new ProcessorHourRules(
                    new ProcessorHourLimits(Optional.of(core_s), Map.of(), Map.of(), GroupMemberships.NONE),
                    false,
                    false,
                    random.nextBoolean()));
        }
        if (random.nextInt(3) == 0) {
            final BudgetGrant grant = new BudgetGrant(
                    PeriodKind.MONTH, random.nextInt(1, 120) * 3600L, null, Refill.AT_START, 0, exhausted, false);
            final BudgetRules rules = new BudgetRules(
                    ZoneId.of("UTC"),
                    Tariff.FLAT,
                    Map.of(QuotaHolder.of(UserName.of("anna")), List.of(grant)),
                    List.of(),
                    GroupMemberships.NONE,
                    BudgetRules.CLOSE_AFTER);
            scene.budgets = new Budgets(rules, new BudgetUsage(rules));
        }
    }
}
