package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.slurm.query.JobObservation;
import io.millrace.agent.slurm.query.JobQuery;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.PartitionChoosing;
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

/** Starts in other partitions, and lists of partitions, against recorded answers of Slurm 22.05.8. */
class PartitionMovesTest {

    private static final PartitionName MAIN = PartitionName.of("main");
    private static final PartitionName SHORT = PartitionName.of("short");

    private final ReplayRunner runner = Transcripts.of("moves");
    private final WorkloadManager slurm = Slurm.of(
            Transcripts.SITE,
            runner,
            Clock.fixed(Instant.parse("2026-11-22T00:00:00Z"), ZoneOffset.UTC),
            () -> Transcripts.NONCE);

    @Test
    void one_request_moves_and_marks_a_job_and_the_next_one_releases_it() {
        assertThat(slurm.get(Moving.class).start(job("29"), SHORT).get().detail())
                .contains("29", "short", "main");
        assertThat(changes())
                .satisfiesExactly(
                        moved -> assertThat(moved)
                                .startsWith("scontrol update JobId=29 Partition=short AdminComment=millrace:start=0@"),
                        released -> assertThat(released).isEqualTo("scontrol release 29"));
    }

    @Test
    void a_job_that_slurm_moved_with_an_error_is_moved_back_with_its_mark() {
        assertThat(slurm.get(Moving.class).start(job("30"), PartitionName.of("closed")))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED);
                    assertThat(trouble.reason())
                            .contains("partition closed", "alpha/30", "stays in partition main")
                            .contains("Requested partition configuration not available now");
                });
        assertThat(changes())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("scontrol update JobId=30 Partition=main AdminComment=millrace:entry@");
    }

    @Test
    void only_the_next_task_of_a_pending_array_starts() {
        assertThat(slurm.get(Moving.class).start(job("31"), SHORT).get().detail())
                .contains("31_3");
        assertThat(changes())
                .hasSize(2)
                .allMatch(change -> change.contains("31_3"))
                .noneMatch(change -> change.contains("["));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "short, PT30M",
        "shut, State=UP",
        "idle, State=UP",
        "nowhere, 'partitions that accept jobs: short,'",
        "'main,short', 'partitions that accept jobs: short,'"
    })
    void a_start_in_a_partition_where_the_job_would_never_start_is_refused(final String to, final String reason) {
        assertThat(slurm.get(Moving.class).start(job("33"), PartitionName.of(to)))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED);
                    assertThat(trouble.reason()).contains(to, reason);
                });
        assertThat(changes()).isEmpty();
    }

    @Test
    void a_job_that_already_has_these_partitions_is_not_changed() {
        final JobKey job = job("34");
        assertThat(slurm.get(PartitionChoosing.class).setPartitions(job, List.of(MAIN, SHORT)))
                .isInstanceOf(Answer.Ok.class);
        assertThat(slurm.get(PartitionChoosing.class).setPartitions(job, List.of(SHORT, MAIN)))
                .isInstanceOf(Answer.Ok.class);
        assertThat(changes()).containsExactly("scontrol update JobId=34 Partition=main,short");
    }

    @Test
    void a_list_with_partitions_that_slurm_would_drop_is_refused() {
        for (final List<PartitionName> wanted :
                List.of(List.<PartitionName>of(), List.of(MAIN, PartitionName.of("draining")), names("main,short"))) {
            final Answer<Accepted> answer = slurm.get(PartitionChoosing.class).setPartitions(job("34"), wanted);
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Trouble.class,
                            trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED));
        }
        assertThat(changes()).isEmpty();
    }

    @Test
    void a_pending_job_has_its_first_partition_and_the_list_of_all() {
        final JobObserved observed =
                JobObservation.of(Transcripts.SITE.cluster(), rows("34").get(1), Instant.parse("2026-11-22T00:00:00Z"));
        assertThat(observed.partition()).isEqualTo(MAIN);
        assertThat(observed.detail().partitions()).containsExactly(MAIN, SHORT);
    }

    private static List<PartitionName> names(final String... names) {
        return Stream.of(names).map(PartitionName::of).toList();
    }

    /** The commands that change a job, in order. */
    private List<String> changes() {
        return runner.asked().stream()
                .filter(line -> line.startsWith("scontrol update") || line.startsWith("scontrol release"))
                .toList();
    }

    private static JobKey job(final String id) {
        return rows(id).get(0).key(Transcripts.SITE.cluster());
    }

    /** The job in the first and in the second query. */
    private static List<QueuedJob> rows(final String id) {
        final ReplayRunner replay = Transcripts.of("moves");
        final JobQuery query = JobQuery.of(Transcripts.SITE, List.of(id), Transcripts.NONCE);
        return List.of(replay.run(query).get().get(0), replay.run(query).get().get(0));
    }
}
