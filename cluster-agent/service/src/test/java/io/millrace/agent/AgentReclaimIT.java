package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.ReserveVictim;
import io.millrace.model.command.Result;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reclaims of an agent with one embedded cluster of four cores. */
class AgentReclaimIT extends AgentScenario {

    @Test
    void a_reclaim_requeues_its_victims_and_starts_the_beneficiary_before_other_jobs() {
        final JobKey stubborn = runStubborn();
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
    void a_reclaim_saves_one_victim_suspends_another_and_requeues_the_one_not_saved_in_time() {
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

    @Test
    void a_reclaim_whose_beneficiary_goes_away_says_that_nothing_is_lost() {
        final JobKey stubborn = runStubborn();
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
    void under_native_control_victims_stay_held_until_the_beneficiary_runs() {
        agent.cluster.control(Control.NATIVE);
        final JobKey victim = deciders.released(directory, spec(SLEEP, 4));
        deciders.awaitState(victim, JobState.Running.class);
        final JobKey beneficiary = deciders.released(directory, spec(SLEEP, 3));
        deciders.awaitState(beneficiary, JobState.Queued.class);

        deciders.does(Issuer.QUOTA, new Action.Reclaim(List.of(victim), beneficiary));
        deciders.awaitState(beneficiary, JobState.Running.class);
        deciders.awaitState(victim, JobState.Queued.class);
    }

    /** Runs a job on all cores that ignores SIGTERM, which it could not do from its first moment. */
    private JobKey runStubborn() {
        final JobKey stubborn = deciders.run(
                directory, spec("#!/bin/bash\ntrap '' TERM\ntouch stubborn\nwhile true; do sleep 0.2; done\n", 4));
        deciders.await("the job to ignore SIGTERM", () -> Files.exists(directory.resolve("stubborn")));
        return stubborn;
    }

    private static Preemption saved(final JobKey victim, final String marker, final Duration grace) {
        return new Preemption(
                victim,
                Preemption.Mode.CHECKPOINT,
                new CheckpointMethod.Application("USR1", marker, grace),
                1,
                "for the test");
    }
}
