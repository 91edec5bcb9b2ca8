package io.millrace.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.Estimate;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.backfill.domain.SiteSettings;
import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.decide.Changes;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Plan;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** On random live clusters, each decision can be executed. */
class PlanStartsRandomTest {

    private static final int SEEDS = 10;
    private static final int STEPS = 40;
    private static final SiteSettings LICENCES = new SiteSettings(Map.of("matlab", 2), List.of());
    private static final BackfillPolicy CUTTING = BackfillPolicy.EASY
            .keepsHead(true)
            .preemption(CheckpointPreemptionPolicy.PUBLISHED.costs(60, 60).checkpointAhead(true));

    @Test
    void easy_with_a_head_job_that_keeps_its_reservation() {
        decidesSoundly(BackfillPolicy.EASY.keepsHead(true), SiteSettings.NONE);
    }

    @Test
    void strict_order() {
        decidesSoundly(BackfillPolicy.STRICT_FCFS, LICENCES);
    }

    @Test
    void orders_and_estimates_that_change_with_the_run_time_history() {
        decidesSoundly(
                new BackfillPolicy(JobOrder.SJF, 1).estimate(Estimate.CLASS).keepsHead(true), LICENCES);
        decidesSoundly(
                new BackfillPolicy(JobOrder.COMPACT, 1)
                        .candidates(JobOrder.RECENT)
                        .keepsHead(true),
                SiteSettings.NONE);
        decidesSoundly(new BackfillPolicy(JobOrder.FCFS, 1).candidates(JobOrder.SMALLEST), SiteSettings.NONE);
    }

    @Test
    void jobs_that_are_preempted() {
        decidesSoundly(CUTTING, LICENCES);
        decidesSoundly(
                CUTTING.preemption(
                        CheckpointPreemptionPolicy.PUBLISHED.learned(true).maxPreemptedShare(0.3)),
                SiteSettings.NONE);
    }

    @Test
    void several_reservations_and_maintenance_windows() {
        decidesSoundly(BackfillPolicy.EASY.reservations(3), LICENCES);
        decidesSoundly(BackfillPolicy.CONSERVATIVE_FCFS, SiteSettings.NONE);
        decidesSoundly(
                BackfillPolicy.EASY,
                new SiteSettings(
                        Map.of(),
                        List.of(new MaintenanceWindow(1_772_460_000, 1_772_470_000, 16, null, List.of(), "repair"))));
    }

    private static void decidesSoundly(final BackfillPolicy policy, final SiteSettings site) {
        final PlannerSettings rules = new PlannerSettings(policy, Map.of(ClusterId.of("alpha"), site));
        int startedTogether = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            final PlanStarts planner = new PlanStarts(rules);
            final RandomLiveCluster world = new RandomLiveCluster(seed, seed % 3 == 0 ? 80 : 12, List.of(planner));
            for (int step = 0; step < STEPS; step++) {
                final Changes changes = planner.decide(world.now());
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
