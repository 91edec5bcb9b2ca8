package io.millrace.submit.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PartitionOverflow;
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
    private static final PriorityRules RULES = PriorityRules.NONE.withOverflow(List.of(opens(5000, FAST, SPAN)));
    private static final PreviewRules USE_COUNTS = new PreviewRules(Map.of(PriorityTerm.USE, 8000), null);

    @Test
    void a_priority_at_the_threshold_opens_partitions_and_a_lower_one_does_not() {
        final WaitingJob rises = job(1, EntitlementLevel.BORROWED, use(80, 5000));
        final WaitingJob falls = overflowing(job(2, EntitlementLevel.BORROWED, use(60, 9000)), FAST, SPAN);

        final List<Ranked> ranked = tried(USE_COUNTS, rises, falls);

        assertThat(ranked.getFirst().current().entitlement().otherPartitions()).containsExactly(FAST, SPAN);
        assertThat(ranked.getFirst().preview().entitlement().otherPartitions()).isEmpty();
        assertThat(ranked.getLast().current().entitlement().otherPartitions()).isEmpty();
        assertThat(ranked.getLast().preview().entitlement().priority()).isEqualTo(6400);
        assertThat(ranked.getLast().preview().entitlement().otherPartitions()).containsExactly(FAST, SPAN);
    }

    @Test
    void previewed_rules_replace_those_in_force_and_need_existing_partitions() {
        final WaitingJob job = job(1, EntitlementLevel.BORROWED, use(90, 5000));

        final List<Ranked> ranked =
                tried(new PreviewRules(Map.of(), List.of(opens(4000, SPAN, PartitionName.of("elsewhere")))), job);

        assertThat(ranked.getFirst().preview().entitlement().priority()).isEqualTo(4500);
        assertThat(ranked.getFirst().preview().entitlement().otherPartitions()).containsExactly(SPAN);
    }

    @Test
    void a_held_job_gets_no_partitions_and_a_job_with_an_exhausted_budget_stays_last() {
        final WaitingJob held = job(1, EntitlementLevel.HELD, use(100, 5000));
        final WaitingJob last = new WaitingJob(
                observed(2),
                new Entitlement(key(2), EntitlementLevel.BORROWED, -1_000_000, "budget of anna is used up"));
        final WaitingJob large = job(3, EntitlementLevel.BORROWED, new WeightedTerm(PriorityTerm.SIZE, 100, -200));

        final List<Ranked> ranked = tried(USE_COUNTS, held, last, large);

        assertThat(ranked).extracting(each -> each.current().job().job()).containsExactly(key(3), key(2), key(1));
        assertThat(ranked.get(1).previewRank()).isEqualTo(2);
        assertThat(ranked.get(1).preview().entitlement().priority()).isEqualTo(-1_000_000);
        assertThat(ranked.getLast().preview().entitlement().otherPartitions()).isEmpty();
    }

    @Test
    void other_factors_are_recomputed_from_the_job() {
        final WaitingJob job = job(
                1,
                EntitlementLevel.BORROWED,
                new WeightedTerm(PriorityTerm.AGE, 28, 1000),
                new WeightedTerm(PriorityTerm.CLASS, 50, 200),
                use(60, 10));
        final WaitingJob plain = job(2, EntitlementLevel.BORROWED, new WeightedTerm(PriorityTerm.CLASS, 50, 200));
        final PreviewRules preview = new PreviewRules(
                Map.of(PriorityTerm.PROJECT, 500),
                Duration.ofDays(4),
                Map.of("wide", 10, "long", 70),
                null,
                Map.of(ProjectName.of("physics"), 80),
                null);

        final List<Ranked> ranked = tried(preview, job, plain);

        assertThat(ranked.getFirst().preview().terms())
                .containsExactly(
                        new WeightedTerm(PriorityTerm.AGE, 50, 1000),
                        use(60, 10),
                        new WeightedTerm(PriorityTerm.CLASS, 70, 200),
                        new WeightedTerm(PriorityTerm.PROJECT, 80, 500));
        assertThat(ranked.getLast().preview().terms())
                .as("in no class; its age was 0 at the last plan")
                .extracting(WeightedTerm::term)
                .containsExactly(PriorityTerm.AGE, PriorityTerm.PROJECT);
    }

    private static List<Ranked> tried(final PreviewRules preview, final WaitingJob... jobs) {
        return JobRanking.of(
                List.of(jobs),
                new PriorityPreview(
                        preview,
                        RULES,
                        Set.of(PartitionName.of("main"), FAST, SPAN),
                        job -> job.equals(key(1)) ? List.of("wide", "long") : List.of(),
                        Instant.parse("2026-03-04T11:01:00Z")));
    }

    private static PartitionOverflow opens(final long at, final PartitionName... to) {
        return new PartitionOverflow(null, null, at, List.of(to));
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

    private static WaitingJob overflowing(final WaitingJob job, final PartitionName... partitions) {
        return new WaitingJob(job.job(), job.entitlement().withOtherPartitions(List.of(partitions)));
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
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }
}
