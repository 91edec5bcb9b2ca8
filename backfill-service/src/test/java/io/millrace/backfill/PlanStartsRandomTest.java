package io.millrace.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.backfill.domain.job.Estimate;
import io.millrace.backfill.domain.job.JobOrder;
import io.millrace.backfill.domain.live.SiteSettings;
import io.millrace.backfill.domain.live.StartSettings;
import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.backfill.domain.planner.CheckpointPreemptionPolicy;
import io.millrace.decide.Changes;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Plan;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** State that is kept between revisions leads to the same decisions and plans as planning from scratch. */
class PlanStartsRandomTest {

    private static final int SEEDS = 10;
    private static final int STEPS = 40;
    private static final SiteSettings LICENCES = new SiteSettings(Map.of("matlab", 2), List.of());
    private static final BackfillPolicy CUTTING = BackfillPolicy.EASY
            .keepsHead(true)
            .preemption(CheckpointPreemptionPolicy.PUBLISHED.costs(60, 60).checkpointAhead(true));

    @Test
    void easy_with_a_head_job_that_keeps_its_reservation() {
        sameAsFromScratch(BackfillPolicy.EASY.keepsHead(true), SiteSettings.NONE);
    }

    @Test
    void strict_order() {
        sameAsFromScratch(BackfillPolicy.STRICT_FCFS, LICENCES);
    }

    @Test
    void orders_and_estimates_that_change_with_the_run_time_history() {
        sameAsFromScratch(
                new BackfillPolicy(JobOrder.SJF, 1).estimate(Estimate.CLASS).keepsHead(true), LICENCES);
        sameAsFromScratch(
                new BackfillPolicy(JobOrder.COMPACT, 1)
                        .candidates(JobOrder.RECENT)
                        .keepsHead(true),
                SiteSettings.NONE);
        sameAsFromScratch(new BackfillPolicy(JobOrder.FCFS, 1).candidates(JobOrder.SMALLEST), SiteSettings.NONE);
    }

    @Test
    void jobs_that_are_preempted() {
        sameAsFromScratch(CUTTING, LICENCES);
        sameAsFromScratch(
                CUTTING.preemption(
                        CheckpointPreemptionPolicy.PUBLISHED.learned(true).maxPreemptedShare(0.3)),
                SiteSettings.NONE);
    }

    @Test
    void several_reservations_and_maintenance_windows() {
        sameAsFromScratch(BackfillPolicy.EASY.reservations(3), LICENCES);
        sameAsFromScratch(BackfillPolicy.CONSERVATIVE_FCFS, SiteSettings.NONE);
        sameAsFromScratch(
                BackfillPolicy.EASY,
                new SiteSettings(
                        Map.of(),
                        List.of(new MaintenanceWindow(1_772_460_000, 1_772_470_000, 16, null, List.of(), "repair"))));
    }

    private static void sameAsFromScratch(final BackfillPolicy policy, final SiteSettings site) {
        final PlannerSettings rules =
                new PlannerSettings(policy, StartSettings.DEFAULT, Map.of(ClusterId.of("alpha"), site));
        int startedTogether = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            final PlanStarts kept = new PlanStarts(rules);
            final PlanStarts fresh = new PlanStarts(rules);
            // Long queues too, so that start estimates save many projections.
            final RandomLiveCluster world = new RandomLiveCluster(seed, seed % 3 == 0 ? 80 : 12, List.of(kept, fresh));
            for (int step = 0; step < STEPS; step++) {
                fresh.reset();
                final Changes changes = kept.decide(world.now());
                final Changes expected = fresh.decide(world.now());
                assertThat(commands(changes)).as("seed %d, step %d", seed, step).isEqualTo(commands(expected));
                assertThat(new HashSet<>(changes.events()))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(new HashSet<>(expected.events()));
                assertThat(new HashSet<>(changes.removals()))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(new HashSet<>(expected.removals()));
                assertThat(startedOrReserved(changes))
                        .as("seed %d, step %d: each could start now", seed, step)
                        .allMatch(world::couldStart);
                assertThat(starts(changes)).as("seed %d, step %d", seed, step).allMatch(world::mayStart);
                assertThat(world.cores(starts(changes)))
                        .as("seed %d, step %d: cores of one decision", seed, step)
                        .isLessThanOrEqualTo(world.idleCores());
                startedTogether += starts(changes).stream()
                        .mapToInt(start -> start.count() - 1)
                        .sum();
                assertThat(kept.replanAt()).as("seed %d, step %d", seed, step).isEqualTo(fresh.replanAt());
                world.carryOut(changes);
                world.happens();
            }
        }
        assertThat(startedTogether).as("the worlds are interesting").isGreaterThan(SEEDS);
    }

    private static List<Action.Start> starts(final Changes changes) {
        return commands(changes).stream()
                .map(Command::action)
                .filter(Action.Start.class::isInstance)
                .map(Action.Start.class::cast)
                .toList();
    }

    private static List<JobKey> startedOrReserved(final Changes changes) {
        return changes.events().stream()
                .flatMap(event -> switch (event) {
                    case Command command when command.action() instanceof Action.Start start -> Stream.of(start.job());
                    case Plan plan when plan.isReserved() && plan.job() instanceof JobKey job -> Stream.of(job);
                    default -> Stream.<JobKey>empty();
                })
                .toList();
    }

    private static List<Command> commands(final Changes changes) {
        return changes.events().stream()
                .filter(Command.class::isInstance)
                .map(Command.class::cast)
                .toList();
    }
}
