package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.JobObserved;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts in other partitions, and choices, against what a real Slurm 22.05.8 said to each of these orders. */
class PartitionMovesTest {

    private static final PartitionName MAIN = PartitionName.of("main");
    private static final PartitionName SHORT = PartitionName.of("short");

    private final ReplayRunner runner = Transcripts.of("moves");
    private final Slurm slurm = new Slurm(
            Transcripts.SITE,
            runner,
            Clock.fixed(Instant.parse("2026-11-22T00:00:00Z"), ZoneOffset.UTC),
            () -> Transcripts.NONCE);

    @Test
    void a_job_is_moved_and_marked_by_one_request_and_released_by_the_next() {
        assertThat(slurm.start(job("29"), SHORT).get().detail()).contains("29", "short", "main");
        assertThat(orders())
                .satisfiesExactly(
                        moved -> assertThat(moved)
                                .startsWith("scontrol update JobId=29 Partition=short AdminComment=millrace:start=0@"),
                        released -> assertThat(released).isEqualTo("scontrol release 29"));
    }

    @Test
    void a_job_that_slurm_moved_and_complained_about_is_put_back_with_its_mark() {
        assertThat(slurm.start(job("30"), PartitionName.of("closed")))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED);
                    assertThat(trouble.because())
                            .contains("partition closed", "alpha/30", "waits in partition main as before")
                            .contains("Requested partition configuration not available now");
                });
        assertThat(orders())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("scontrol update JobId=30 Partition=main AdminComment=millrace:entry@");
    }

    @Test
    void of_an_array_that_waits_the_next_task_goes_alone() {
        assertThat(slurm.start(job("31"), SHORT).get().detail()).contains("31_3");
        assertThat(orders())
                .hasSize(2)
                .allMatch(order -> order.contains("31_3"))
                .noneMatch(order -> order.contains("["));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "short, MaxTime is PT30M",
        "shut, starts no jobs",
        "idle, starts no jobs",
        "nowhere, 'there are short,'",
        "'main,short', 'there are short,'"
    })
    void what_slurm_would_let_wait_for_ever_is_refused_before_anything_is_done(final String to, final String because) {
        assertThat(slurm.start(job("33"), PartitionName.of(to)))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED);
                    assertThat(trouble.because()).contains(to, because);
                });
        assertThat(orders()).isEmpty();
    }

    @Test
    void a_job_that_has_its_choice_is_left_alone() {
        final JobKey job = job("34");
        assertThat(slurm.setPartitions(job, List.of(MAIN, SHORT))).isInstanceOf(Answer.Ok.class);
        assertThat(slurm.setPartitions(job, List.of(SHORT, MAIN))).isInstanceOf(Answer.Ok.class);
        assertThat(orders()).containsExactly("scontrol update JobId=34 Partition=main,short");
    }

    @Test
    void a_choice_that_slurm_would_cut_short_is_refused() {
        for (final List<PartitionName> wanted :
                List.of(List.<PartitionName>of(), List.of(MAIN, PartitionName.of("draining")), names("main,short"))) {
            final Answer<Accepted> answer = slurm.setPartitions(job("34"), wanted);
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Trouble.class,
                            trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED));
        }
        assertThat(orders()).isEmpty();
    }

    @Test
    void a_waiting_job_is_shown_in_the_first_of_its_partitions_with_all_of_them() {
        final JobObserved choosing =
                JobObservation.of(Transcripts.SITE.cluster(), rows("34").get(1), Instant.parse("2026-11-22T00:00:00Z"));
        assertThat(choosing.partition()).isEqualTo(MAIN);
        assertThat(choosing.detail().partitions()).containsExactly(MAIN, SHORT);
    }

    private static List<PartitionName> names(final String... names) {
        return Stream.of(names).map(PartitionName::of).toList();
    }

    /** What was changed, in order. */
    private List<String> orders() {
        return runner.asked().stream()
                .filter(line -> line.startsWith("scontrol update") || line.startsWith("scontrol release"))
                .toList();
    }

    private static JobKey job(final String id) {
        return rows(id).get(0).key(Transcripts.SITE.cluster());
    }

    /** As it was seen first, and next. */
    private static List<QueuedJob> rows(final String id) {
        final ReplayRunner replay = Transcripts.of("moves");
        final JobQuery query = JobQuery.of(Transcripts.SITE, List.of(id), Transcripts.NONCE);
        return List.of(replay.run(query).get().get(0), replay.run(query).get().get(0));
    }
}
