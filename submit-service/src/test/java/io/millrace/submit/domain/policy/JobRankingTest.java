package io.millrace.submit.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PartitionReach;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.WeightedTerm;
import io.millrace.submit.domain.policy.JobRanking.Ranked;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobRankingTest {

    private static final PartitionName FAST = PartitionName.of("fast");
    private static final PartitionName SPAN = PartitionName.of("span");
    private static final PriorityRules RULES = PriorityRules.NONE.reaching(List.of(opens(5000, FAST, SPAN)));
    private static final PreviewRules USE_COUNTS = new PreviewRules(Map.of(PriorityTerm.USE, 8000), null);

    @Test
    void a_priority_that_passes_the_threshold_would_open_partitions_and_one_below_closes_them() {
        final WaitingJob rises = job(1, EntitlementLevel.BORROWED, use(80, 5000));
        final WaitingJob falls = reaching(job(2, EntitlementLevel.BORROWED, use(60, 9000)), FAST, SPAN);

        final List<Ranked> ranked = tried(USE_COUNTS, rises, falls);

        assertThat(ranked.getFirst().now().entitlement().reach()).containsExactly(FAST, SPAN);
        assertThat(ranked.getFirst().then().entitlement().reach()).isEmpty();
        assertThat(ranked.getLast().now().entitlement().reach()).isEmpty();
        assertThat(ranked.getLast().then().entitlement().priority()).isEqualTo(6400);
        assertThat(ranked.getLast().then().entitlement().reach()).containsExactly(FAST, SPAN);
    }

    @Test
    void openings_that_are_tried_take_the_place_of_those_in_force_and_the_cluster_must_have_the_partitions() {
        final WaitingJob job = job(1, EntitlementLevel.BORROWED, use(90, 5000));

        final List<Ranked> ranked =
                tried(new PreviewRules(Map.of(), List.of(opens(4000, SPAN, PartitionName.of("elsewhere")))), job);

        assertThat(ranked.getFirst().then().entitlement().priority()).isEqualTo(4500);
        assertThat(ranked.getFirst().then().entitlement().reach()).containsExactly(SPAN);
    }

    @Test
    void who_is_held_reaches_nothing_and_who_comes_last_for_a_used_up_budget_stays_last() {
        final WaitingJob held = job(1, EntitlementLevel.HELD, use(100, 5000));
        final WaitingJob last = new WaitingJob(
                observed(2), new Entitlement(key(2), EntitlementLevel.BORROWED, -1_000_000, "budget of anna is used up"));
        final WaitingJob large = job(3, EntitlementLevel.BORROWED, new WeightedTerm(PriorityTerm.SIZE, 100, -200));

        final List<Ranked> ranked = tried(USE_COUNTS, held, last, large);

        assertThat(ranked).extracting(each -> each.now().job().job()).containsExactly(key(3), key(2), key(1));
        assertThat(ranked.get(1).thenRank()).isEqualTo(2);
        assertThat(ranked.get(1).then().entitlement().priority()).isEqualTo(-1_000_000);
        assertThat(ranked.getLast().then().entitlement().reach()).isEmpty();
    }

    @Test
    void other_factors_are_found_from_what_is_known_of_the_job() {
        final WaitingJob job = job(
                1,
                EntitlementLevel.BORROWED,
                new WeightedTerm(PriorityTerm.AGE, 28, 1000),
                new WeightedTerm(PriorityTerm.CLASS, 50, 200),
                use(60, 10));
        final WaitingJob plain = job(2, EntitlementLevel.BORROWED, new WeightedTerm(PriorityTerm.CLASS, 50, 200));
        final PreviewRules trial = new PreviewRules(
                Map.of(PriorityTerm.PROJECT, 500),
                Duration.ofDays(4),
                Map.of("wide", 10, "long", 70),
                null,
                Map.of(ProjectName.of("physics"), 80),
                null);

        final List<Ranked> ranked = tried(trial, job, plain);

        assertThat(ranked.getFirst().then().terms())
                .containsExactly(
                        new WeightedTerm(PriorityTerm.AGE, 50, 1000),
                        use(60, 10),
                        new WeightedTerm(PriorityTerm.CLASS, 70, 200),
                        new WeightedTerm(PriorityTerm.PROJECT, 80, 500));
        assertThat(ranked.getLast().then().terms())
                .as("in no class; its age was 0 at the last plan")
                .extracting(WeightedTerm::term)
                .containsExactly(PriorityTerm.AGE, PriorityTerm.PROJECT);
    }

    private static List<Ranked> tried(final PreviewRules trial, final WaitingJob... jobs) {
        return JobRanking.of(
                List.of(jobs),
                new PriorityPreview(
                        trial,
                        RULES,
                        Set.of(PartitionName.of("main"), FAST, SPAN),
                        job -> job.equals(key(1)) ? List.of("wide", "long") : List.of(),
                        Instant.parse("2026-03-04T11:01:00Z")));
    }

    private static PartitionReach opens(final long at, final PartitionName... to) {
        return new PartitionReach(null, null, at, List.of(to));
    }

    private static WeightedTerm use(final int percent, final int weight) {
        return new WeightedTerm(PriorityTerm.USE, percent, weight);
    }

    private static WaitingJob job(final int number, final EntitlementLevel right, final WeightedTerm... terms) {
        return new WaitingJob(
                observed(number),
                new Entitlement(key(number), right, 0, "4 cores")
                        .weighed(Stream.of(terms).toList()));
    }

    private static WaitingJob reaching(final WaitingJob job, final PartitionName... partitions) {
        return new WaitingJob(job.job(), job.entitlement().reaching(List.of(partitions)));
    }

    private static JobKey key(final int number) {
        return JobKey.of("alpha/" + number + "@2026-03-02T11:0" + number + ":00Z");
    }

    private static JobObserved observed(final int number) {
        return new JobObserved(
                key(number),
                "mesh",
                UserName.of("anna"),
                ProjectName.of("physics"),
                PartitionName.of("main"),
                new JobState.Queued(),
                null,
                Resources.cores(4),
                null,
                null,
                null,
                0,
                0,
                new CheckpointMethod.None());
    }
}
