package io.millrace.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.Cutting;
import io.millrace.backfill.domain.Estimate;
import io.millrace.backfill.domain.Order;
import io.millrace.backfill.domain.Site;
import io.millrace.backfill.domain.StartRules;
import io.millrace.backfill.domain.Window;
import io.millrace.model.ClusterId;
import io.millrace.model.command.Command;
import io.millrace.model.view.Changes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Books that are kept from revision to revision decide and say what books made from scratch do, whatever happens. */
class PlanStartsRandomTest {

    private static final int SEEDS = 10;
    private static final int STEPS = 40;
    private static final Site LICENCES = new Site(Map.of("matlab", 2), List.of());
    private static final BackfillPolicy CUTTING = BackfillPolicy.EASY
            .keepsHead(true)
            .cutting(Cutting.PUBLISHED.costs(60, 60).ahead(true));

    @Test
    void easy_with_a_head_that_keeps_its_reservation() {
        sameAsFromScratch(BackfillPolicy.EASY.keepsHead(true), Site.NONE);
    }

    @Test
    void strict_order() {
        sameAsFromScratch(BackfillPolicy.STRICT_FCFS, LICENCES);
    }

    @Test
    void orders_and_estimates_that_move_with_what_runs_teach() {
        sameAsFromScratch(
                new BackfillPolicy(Order.SJF, 1).estimate(Estimate.CLASS).keepsHead(true), LICENCES);
        sameAsFromScratch(
                new BackfillPolicy(Order.COMPACT, 1).candidates(Order.RECENT).keepsHead(true), Site.NONE);
        sameAsFromScratch(new BackfillPolicy(Order.FCFS, 1).candidates(Order.SMALLEST), Site.NONE);
    }

    @Test
    void jobs_that_are_cut() {
        sameAsFromScratch(CUTTING, LICENCES);
        sameAsFromScratch(CUTTING.cutting(Cutting.PUBLISHED.learned(true).share(0.3)), Site.NONE);
    }

    @Test
    void several_reservations_and_windows() {
        sameAsFromScratch(BackfillPolicy.EASY.reservations(3), LICENCES);
        sameAsFromScratch(BackfillPolicy.CONSERVATIVE_FCFS, Site.NONE);
        sameAsFromScratch(
                BackfillPolicy.EASY,
                new Site(Map.of(), List.of(new Window(1_772_460_000, 1_772_470_000, 16, null, "repair"))));
    }

    private static void sameAsFromScratch(final BackfillPolicy policy, final Site site) {
        final Rules rules = new Rules(policy, StartRules.DEFAULT, Map.of(ClusterId.of("alpha"), site));
        for (long seed = 0; seed < SEEDS; seed++) {
            final PlanStarts kept = new PlanStarts(rules);
            final PlanStarts fresh = new PlanStarts(rules);
            // Long queues too: in them an outlook sets many landmarks.
            final LiveWorld world = new LiveWorld(seed, seed % 3 == 0 ? 80 : 12, List.of(kept, fresh));
            for (int step = 0; step < STEPS; step++) {
                fresh.forgetBooks();
                final Changes changes = kept.decide(world.now());
                final Changes expected = fresh.decide(world.now());
                assertThat(commands(changes)).as("seed %d, step %d", seed, step).isEqualTo(commands(expected));
                assertThat(new HashSet<>(changes.events()))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(new HashSet<>(expected.events()));
                assertThat(new HashSet<>(changes.removals()))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(new HashSet<>(expected.removals()));
                assertThat(kept.lookAgain()).as("seed %d, step %d", seed, step).isEqualTo(fresh.lookAgain());
                world.carryOut(changes);
                world.happens();
            }
        }
    }

    private static List<Command> commands(final Changes changes) {
        return changes.events().stream()
                .filter(Command.class::isInstance)
                .map(Command.class::cast)
                .toList();
    }
}
