package io.millrace.quota.domain.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.preemption.UpqppRules;
import io.millrace.quota.domain.preemption.VictimOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Compares the planner in mode paper with a transcription of the published pseudo-code. A failing seed is printed. */
class PaperModeTest {

    private static final int WORLDS = 3000;

    private record Running(JobKey key, String owner, int cores, int startedMinutesAgo) {}

    private final Map<JobKey, List<JobKey>> wanted = new HashMap<>();
    private final List<Running> running = new ArrayList<>();
    private QuotaScenario scene = QuotaScenario.cluster(1);

    @Test
    void the_planner_chooses_the_victims_of_the_published_pseudo_code() {
        int reclaims = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            world(seed);
            transcription();
            final Map<JobKey, List<JobKey>> decided = new HashMap<>();
            scene.plan().reclaims().forEach(command -> {
                final Action.Reclaim reclaim = (Action.Reclaim) command.action();
                decided.put(reclaim.beneficiary(), reclaim.victims());
            });
            assertThat(decided).as("seed %d", seed).isEqualTo(wanted);
            reclaims += decided.size();
        }
        assertThat(reclaims).as("the worlds are interesting").isGreaterThan(WORLDS / 40);
    }

    @Test
    void exactly_as_many_idle_cores_as_needed_are_not_enough_for_the_published_rules() {
        final QuotaScenario even = QuotaScenario.cluster(8).quota("anna", 4).quota("bob", 0);
        even.policy = even.policy.with(UpqppRules.PAPER);
        even.runs("b1", "bob", 2, 5).runs("b2", "bob", 2, 10).waits("a", "anna", 4);

        assertThat(even.plan().reclaims()).isEmpty();
        assertThat(even.plan().vetoes().get(even.key("a")).code()).isEqualTo(VetoCode.PREEMPTION_INSUFFICIENT.code());
        even.policy = even.policy.with(UpqppRules.DEFAULT);
        assertThat(even.plan().vetoes()).as("our rules: it fits").isEmpty();
    }

    private void world(final long seed) {
        final RandomGenerator random =
                RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        final int cores = random.nextInt(8, 40);
        scene = QuotaScenario.cluster(cores);
        scene.policy = scene.policy.with(UpqppRules.PAPER).with(VictimOrder.values()[random.nextInt(4)]);
        running.clear();
        final String[] users = {"anna", "bob", "cleo", "dora"};
        for (final String user : users) {
            scene.quota(user, random.nextInt(0, cores / 2));
        }
        int used = 0;
        for (int i = 0; i < 12; i++) {
            final int size = random.nextInt(1, Math.max(2, cores / 4));
            if (used + size <= cores) {
                used += size;
                final String owner = users[random.nextInt(users.length)];
                final int age = random.nextInt(1, 60);
                scene.runs("r" + i, owner, size, age);
                running.add(new Running(scene.key("r" + i), owner, size, age));
            }
        }
        for (int i = 0; i < random.nextInt(1, 5); i++) {
            scene.waits("w" + i, users[random.nextInt(users.length)], random.nextInt(1, Math.max(2, cores / 3)));
        }
    }

    /** while (a job waits): the order of jobs is that of their entitlements, which the paper does not define. */
    private void transcription() {
        wanted.clear();
        final var rights = scene.plan().entitlements();
        final List<JobObserved> queue = scene.view().jobs().stream()
                .filter(job -> job.state().isWaiting())
                .sorted(Comparator.comparingLong(
                                (JobObserved job) -> -rights.get(job.job()).priority())
                        .thenComparing(job -> job.job().submittedAt()))
                .toList();
        int idle = scene.view().marker().free().cores();
        final List<Running> occupants = new ArrayList<>(running);
        final List<Running> started = new ArrayList<>();
        for (final JobObserved job : queue) {
            final int needed = job.resources().cores();
            final String owner = job.owner().value();
            if (idle > needed) {
                idle -= needed; // The scheduler starts it, not a reclaim.
                started.add(new Running(job.job(), owner, needed, 0));
                continue;
            }
            if (needed + use(occupants, owner) + use(started, owner) > quota(owner)) {
                continue;
            }
            final List<Running> victims = new ArrayList<>();
            int freed = 0;
            final List<Running> left = new ArrayList<>(occupants);
            for (final Running candidate : occupants.stream().sorted(order()).toList()) {
                if (freed > needed) {
                    break;
                }
                final int afterwards =
                        use(left, candidate.owner()) + use(started, candidate.owner()) - candidate.cores();
                if (!candidate.owner().equals(owner) && afterwards > quota(candidate.owner())) {
                    victims.add(candidate);
                    left.remove(candidate);
                    freed += candidate.cores();
                }
            }
            if (freed > needed) {
                wanted.put(job.job(), victims.stream().map(Running::key).toList());
                occupants.removeAll(victims);
                idle += freed - needed;
                started.add(new Running(job.job(), owner, needed, 0));
            }
        }
    }

    private Comparator<Running> order() {
        final Comparator<Running> order = switch (scene.policy.order()) {
            case NEWEST_FIRST -> Comparator.comparingInt(Running::startedMinutesAgo);
            case OLDEST_FIRST ->
                Comparator.comparingInt(Running::startedMinutesAgo).reversed();
            case FEWEST_CORES_FIRST -> Comparator.comparingInt(Running::cores);
            case MOST_CORES_FIRST -> Comparator.comparingInt(Running::cores).reversed();
            case LEAST_LOSS, SMALLEST_SUFFICIENT_FIRST ->
                throw new IllegalStateException("the paper names time and cores alone");
        };
        return order.thenComparing(
                Comparator.comparing((Running job) -> job.key().submittedAt()).reversed());
    }

    private int quota(final String owner) {
        return scene.quotas.coresOf(io.millrace.model.UserName.of(owner), QuotaScenario.ALPHA);
    }

    private static int use(final List<Running> jobs, final String owner) {
        return jobs.stream()
                .filter(job -> job.owner().equals(owner))
                .mapToInt(Running::cores)
                .sum();
    }
}
