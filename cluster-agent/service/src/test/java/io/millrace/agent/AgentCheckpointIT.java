package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTimeoutAction;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Stack;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checkpoints of jobs by an agent with one embedded cluster. */
class AgentCheckpointIT extends AgentScenario {

    private static final String DEAF = "#!/bin/bash\ntrap '' USR1\ntouch ready\nwhile true; do sleep 0.2; done\n";

    @Test
    void a_checkpoint_waits_for_the_marker_and_puts_the_job_back_held() {
        final JobKey job = deciders.run(directory, spec("""
            #!/bin/bash
            trap 'sleep 1; : >saved' USR1
            touch ready
            while true; do sleep 0.2; done
            """, 1));
        deciders.await("it to listen", () -> Files.exists(directory.resolve("ready")));
        deciders.does(
                Issuer.BACKFILL, new Action.Checkpoint(job, new CheckpointMethod.Application("USR1", "saved", ENOUGH)));
        deciders.await(
                "the end of its run",
                () -> deciders.ends.stream().anyMatch(end -> end.job().equals(job)));
        final RunEnded run = deciders.ends.get(0);
        assertThat(run.outcome()).isInstanceOfSatisfying(RunOutcome.Checkpointed.class, end -> {
            assertThat(end.checkpoint().method()).isEqualTo("application");
            assertThat(end.checkpoint().location()).endsWith("/saved");
            assertThat(run.lostCoreSeconds())
                    .as("what it computed after the marker")
                    .isBetween(
                            0L,
                            Duration.between(end.checkpoint().savedAt(), run.endedAt())
                                            .toSeconds()
                                    + 1);
        });
        deciders.awaitState(job, JobState.Held.class);

        deciders.does(Issuer.BACKFILL, new Action.Start(job));
        deciders.awaitState(job, JobState.Running.class);
        final Result stale = deciders.answers(
                Issuer.BACKFILL,
                new Action.Checkpoint(job, new CheckpointMethod.Application("WINCH", "saved", Duration.ofSeconds(1))));
        assertThat(stale)
                .as("the marker of the first time is none")
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("is still running"));
    }

    @Test
    void a_job_that_ends_while_it_is_checkpointed_has_ended() {
        final JobKey job = deciders.run(directory, spec("""
            #!/bin/bash
            trap 'exit 5' USR1
            touch ready
            while true; do sleep 0.1; done
            """, 1));
        deciders.await("it to listen", () -> Files.exists(directory.resolve("ready")));
        final Result answer = deciders.answers(
                Issuer.BACKFILL, new Action.Checkpoint(job, new CheckpointMethod.Application("USR1", "saved", ENOUGH)));
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("treated as ended, not as checkpointed"));
        assertThat(deciders.awaitEnd(job).outcome()).isEqualTo(new RunOutcome.Exited(5));
    }

    @Test
    void a_job_that_was_saved_keeps_the_rest_of_its_walltime_and_one_that_was_not_all_of_it() {
        final JobKey job = deciders.run(directory, spec("""
            #!/bin/bash
            trap ': >saved' USR1
            touch ready
            while true; do sleep 0.2; done
            """, 1));
        deciders.await("it to listen", () -> Files.exists(directory.resolve("ready")));
        final Instant started = ((JobState.Running) deciders.view.job(job).state()).startedAt();
        deciders.does(Issuer.BACKFILL, new Action.Checkpoint(job, saves(ENOUGH, CheckpointTimeoutAction.LEAVE)));
        deciders.await(
                "a shorter limit", () -> deciders.view.job(job).walltime().compareTo(Duration.ofMinutes(10)) != 0);
        final RunOutcome.Checkpointed end =
                (RunOutcome.Checkpointed) deciders.ends.get(0).outcome();
        final Duration used = Duration.between(started, end.checkpoint().savedAt());
        final Duration left = deciders.view.job(job).walltime();
        assertThat(left.minus(Duration.ofMinutes(10).minus(used).plusSeconds(30)))
                .as("what was not used, and 30 s for the restart")
                .isBetween(Duration.ofSeconds(-1), Duration.ofSeconds(1));

        deciders.does(Issuer.BACKFILL, new Action.Start(job));
        deciders.awaitState(job, JobState.Running.class);
        deciders.does(Issuer.BACKFILL, new Action.Requeue(job));
        deciders.awaitState(job, JobState.Held.class);
        assertThat(deciders.view.job(job).walltime()).isEqualTo(left);
    }

    @Test
    void a_job_that_does_not_save_itself_in_time_is_handled_as_its_policy_says() {
        final JobKey job = deciders.run(directory, spec(DEAF, 1));
        deciders.await("it to ignore", () -> Files.exists(directory.resolve("ready")));
        final Result left = deciders.answers(
                Issuer.BACKFILL,
                new Action.Checkpoint(job, saves(Duration.ofSeconds(1), CheckpointTimeoutAction.LEAVE)));
        assertThat(left)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason())
                                .contains("within 1 s")
                                .contains("is still running"));
        assertThat(deciders.view.job(job).state()).isInstanceOf(JobState.Running.class);

        final Result.Done putBack = deciders.does(
                Issuer.BACKFILL,
                new Action.Checkpoint(job, saves(Duration.ofSeconds(1), CheckpointTimeoutAction.REQUEUE)));
        assertThat(putBack.detail()).contains("its work is lost");
        deciders.awaitState(job, JobState.Held.class);
        assertThat(deciders.ends).singleElement().satisfies(end -> {
            assertThat(end.outcome()).isEqualTo(new RunOutcome.Requeued());
            assertThat(end.lostCoreSeconds()).isEqualTo(end.coreSeconds());
        });
        assertThat(deciders.view.job(job).walltime()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void a_job_that_is_waited_for_may_take_longer_than_its_grace() {
        final JobKey job = deciders.run(
                directory,
                spec("#!/bin/bash\ntrap 'sleep 2; : >saved' USR1\ntouch ready\nwhile true; do sleep 0.2; done\n", 1));
        deciders.await("it to listen", () -> Files.exists(directory.resolve("ready")));
        deciders.does(
                Issuer.BACKFILL,
                new Action.Checkpoint(job, saves(Duration.ofMillis(500), CheckpointTimeoutAction.WAIT)));
        deciders.awaitState(job, JobState.Held.class);
        assertThat(deciders.ends)
                .singleElement()
                .satisfies(end -> assertThat(end.outcome()).isInstanceOf(RunOutcome.Checkpointed.class));
    }

    @Test
    void a_job_without_a_way_to_save_itself_is_put_back_and_its_loss_is_counted() {
        final JobKey job = deciders.run(directory, spec(SLEEP, 2));
        deciders.does(Issuer.BACKFILL, new Action.Checkpoint(job, new CheckpointMethod.None()));
        deciders.awaitState(job, JobState.Held.class);
        assertThat(deciders.view.job(job).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(deciders.ends).extracting(RunEnded::outcome).containsExactly(new RunOutcome.Requeued());
        assertRefused(
                deciders.answers(
                        Issuer.BACKFILL,
                        new Action.Checkpoint(
                                job,
                                new CheckpointMethod.Native(Duration.ofSeconds(1), CheckpointTimeoutAction.LEAVE))),
                Refusal.UNSUPPORTED,
                "NATIVE_CHECKPOINT");
    }

    @Test
    void the_checkpoint_method_of_a_job_is_on_the_log_although_the_workload_manager_forgets_it() {
        agent.close();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(), deciders.cluster, home, log -> log, WlmWithoutAccounting::of);
        final JobSpec plain = spec(SLEEP, 1);
        final JobSpec saving = new JobSpec(
                "job",
                SLEEP,
                null,
                plain.resources(),
                plain.walltime(),
                null,
                null,
                Map.of(),
                saves(Duration.ofMinutes(1), CheckpointTimeoutAction.REQUEUE),
                false);
        final JobKey job = deciders.submit(deciders.attempt(), directory, saving);
        deciders.awaitState(job, JobState.Held.class);
        assertThat(deciders.view.job(job).checkpoint()).isEqualTo(saving.checkpoint());

        agent.close();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(), deciders.cluster, home, log -> log, WlmWithoutAccounting::of);
        deciders.does(Issuer.MIGRATION, new Action.Release(job));
        deciders.await("the gate", () -> deciders.view.job(job).state().equals(new JobState.Held(HoldKind.ENTRY)));
        assertThat(deciders.view.job(job).checkpoint()).isEqualTo(saving.checkpoint());
    }

    private static CheckpointMethod saves(final Duration grace, final CheckpointTimeoutAction onTimeout) {
        return new CheckpointMethod.Application("USR1", "saved", grace, onTimeout);
    }
}
