package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.AT_THE_GATE;
import static io.millrace.agent.domain.TestJobs.NOON;
import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.job;
import static io.millrace.agent.domain.TestJobs.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunSettlementTest {

    private static final CheckpointTaken TAKEN =
            new CheckpointTaken("application", "/home/anna/saved", NOON.minusSeconds(20), NOON.minusSeconds(13));

    private static final Duration DEADLINE = Duration.ofMinutes(5);

    private static RunSettlement settle(final List<JobObserved> said, final List<JobObserved> now, final Run... facts) {
        return RunSettlement.of(said, now, List.of(facts), Map.of(), NOON, Instant.MIN, DEADLINE);
    }

    private static Run fact(final int job, final int run, final RunOutcome outcome) {
        return new Run(key(job), run, NOON.minusSeconds(50), NOON.minusSeconds(10), outcome, "sacct");
    }

    @Test
    void a_job_that_left_is_unsettled_until_accounting_knows() {
        final JobObserved job = job(1, "anna", 2, RUNNING);
        assertThat(RunSettlement.missingEnds(List.of(job), List.of())).containsExactly(key(1));

        final RunSettlement first = settle(List.of(job), List.of());
        assertThat(first.ends()).isEmpty();
        assertThat(first.unsettled()).containsExactly(job.in(new JobState.Unsettled(NOON)));

        final RunSettlement second = settle(first.unsettled(), List.of(), fact(1, 1, new RunOutcome.Exited(3)));
        assertThat(second.settled()).containsExactly(key(1));
        assertThat(second.unsettled()).isEmpty();
        assertThat(second.ends()).singleElement().satisfies(end -> {
            assertThat(end.outcome()).isEqualTo(new RunOutcome.Exited(3));
            assertThat(end.coreSeconds()).isEqualTo(80);
            assertThat(end.lostCoreSeconds()).isZero();
            assertThat(end.source()).isEqualTo("sacct");
        });
    }

    @Test
    void after_the_deadline_the_end_is_unknown_and_never_completed() {
        final JobObserved since = job(1, "anna", 2, new JobState.Unsettled(NOON.minus(DEADLINE)));
        assertThat(settle(List.of(since), List.of()).ends()).isEmpty();

        final JobObserved longer =
                job(1, "anna", 2, new JobState.Unsettled(NOON.minus(DEADLINE).minusSeconds(1)));
        final RunEnded end = settle(List.of(longer), List.of()).ends().get(0);
        assertThat(end.outcome()).isInstanceOf(RunOutcome.Unknown.class);
        assertThat(end.source()).isEqualTo("deadline");
        assertThat(end.coreSeconds()).isZero();
    }

    @Test
    void an_unsettled_job_that_is_seen_again_is_simply_there() {
        final JobObserved since = job(1, "anna", 2, new JobState.Unsettled(NOON.minusSeconds(10)));
        final RunSettlement settlement = settle(List.of(since), List.of(job(1, "anna", 2, RUNNING)));
        assertThat(settlement.ends()).isEmpty();
        assertThat(settlement.unsettled()).isEmpty();
    }

    @Test
    void a_requeue_ends_a_run_and_not_the_job() {
        final RunSettlement settlement =
                settle(List.of(job(1, "anna", 2, RUNNING)), List.of(job(1, "anna", 2, AT_THE_GATE, 1)));
        assertThat(settlement.settled()).isEmpty();
        assertThat(settlement.ends()).singleElement().satisfies(end -> {
            assertThat(end.outcome()).isEqualTo(new RunOutcome.Requeued());
            assertThat(end.run()).isEqualTo(1);
            assertThat(end.startedAt()).isEqualTo(NOON.minusSeconds(100));
            assertThat(end.lostCoreSeconds()).isEqualTo(200);
            assertThat(end.source()).isEqualTo("observed");
        });
    }

    @Test
    void what_accounting_says_of_a_requeue_counts_more_than_what_was_seen() {
        final RunSettlement settlement = settle(
                List.of(job(1, "anna", 2, RUNNING)),
                List.of(job(1, "anna", 2, AT_THE_GATE, 1)),
                fact(1, 1, new RunOutcome.NodeFailed()));
        assertThat(settlement.ends()).singleElement().satisfies(end -> {
            assertThat(end.outcome()).isEqualTo(new RunOutcome.NodeFailed());
            assertThat(end.lostCoreSeconds()).isEqualTo(80);
        });
    }

    @Test
    void an_exit_that_brought_the_job_back_is_no_end_of_it() {
        final Run exit = fact(1, 1, new RunOutcome.Exited(75));
        final RunSettlement waits =
                settle(List.of(job(1, "anna", 2, RUNNING)), List.of(job(1, "anna", 2, AT_THE_GATE, 1)), exit);
        assertThat(waits.settled()).isEmpty();
        assertThat(waits.ends()).extracting(RunEnded::outcome).containsExactly(new RunOutcome.Requeued());

        final RunSettlement bothUnseen =
                settle(List.of(job(1, "anna", 2, RUNNING)), List.of(), exit, fact(1, 2, new RunOutcome.Exited(0)));
        assertThat(bothUnseen.settled()).containsExactly(key(1));
        assertThat(bothUnseen.ends())
                .extracting(RunEnded::outcome)
                .containsExactly(new RunOutcome.Requeued(), new RunOutcome.Exited(0));

        final RunSettlement saved = RunSettlement.of(
                List.of(job(1, "anna", 2, RUNNING)),
                List.of(job(1, "anna", 2, AT_THE_GATE, 1)),
                List.of(exit),
                Map.of(key(1), new RunSettlement.TakenCheckpoint(1, TAKEN, null)),
                NOON,
                Instant.MIN,
                DEADLINE);
        assertThat(saved.ends()).extracting(RunEnded::outcome).containsExactly(new RunOutcome.Checkpointed(TAKEN));
    }

    @Test
    void a_checkpoint_loses_only_what_came_after_it() {
        final RunSettlement settlement = RunSettlement.of(
                List.of(job(1, "anna", 2, RUNNING)),
                List.of(job(1, "anna", 2, AT_THE_GATE, 1)),
                List.of(fact(1, 1, new RunOutcome.Requeued())),
                Map.of(key(1), new RunSettlement.TakenCheckpoint(1, TAKEN, null)),
                NOON,
                Instant.MIN,
                DEADLINE);
        assertThat(settlement.ends()).singleElement().satisfies(end -> {
            assertThat(end.outcome()).isEqualTo(new RunOutcome.Checkpointed(TAKEN));
            assertThat(end.lostCoreSeconds()).isEqualTo(6);
        });
    }

    @Test
    void a_job_that_was_requeued_and_ended_between_two_looks_has_two_ends() {
        final RunSettlement settlement = settle(
                List.of(job(1, "anna", 2, RUNNING)),
                List.of(),
                fact(1, 2, new RunOutcome.Exited(0)),
                fact(1, 1, new RunOutcome.Requeued()));
        assertThat(settlement.ends()).extracting(RunEnded::run).containsExactly(1, 2);
        assertThat(settlement.ends())
                .extracting(RunEnded::outcome)
                .containsExactly(new RunOutcome.Requeued(), new RunOutcome.Exited(0));
        assertThat(settlement.settled()).containsExactly(key(1));
    }

    @Test
    void while_accounting_is_silent_no_end_is_given_up() {
        final JobObserved longer =
                job(1, "anna", 2, new JobState.Unsettled(NOON.minus(DEADLINE).minusSeconds(3600)));
        final RunSettlement silent =
                RunSettlement.of(List.of(longer), List.of(), List.of(), Map.of(), NOON, null, DEADLINE);
        assertThat(silent.ends()).isEmpty();
        assertThat(silent.unsettled()).containsExactly(longer);

        final RunSettlement justBack = RunSettlement.of(
                List.of(longer), List.of(), List.of(), Map.of(), NOON, NOON.minusSeconds(10), DEADLINE);
        assertThat(justBack.ends())
                .as("it has its whole deadline once it answers")
                .isEmpty();
    }

    @Test
    void a_job_that_goes_on_under_another_key_is_over_under_this_one_however_its_end_reads() {
        for (final RunOutcome said : List.of(
                new RunOutcome.Exited(130),
                new RunOutcome.Signalled(9),
                new RunOutcome.Cancelled(),
                new RunOutcome.Requeued())) {
            final RunSettlement settlement = RunSettlement.of(
                    List.of(job(1, "anna", 2, RUNNING)),
                    List.of(),
                    List.of(fact(1, 1, said)),
                    Map.of(key(1), new RunSettlement.TakenCheckpoint(1, TAKEN, key(7))),
                    NOON,
                    Instant.MIN,
                    DEADLINE);
            assertThat(settlement.settled()).containsExactly(key(1));
            assertThat(settlement.ends()).singleElement().satisfies(end -> {
                assertThat(end.outcome()).isEqualTo(new RunOutcome.Continued(key(7), TAKEN));
                assertThat(end.lostCoreSeconds()).isEqualTo(6);
            });
        }
    }

    @Test
    void a_job_that_goes_on_elsewhere_is_over_here_also_while_accounting_has_no_word_of_it() {
        final RunSettlement settlement = RunSettlement.of(
                List.of(job(1, "anna", 2, RUNNING)),
                List.of(),
                List.of(),
                Map.of(key(1), new RunSettlement.TakenCheckpoint(1, TAKEN, key(7))),
                NOON,
                Instant.MIN,
                DEADLINE);
        assertThat(settlement.ends()).singleElement().satisfies(end -> {
            assertThat(end.outcome()).isEqualTo(new RunOutcome.Continued(key(7), TAKEN));
            assertThat(end.source()).isEqualTo("checkpoint");
            assertThat(end.startedAt()).isEqualTo(NOON.minusSeconds(100));
        });
    }

    @Test
    void a_job_that_exits_after_it_was_saved_has_ended() {
        final RunSettlement settlement = RunSettlement.of(
                List.of(job(1, "anna", 2, RUNNING)),
                List.of(),
                List.of(fact(1, 1, new RunOutcome.Exited(0))),
                Map.of(key(1), new RunSettlement.TakenCheckpoint(1, TAKEN, null)),
                NOON,
                Instant.MIN,
                DEADLINE);
        assertThat(settlement.ends()).extracting(RunEnded::outcome).containsExactly(new RunOutcome.Exited(0));
    }

    @Test
    void a_published_end_is_not_published_again() {
        final JobObserved second = job(1, "anna", 2, RUNNING, 1);
        final RunSettlement settlement = settle(List.of(second), List.of(), fact(1, 1, new RunOutcome.Requeued()));
        assertThat(settlement.ends()).isEmpty();
        assertThat(settlement.unsettled()).hasSize(1);
    }
}
