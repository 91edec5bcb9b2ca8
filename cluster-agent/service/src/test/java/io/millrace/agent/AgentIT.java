package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTimeoutAction;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.ReserveVictim;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.transfer.Place;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One agent, one embedded cluster of four cores, a real broker. */
class AgentIT {

    private static final String SLEEP = "#!/bin/sh\nexec sleep 600\n";

    /** The grace of a job that saves itself at once; long, because the machine may be busy. */
    private static final Duration ENOUGH = Duration.ofMinutes(5);

    @TempDir
    Path home;

    @TempDir
    Path directory;

    private FakeDeciders deciders;
    private TestAgent agent;

    @BeforeEach
    void start() {
        deciders = new FakeDeciders(Stack.kafka().bootstrapServers());
        TestAccounts.give(directory);
        agent = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, home);
    }

    @AfterEach
    void stop() {
        agent.cluster.observe().get().jobs().forEach(job -> agent.cluster.cancel(job.job()));
        deciders.await(
                "an empty queue", () -> agent.cluster.observe().get().jobs().isEmpty());
        agent.close();
        deciders.close();
    }

    @Test
    void the_first_revision_shows_the_whole_cluster() {
        deciders.await("a marker", () -> deciders.view.marker() != null);
        final RevisionClosed marker = deciders.view.marker();
        assertThat(marker.revision()).isEqualTo(1);
        assertThat(marker.total().cores()).isEqualTo(4);
        assertThat(marker.free().cores()).isEqualTo(4);
        assertThat(marker.control()).isEqualTo(Control.DIRECTED);
        assertThat(marker.capabilities()).isEqualTo(Offer.of(agent.cluster).capabilities());
        assertThat(marker.notes()).isEqualTo(Offer.of(agent.cluster).notes()).containsKey(Capability.ALTER);
        assertThat(marker.stagingRoot()).isEqualTo(home.resolve("staging").toString());
        assertThat(deciders.view.nodes()).hasSize(2);
        assertThat(deciders.view.partitions()).hasSize(1);

        deciders.await("heartbeats", () -> deciders.view.marker().revision() > 2);
        assertThat(deciders.view.jobs()).isEmpty();
    }

    @Test
    void a_global_job_is_submitted_held_released_started_and_settled() throws IOException {
        final AttemptId attempt = deciders.attempt();
        final JobKey job = deciders.submit(attempt, directory, spec("#!/bin/sh\necho hello >result\nexit 3\n", 1));
        deciders.awaitState(job, JobState.Held.class);
        assertThat(deciders.view.job(job).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        assertThat(deciders.view.job(job).attempt()).isEqualTo(attempt);

        deciders.does(Issuer.MIGRATION, new Action.Release(job));
        deciders.does(
                Issuer.BACKFILL, new Action.Start(job), new Precondition.JobWaits(job), new Precondition.IdleCores(1));
        final RunEnded end = deciders.awaitEnd(job);
        assertThat(end.outcome()).isEqualTo(new RunOutcome.Exited(3));
        assertThat(end.attempt()).isEqualTo(attempt);
        assertThat(end.run()).isEqualTo(1);
        assertThat(Files.readString(directory.resolve("result"))).isEqualTo("hello\n");
        assertThat(deciders.ends).filteredOn(other -> other.job().equals(job)).hasSize(1);
    }

    @Test
    void a_marker_includes_a_start_only_when_the_job_is_seen_running() {
        final JobKey job = deciders.released(directory, spec(SLEEP, 1));
        final CommandId start = deciders.order(Issuer.BACKFILL, new Action.Start(job));
        deciders.answer(start);
        deciders.awaitState(job, JobState.Running.class);
        deciders.await(
                "a marker that includes all", () -> deciders.view.marker().commandsIncluded() >= 3);
        assertThat(deciders.view.marker().free().cores()).isEqualTo(3);
    }

    @Test
    void what_may_not_be_done_is_refused_with_its_reason() {
        final JobKey job = deciders.released(directory, spec(SLEEP, 4));
        final JobKey other = deciders.released(directory, spec(SLEEP, 1));

        assertRefused(
                deciders.answer(deciders.order(
                        Issuer.BACKFILL, new Action.Start(job), Instant.now().minusSeconds(1))),
                Refusal.EXPIRED,
                "command expired at");
        assertRefused(deciders.answers(Issuer.MIGRATION, new Action.Start(job)), Refusal.NOT_PERMITTED, "MIGRATION");
        assertRefused(
                deciders.answers(Issuer.BACKFILL, new Action.Start(job), new Precondition.IdleCores(5)),
                Refusal.STALE,
                "needs 5 idle cores; 4 cores are idle");
        assertRefused(deciders.answers(Issuer.BACKFILL, new Action.Requeue(job)), Refusal.STALE, "not running");
        deciders.does(Issuer.BACKFILL, new Action.Start(job));
        assertRefused(
                deciders.answers(Issuer.BACKFILL, new Action.Start(other)),
                Refusal.STALE,
                "needs 1 cores; 0 cores are idle");
        assertRefused(
                deciders.answers(
                        Issuer.MIGRATION,
                        new Action.Submit(
                                deciders.view.job(job).attempt(),
                                UserName.of("anna"),
                                spec(SLEEP, 1),
                                directory.toString(),
                                ""),
                        new Precondition.AttemptAbsent(deciders.view.job(job).attempt())),
                Refusal.STALE,
                "already exists");
    }

    @Test
    void submit_service_may_change_the_walltime_of_a_waiting_job_and_nothing_else_of_it() {
        final JobKey job = deciders.released(directory, spec(SLEEP, 1));
        deciders.does(
                Issuer.SUBMIT, new Action.AlterWalltime(job, Duration.ofMinutes(3)), new Precondition.JobWaits(job));
        deciders.await(
                "the walltime",
                () -> Duration.ofMinutes(3).equals(deciders.view.job(job).walltime()));
        assertRefused(deciders.answers(Issuer.SUBMIT, new Action.Cancel(job)), Refusal.NOT_PERMITTED, "SUBMIT");

        deciders.does(Issuer.BACKFILL, new Action.Start(job));
        assertRefused(
                deciders.answers(
                        Issuer.SUBMIT,
                        new Action.AlterWalltime(job, Duration.ofHours(3)),
                        new Precondition.JobWaits(job)),
                Refusal.STALE,
                "");
    }

    @Test
    void two_starts_in_one_burst_do_not_share_cores() {
        final JobKey wide = deciders.released(directory, spec(SLEEP, 3));
        final JobKey other = deciders.released(directory, spec(SLEEP, 3));
        final CommandId first = deciders.order(Issuer.BACKFILL, new Action.Start(wide));
        final CommandId second = deciders.order(Issuer.BACKFILL, new Action.Start(other));
        assertThat(deciders.answer(first)).isInstanceOf(Result.Done.class);
        assertRefused(deciders.answer(second), Refusal.STALE, "1 cores are idle");
    }

    @Test
    void the_same_command_twice_takes_effect_once() throws IOException {
        final Action.Submit submit =
                new Action.Submit(deciders.attempt(), UserName.of("anna"), spec(SLEEP, 1), directory.toString(), "");
        final Command command =
                deciders.command(Issuer.MIGRATION, submit, Instant.now().plusSeconds(600));
        deciders.put(command);
        deciders.answer(command.id());
        deciders.put(command);
        deciders.put(command);
        deciders.does(Issuer.MIGRATION, new Action.Cancel(((Result.Done) deciders.answer(command.id())).job()));

        assertThat(deciders.answers(command.id())).hasSize(1);
        assertThat(deciders.begun(command.id())).isEqualTo(1);
        assertThat(agent.cluster.find(submit.attempt(), submit.owner()).get()).hasSize(1);
    }

    @Test
    void a_job_cancelled_before_anybody_saw_it_has_an_end_all_the_same() {
        final JobKey job = deciders.submit(deciders.attempt(), directory, spec(SLEEP, 1));
        deciders.does(Issuer.MIGRATION, new Action.Cancel(job));
        final RunEnded end = deciders.awaitEnd(job);
        assertThat(end.outcome()).isEqualTo(new RunOutcome.Cancelled());
        assertThat(end.startedAt()).isNull();
    }

    @Test
    void a_requeue_ends_the_run_and_counts_what_is_lost() {
        final JobKey job = deciders.run(directory, spec(SLEEP, 2));
        deciders.does(Issuer.BACKFILL, new Action.Requeue(job));
        deciders.await(
                "the end of its run",
                () -> deciders.ends.stream().anyMatch(end -> end.job().equals(job)));
        final RunEnded end = deciders.ends.get(0);
        assertThat(end.outcome()).isEqualTo(new RunOutcome.Requeued());
        assertThat(end.run()).isEqualTo(1);
        assertThat(end.lostCoreSeconds()).isEqualTo(end.coreSeconds());
        deciders.awaitState(job, JobState.Held.class);
        assertThat(deciders.view.job(job).restarts()).isEqualTo(1);
    }

    @Test
    void a_reclaim_puts_its_victims_back_and_starts_the_beneficiary_before_anybody_else() {
        final JobKey stubborn =
                deciders.run(directory, spec("#!/bin/bash\ntrap '' TERM\nwhile true; do sleep 0.2; done\n", 4));
        final JobKey beneficiary = deciders.released(directory, spec(SLEEP, 3));
        final JobKey thief = deciders.released(directory, spec(SLEEP, 2));
        final CommandId reclaim = deciders.order(
                Issuer.QUOTA, new Action.Reclaim(List.of(stubborn), beneficiary), new Precondition.JobRuns(stubborn));
        deciders.await("the reclaim to begin", () -> deciders.begun(reclaim) == 1);
        while (deciders.answers(reclaim).isEmpty()) {
            assertRefused(deciders.answers(Issuer.BACKFILL, new Action.Start(thief)), Refusal.STALE, "cores are idle");
        }
        assertThat(deciders.answer(reclaim)).isInstanceOf(Result.Done.class);
        deciders.awaitState(beneficiary, JobState.Running.class);
        deciders.awaitState(stubborn, JobState.Held.class);
        assertThat(deciders.view.job(stubborn).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(deciders.view.job(thief).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
    }

    /** */
    @Test
    void a_reclaim_also_requeues_a_job_that_started_on_the_idle_cores_before_it() {
        final JobKey victim = deciders.run(directory, spec(SLEEP, 2));
        final JobKey beneficiary = deciders.released(directory, spec(SLEEP, 3));
        final JobKey thief = deciders.released(directory, spec(SLEEP, 2));
        final CommandId start = deciders.order(Issuer.BACKFILL, new Action.Start(thief));
        final CommandId reclaim = deciders.order(
                Issuer.QUOTA,
                new Action.Reclaim(List.of(victim), beneficiary, null, List.of(new ReserveVictim(thief, 0)), null));

        assertThat(deciders.answer(start)).isInstanceOf(Result.Done.class);
        assertThat(deciders.answer(reclaim))
                .isInstanceOfSatisfying(
                        Result.Done.class,
                        done -> assertThat(done.preempted()).containsExactlyInAnyOrder(victim, thief));
        deciders.awaitState(beneficiary, JobState.Running.class);
        deciders.awaitState(thief, JobState.Held.class);
        assertThat(deciders.view.job(thief).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
    }

    /** */
    @Test
    void a_reclaim_saves_one_victim_suspends_another_and_puts_back_who_is_not_saved_in_time() {
        final JobKey saving = deciders.run(directory, spec("""
            #!/bin/bash
            trap ': >saved' USR1
            touch ready
            while true; do sleep 0.2; done
            """, 1));
        final JobKey deaf = deciders.run(
                directory, spec("#!/bin/bash\ntrap '' USR1\ntouch deaf\nwhile true; do sleep 0.2; done\n", 1));
        final JobKey still = deciders.run(directory, spec(SLEEP, 2));
        final JobKey beneficiary = deciders.released(directory, spec(SLEEP, 4));
        deciders.await(
                "both to listen",
                () -> Files.exists(directory.resolve("ready")) && Files.exists(directory.resolve("deaf")));

        final CommandId reclaim = deciders.order(
                Issuer.QUOTA,
                new Action.Reclaim(
                        List.of(saving, deaf, still),
                        beneficiary,
                        List.of(
                                saved(saving, "saved", ENOUGH),
                                saved(deaf, "never", Duration.ofSeconds(1)),
                                new Preemption(still, Preemption.Mode.SUSPEND, null, 0, "for the test"))));
        deciders.awaitState(beneficiary, JobState.Running.class);
        assertThat(deciders.answer(reclaim))
                .isInstanceOfSatisfying(
                        Result.Done.class,
                        done -> assertThat(done.detail())
                                .contains("3 of 3 victims left their cores: 1 suspended")
                                .contains(saving + ": saved after")
                                .contains("no 'never' within 1 s")
                                .contains("requeued without a checkpoint, its work is lost"));
        deciders.awaitState(saving, JobState.Held.class);
        deciders.awaitState(deaf, JobState.Held.class);
        deciders.awaitState(still, JobState.Suspended.class);
    }

    private static Preemption saved(final JobKey victim, final String marker, final Duration grace) {
        return new Preemption(
                victim,
                Preemption.Mode.CHECKPOINT,
                new CheckpointMethod.Application("USR1", marker, grace),
                1,
                "for the test");
    }

    @Test
    void a_reclaim_whose_beneficiary_goes_away_says_that_nothing_is_lost() {
        final JobKey stubborn =
                deciders.run(directory, spec("#!/bin/bash\ntrap '' TERM\nwhile true; do sleep 0.2; done\n", 4));
        final JobKey beneficiary = deciders.released(directory, spec(SLEEP, 3));
        final CommandId reclaim = deciders.order(Issuer.QUOTA, new Action.Reclaim(List.of(stubborn), beneficiary));
        deciders.await("the reclaim to begin", () -> deciders.begun(reclaim) == 1);
        deciders.does(Issuer.MIGRATION, new Action.Cancel(beneficiary));

        assertThat(deciders.answer(reclaim))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason())
                                .contains("left the queue during the reclaim")
                                .contains("1 of 1 victims left their cores: 1 requeued"));
        deciders.awaitState(stubborn, JobState.Held.class);
    }

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

    private static final String DEAF = "#!/bin/bash\ntrap '' USR1\ntouch ready\nwhile true; do sleep 0.2; done\n";

    private static CheckpointMethod saves(final Duration grace, final CheckpointTimeoutAction onTimeout) {
        return new CheckpointMethod.Application("USR1", "saved", grace, onTimeout);
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
    void the_way_a_job_is_checkpointed_stands_on_the_log_although_the_workload_manager_forgets_it() {
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

    @Test
    void the_end_of_a_job_that_nobody_saw_is_told_once_in_whatever_life() {
        deciders.await("a first look", () -> deciders.view.marker() != null);
        agent.close();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(),
                deciders.cluster,
                home,
                log -> log,
                wlm -> WlmWithoutAccounting.blindTo("passing", wlm));
        final JobKey job = past("passing");
        assertThat(deciders.awaitEnd(job)).satisfies(end -> {
            assertThat(end.outcome()).isEqualTo(new RunOutcome.Exited(0));
            assertThat(end.name()).isEqualTo("passing");
            assertThat(end.run()).isEqualTo(1);
        });

        agent.close();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(),
                deciders.cluster,
                home,
                log -> log,
                wlm -> WlmWithoutAccounting.blindTo("passing", wlm));
        final JobKey next = past("passing");
        deciders.awaitEnd(next);
        assertThat(deciders.ends).extracting(RunEnded::job).containsExactly(job, next);
    }

    /** A job that a user hands in past Millrace, and starts. */
    private JobKey past(final String name) {
        final JobSpec plain = spec("#!/bin/sh\ntrue\n", 1);
        final JobKey job = agent.cluster
                .submitLocally(new Submission(
                        deciders.attempt(),
                        UserName.of("anna"),
                        new JobSpec(
                                name,
                                plain.script(),
                                null,
                                plain.resources(),
                                plain.walltime(),
                                null,
                                null,
                                Map.of(),
                                plain.checkpoint(),
                                false),
                        directory.toString()))
                .get();
        agent.cluster.start(job).get();
        return job;
    }

    @Test
    void site_users_are_the_accounts_of_the_cluster_both_ways_and_a_change_needs_no_restart() throws IOException {
        agent.close();
        final Path file = home.resolve("site-mapping.yaml");
        Files.writeString(file, "listed-only: true\naccounts:\n  anna: as12\nmodules:\n  gcc: GCC/13\n");
        agent = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, home);
        final JobKey job = deciders.submit(deciders.attempt(), directory, spec(SLEEP, 1));
        deciders.awaitState(job, JobState.Held.class);
        assertThat(agent.cluster.observe().get().jobs())
                .extracting(seen -> seen.owner().value())
                .containsExactly("as12");
        assertThat(deciders.view.job(job).owner()).isEqualTo(UserName.of("anna"));
        assertThat(deciders.view.siteMapping()).isNotNull();
        assertThat(deciders.view.siteMapping().modules()).containsEntry("gcc", List.of("GCC/13"));

        final Action.Submit berts =
                new Action.Submit(deciders.attempt(), UserName.of("bert"), spec(SLEEP, 1), directory.toString(), "");
        assertRefused(deciders.answers(Issuer.MIGRATION, berts), Refusal.NOT_PERMITTED, "'bert' has no account on");
        assertThat(agent.cluster.observe().get().jobs()).hasSize(1);

        Files.writeString(file, "listed-only: true\naccounts:\n  anna: as12\n  bert: b7\n");
        deciders.await(
                "the change on the log",
                () -> deciders.view.siteMapping().accounts().size() == 2);
        deciders.does(Issuer.MIGRATION, berts);
    }

    @Test
    void a_make_step_runs_in_the_staging_directory_and_its_failure_is_told() throws IOException {
        final AttemptId attempt = deciders.attempt();
        final Path staged = home.resolve("staging/anna/" + attempt);
        final JobSpec good = new JobSpec(
                "job",
                SLEEP,
                "#!/bin/sh\necho built >program\necho talk\n",
                spec(SLEEP, 1).resources(),
                Duration.ofMinutes(1),
                null,
                null,
                Map.of(),
                spec(SLEEP, 1).checkpoint(),
                false);
        deciders.does(Issuer.MIGRATION, new Action.Make(attempt, UserName.of("anna"), good, staged.toString(), ""));
        assertThat(Files.readString(staged.resolve("program"))).isEqualTo("built\n");
        assertThat(Files.readString(staged.resolve("millrace-make.out"))).isEqualTo("talk\n");

        final JobSpec bad = new JobSpec(
                "job",
                SLEEP,
                "#!/bin/sh\nexit 2\n",
                spec(SLEEP, 1).resources(),
                Duration.ofMinutes(1),
                null,
                null,
                Map.of(),
                spec(SLEEP, 1).checkpoint(),
                false);
        final Result answer = deciders.answers(
                Issuer.MIGRATION, new Action.Make(attempt, UserName.of("anna"), bad, staged.toString(), ""));
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("exited with code 2"));
        final Result outside = deciders.answers(
                Issuer.MIGRATION,
                new Action.Make(
                        attempt,
                        UserName.of("anna"),
                        good,
                        home.resolve("staging/bob/" + attempt).toString(),
                        ""));
        assertThat(outside)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("is not below"));
    }

    @Test
    void a_tree_is_copied_while_other_commands_go_on() throws IOException {
        Files.writeString(directory.resolve("größe.txt"), "12345");
        final AttemptId attempt = deciders.attempt();
        final Path staged = home.resolve("staging/" + System.getProperty("user.name") + "x/" + attempt);
        final UserName owner = UserName.of(staged.getParent().getFileName().toString());
        final Result answer = deciders.answers(
                Issuer.TRANSFER,
                new Action.CopyTree(
                        TransferId.of(attempt + "/upload"),
                        owner,
                        new Place(deciders.cluster, null, directory.toString()),
                        new Place(deciders.cluster, null, staged.toString())));
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Result.Done.class, done -> assertThat(done.detail()).contains("digest"));
        assertThat(Files.readString(staged.resolve("größe.txt"))).isEqualTo("12345");
    }

    @Test
    void the_copy_of_a_directory_is_removed_when_no_job_of_it_is_in_the_queue() throws IOException {
        Files.writeString(directory.resolve("input"), "12345");
        final AttemptId attempt = deciders.attempt();
        final Path staged = home.resolve("staging/anna/" + attempt);
        deciders.answers(
                Issuer.TRANSFER,
                new Action.CopyTree(
                        TransferId.of(attempt + "/upload"),
                        UserName.of("anna"),
                        new Place(deciders.cluster, null, directory.toString()),
                        new Place(deciders.cluster, null, staged.toString())));
        final JobKey job = deciders.submit(attempt, staged, spec(SLEEP, 1));
        final Action remove = new Action.RemoveCopy(attempt, UserName.of("anna"), staged.toString());
        assertRefused(deciders.answers(Issuer.TRANSFER, remove), Refusal.STALE, job + ", which is still in the queue");
        assertThat(staged.resolve("input")).exists();

        deciders.answers(Issuer.MIGRATION, new Action.Cancel(job));
        deciders.awaitEnd(job);

        assertThat(deciders.answers(Issuer.TRANSFER, remove)).isInstanceOf(Result.Done.class);
        assertThat(staged).doesNotExist();
        assertThat(staged.getParent()).exists();
        assertThat(directory.resolve("input")).exists();
    }

    @Test
    void a_poisoned_command_is_answered_and_buried_and_the_next_one_carried_out() {
        final String unknownField = "{\"id\":\"migration:fly:x:0\",\"cluster\":\"" + deciders.cluster
                + "\",\"issuer\":\"MIGRATION\",\"wings\":2}";
        poison(unknownField);
        poison("not json at all");
        final JobKey job = deciders.submit(deciders.attempt(), directory, spec(SLEEP, 1));
        assertThat(job).isNotNull();
        assertRefused(deciders.answer(CommandId.of("migration:fly:x:0")), Refusal.UNSUPPORTED, "upgrade the agent");
    }

    private void poison(final String value) {
        try (var producer = new org.apache.kafka.clients.producer.KafkaProducer<>(
                io.millrace.log.Clients.producer(Stack.kafka().bootstrapServers(), Map.of()),
                new org.apache.kafka.common.serialization.StringSerializer(),
                new org.apache.kafka.common.serialization.StringSerializer())) {
            final var record = new org.apache.kafka.clients.producer.ProducerRecord<>(
                    "millrace.commands",
                    deciders.partition(io.millrace.model.protocol.Topic.COMMANDS)
                            .partition(),
                    deciders.cluster.value(),
                    value);
            record.headers()
                    .add("ce_type", "millrace.command.issued.v1".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            producer.send(record);
        }
    }

    @Test
    void a_new_life_settles_what_ended_meanwhile_and_counts_its_revisions_on() throws Exception {
        final JobKey over =
                deciders.run(directory, spec("#!/bin/bash\nwhile [ ! -e go ]; do sleep 0.1; done\nexit 7\n", 1));
        final JobKey still = deciders.run(directory, spec(SLEEP, 1));
        final long before = deciders.view.marker().revision();
        agent.close();
        Files.createFile(directory.resolve("go"));
        agent = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, home);

        assertThat(deciders.awaitEnd(over).outcome()).isEqualTo(new RunOutcome.Exited(7));
        assertThat(deciders.view.job(still).state()).isInstanceOf(JobState.Running.class);
        assertThat(deciders.view.marker().revision()).isGreaterThan(before);
        assertThat(deciders.ends).filteredOn(end -> end.job().equals(over)).hasSize(1);
    }

    @Test
    void of_two_agents_of_one_cluster_only_the_newer_one_acts(@TempDir final Path otherHome) throws Exception {
        deciders.await("a marker", () -> deciders.view.marker() != null);
        final TestAgent newer = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, otherHome);
        try {
            assertThat(agent.takenOver.await(5, TimeUnit.MINUTES)).isTrue();
            final CommandId submit = deciders.order(
                    Issuer.MIGRATION,
                    new Action.Submit(
                            deciders.attempt(), UserName.of("anna"), spec(SLEEP, 1), directory.toString(), ""));
            assertThat(deciders.answer(submit)).isInstanceOf(Result.Done.class);
            assertThat(deciders.begun(submit)).isEqualTo(1);
            assertThat(agent.cluster.observe().get().jobs()).isEmpty();
            assertThat(newer.cluster.observe().get().jobs()).hasSize(1);
        } finally {
            newer.cluster.observe().get().jobs().forEach(job -> newer.cluster.cancel(job.job()));
            newer.close();
        }
    }

    @Test
    void without_active_deciders_control_becomes_native_and_later_directed_again() {
        agent.close();
        agent = agentWithShortDeciderTimeout(UnaryOperator.identity());
        final JobKey job = deciders.released(directory, spec("#!/bin/sh\ntrue\n", 1));
        assertThat(deciders.awaitEnd(job).outcome())
                .as("the local scheduler starts it")
                .isEqualTo(new RunOutcome.Exited(0));
        deciders.await("native control", () -> deciders.view.marker().control() == Control.NATIVE);
        deciders.await("directed control", () -> {
            deciders.put(new PlanClosed(deciders.cluster, Issuer.BACKFILL, 1, Instant.now(), 0, 0));
            return deciders.view.marker().control() == Control.DIRECTED;
        });
        assertThat(home.resolve("heartbeat")).exists();
    }

    @Test
    void without_a_log_control_becomes_native() {
        final JobKey job = deciders.released(directory, spec("#!/bin/sh\ntrue\n", 1));
        agent.close();
        final AtomicBoolean away = new AtomicBoolean(true);
        agent = agentWithShortDeciderTimeout(log -> new Away(log, away));
        deciders.await("native control", () -> agent.cluster.control().get() == Control.NATIVE);
        assertThat(agent.agent.problem()).contains("no broker");

        away.set(false);
        assertThat(deciders.awaitEnd(job).outcome()).isEqualTo(new RunOutcome.Exited(0));
        deciders.await("the agent to work again", () -> agent.agent.problem() == null);
    }

    private TestAgent agentWithShortDeciderTimeout(final UnaryOperator<AgentLog> log) {
        return new TestAgent(
                Stack.kafka().bootstrapServers(),
                deciders.cluster,
                home,
                log,
                UnaryOperator.identity(),
                Duration.ofSeconds(10));
    }

    /** A log that cannot be reached for a while. */
    private record Away(AgentLog log, AtomicBoolean away) implements AgentLog {

        @Override
        public ReplayedState open() {
            if (away.get()) {
                throw new Unavailable("no broker", new java.io.IOException());
            }
            return log.open();
        }

        @Override
        public void commit(final List<Entry> entries) {
            log.commit(entries);
        }

        @Override
        public List<Incoming> poll(final Duration patience) {
            return log.poll(patience);
        }

        @Override
        public void wake() {
            log.wake();
        }

        @Override
        public void close() {
            log.close();
        }
    }

    @Test
    void under_native_control_victims_stand_aside_until_the_beneficiary_runs() {
        agent.cluster.control(Control.NATIVE);
        final JobKey victim = deciders.released(directory, spec(SLEEP, 4));
        deciders.awaitState(victim, JobState.Running.class);
        final JobKey beneficiary = deciders.released(directory, spec(SLEEP, 3));
        deciders.awaitState(beneficiary, JobState.Queued.class);

        deciders.does(Issuer.QUOTA, new Action.Reclaim(List.of(victim), beneficiary));
        deciders.awaitState(beneficiary, JobState.Running.class);
        deciders.awaitState(victim, JobState.Queued.class);
    }

    @Test
    void a_silent_workload_manager_is_unknown_and_never_empty() {
        final JobKey job = deciders.run(directory, spec(SLEEP, 1));
        agent.close();
        final AtomicBoolean silent = new AtomicBoolean();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(),
                deciders.cluster,
                home,
                log -> log,
                wlm -> UnresponsiveWlm.when(silent, wlm));
        final long before = deciders.view.marker().revision();
        deciders.await("the new life", () -> deciders.view.marker().revision() > before);

        silent.set(true);
        deciders.await("a stale marker", () -> deciders.view.marker().health() instanceof WlmHealth.Stale);
        assertThat(deciders.view.job(job).state()).isInstanceOf(JobState.Running.class);
        assertThat(deciders.view.nodes()).hasSize(2);
        assertThat(deciders.view.marker().free().cores()).isEqualTo(3);
        assertRefused(deciders.answers(Issuer.BACKFILL, new Action.Requeue(job)), Refusal.STALE, "does not answer");
        final long stale = deciders.view.marker().revision();
        deciders.await("heartbeats", () -> deciders.view.marker().revision() > stale + 1);
        assertThat(deciders.view.job(job)).isNotNull();

        silent.set(false);
        deciders.await("an answer", () -> deciders.view.marker().health() instanceof WlmHealth.Answering);
        assertThat(deciders.view.job(job).state()).isInstanceOf(JobState.Running.class);
        assertThat(deciders.ends).isEmpty();
    }

    @Test
    void when_nobody_can_tell_what_became_of_a_transaction_the_log_tells() throws IOException {
        agent.close();
        final AtomicReference<Class<?>> doubt = new AtomicReference<>();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(), deciders.cluster, home, log -> new Unsure(log, doubt), wlm -> wlm);
        final JobKey job = deciders.released(directory, spec("#!/bin/sh\necho run >>runs\n", 1));

        doubt.set(Result.Begun.class);
        final CommandId first = deciders.order(Issuer.BACKFILL, new Action.Start(job));
        assertThat(deciders.answer(first)).isInstanceOf(Result.Failed.class);
        assertThat(directory.resolve("runs")).doesNotExist();

        doubt.set(Result.Done.class);
        final CommandId second = deciders.order(Issuer.BACKFILL, new Action.Start(job));
        assertThat(deciders.answer(second)).isInstanceOf(Result.Done.class);
        assertThat(deciders.awaitEnd(job).outcome()).isEqualTo(new RunOutcome.Exited(0));
        deciders.does(Issuer.MIGRATION, new Action.Cancel(deciders.released(directory, spec(SLEEP, 1))));
        assertThat(Files.readString(directory.resolve("runs"))).isEqualTo("run\n");
        final long commands = deciders.written(io.millrace.model.protocol.Topic.COMMANDS);
        deciders.await(
                "a marker that includes all", () -> deciders.view.marker().commandsIncluded() >= commands);
        assertThat(deciders.begun(first)).isEqualTo(1);
        assertThat(deciders.answers(first)).hasSize(1);
        assertThat(deciders.answers(second)).hasSize(1);
    }

    /** Once a result of this kind is written, and nobody learns that it was. */
    private record Unsure(AgentLog log, AtomicReference<Class<?>> doubt) implements AgentLog {

        @Override
        public void commit(final List<Entry> entries) {
            log.commit(entries);
            if (entries.get(0) instanceof Entry.Put put
                    && put.event() instanceof io.millrace.model.command.Outcome outcome
                    && doubt.compareAndSet(outcome.result().getClass(), null)) {
                throw new Unavailable("no acknowledgement", new java.util.concurrent.TimeoutException());
            }
        }

        @Override
        public ReplayedState open() {
            return log.open();
        }

        @Override
        public List<Incoming> poll(final Duration patience) {
            return log.poll(patience);
        }

        @Override
        public void wake() {
            log.wake();
        }

        @Override
        public void close() {
            log.close();
        }
    }

    private static void assertRefused(final Result result, final Refusal why, final String because) {
        assertThat(result).isInstanceOfSatisfying(Result.Refused.class, refused -> {
            assertThat(refused.refusal()).isEqualTo(why);
            assertThat(refused.reason()).contains(because);
        });
    }
}
