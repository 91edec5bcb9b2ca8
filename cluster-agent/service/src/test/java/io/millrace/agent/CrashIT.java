package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Sample;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The crash contract on the embedded cluster, where the agent is killed right after {@code Begun} or right before its answer. The agent that
 * a test started continues in the next one.
 */
class CrashIT extends CrashContract {

    private static final UserName ANNA = UserName.of("anna");

    @Override
    Stream<Trap> submits() {
        return traps("submits");
    }

    @Override
    Stream<Trap> starts() {
        return traps("starts");
    }

    @Override
    Stream<Trap> requeues() {
        return traps("requeues");
    }

    @Override
    Stream<Trap> cancels() {
        return traps("cancels");
    }

    @Override
    Stream<Trap> walltimes() {
        return traps("walltimes");
    }

    Stream<Trap> reclaims() {
        return traps("reclaims");
    }

    Stream<Trap> checkpoints() {
        return traps("checkpoints");
    }

    /** A dry run is not repeated after a crash, so it fails in both cases. */
    Stream<Trap> dryRuns() {
        return Sample.of("CrashIT.dryRuns", Trap.before("begun"), Trap.before("answer"));
    }

    private static Stream<Trap> traps(final String command) {
        return Sample.of("CrashIT." + command, Trap.before("begun"), Trap.after("answer"));
    }

    @BeforeEach
    @Override
    void start() throws IOException {
        if (agent == null) {
            super.start();
        } else {
            directory = newDirectory();
        }
    }

    @AfterEach
    @Override
    void stop() {
        cancelAll();
    }

    @AfterAll
    void stopAgent() throws Exception {
        super.stop();
    }

    @Override
    Path newDirectory() throws IOException {
        return TestAccounts.give(Files.createTempDirectory(home, "jobs"));
    }

    @Override
    List<String> agentCommand() {
        return List.of(
                CrashingAgent.class.getName(),
                Stack.kafka().bootstrapServers(),
                deciders.cluster.value(),
                home.toString());
    }

    @Override
    Action.Submit submit(final AttemptId attempt) {
        return new Action.Submit(attempt, ANNA, spec(COUNTING, 1), directory.toString(), "");
    }

    /** The view after two further revisions, which reflects the queue after this call. */
    @Override
    List<JobObserved> queue() {
        deciders.hear();
        final long seen =
                deciders.view.marker() == null ? 0 : deciders.view.marker().revision();
        deciders.await(
                "two further revisions",
                () -> deciders.view.marker() != null && deciders.view.marker().revision() >= seen + 2);
        return List.copyOf(deciders.view.jobs());
    }

    @Override
    void cancelAll() {
        deciders.await("the end of all jobs", () -> {
            for (final JobObserved job : deciders.view.jobs()) {
                if (!(job.state() instanceof JobState.Completing) && !(job.state() instanceof JobState.Unsettled)) {
                    deciders.answers(Issuer.MIGRATION, new Action.Cancel(job.job()));
                }
            }
            return deciders.view.jobs().isEmpty();
        });
    }

    @Test
    void the_run_of_a_requeued_job_is_reported_as_requeued() throws Exception {
        final JobKey job = running();
        assertThat(crashAt(Trap.after("answer"), Issuer.BACKFILL, new Action.Requeue(job)))
                .isInstanceOf(Result.Done.class);
        deciders.await("the end of the run", () -> !ends(job).isEmpty());
        assertThat(ends(job)).extracting(RunEnded::outcome).containsExactly(new RunOutcome.Requeued());
    }

    @ParameterizedTest
    @MethodSource("reclaims")
    void a_reclaim_completes_or_changes_nothing(final Trap trap) throws Exception {
        final JobKey victim = deciders.run(directory, spec(COUNTING, 4));
        final JobKey beneficiary = deciders.released(directory, spec("#!/bin/sh\nexec sleep 600\n", 2));
        final Result answer = crashAt(trap, Issuer.QUOTA, new Action.Reclaim(List.of(victim), beneficiary));

        if (!trap.takesEffect()) {
            assertThat(answer).isInstanceOf(Result.Failed.class);
            assertThat(deciders.view.job(victim).state()).isInstanceOf(JobState.Running.class);
        } else {
            assertThat(answer).isInstanceOf(Result.Done.class);
            deciders.awaitState(beneficiary, JobState.Running.class);
            deciders.awaitState(victim, JobState.Held.class);
        }
    }

    @ParameterizedTest
    @MethodSource("checkpoints")
    void a_checkpoint_is_taken_exactly_if_the_answer_is_done(final Trap trap) throws Exception {
        final JobKey job = deciders.run(
                directory,
                spec(
                        "#!/bin/bash\n"
                                + "echo run >>runs\n"
                                + "trap ': >saved' USR1\n"
                                + "touch ready\n"
                                + "while true; do sleep 0.2; done\n",
                        1));
        deciders.await("the script to install its trap", () -> Files.exists(directory.resolve("ready")));
        final Result answer = crashAt(
                trap,
                Issuer.BACKFILL,
                new Action.Checkpoint(job, new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(5))));

        if (!trap.takesEffect()) {
            assertThat(answer).isInstanceOf(Result.Failed.class);
            assertThat(deciders.view.job(job).restarts()).isZero();
            assertThat(deciders.view.job(job).walltime()).isEqualTo(Duration.ofMinutes(10));
            assertThat(ends(job)).isEmpty();
        } else {
            assertThat(answer).isInstanceOf(Result.Done.class);
            deciders.awaitState(job, JobState.Held.class);
            deciders.await("the end of the run", () -> !ends(job).isEmpty());
            assertThat(ends(job))
                    .singleElement()
                    .satisfies(end -> assertThat(end.outcome()).isInstanceOf(RunOutcome.Checkpointed.class));
            deciders.await(
                    "the rest of its walltime",
                    () -> !Duration.ofMinutes(10).equals(deciders.view.job(job).walltime()));
        }
        assertThat(runs()).isEqualTo(1);
    }

    private List<RunEnded> ends(final JobKey job) {
        return deciders.ends.stream().filter(end -> end.job().equals(job)).toList();
    }

    @ParameterizedTest
    @MethodSource("dryRuns")
    void a_dry_run_creates_no_job(final Trap trap) throws Exception {
        final Result answer = crashAt(
                trap,
                Issuer.SUBMIT,
                new Action.DryRun(deciders.attempt(), ANNA, spec(COUNTING, 1), directory.toString(), ""));
        assertThat(answer).isInstanceOf(Result.Failed.class);
        assertThat(queue()).isEmpty();
    }

    @Test
    void a_running_make_step_survives_the_agent_and_is_answered() throws Exception {
        final JobSpec plain = spec(COUNTING, 1);
        final JobSpec spec = new JobSpec(
                "job",
                COUNTING,
                "#!/bin/bash\necho made >>makes\nwhile [ ! -e go ]; do sleep 0.1; done\n",
                plain.resources(),
                plain.walltime(),
                null,
                null,
                Map.of(),
                plain.checkpoint(),
                false);
        final CommandId make = deciders.order(
                Issuer.MIGRATION, new Action.Make(deciders.attempt(), ANNA, spec, directory.toString(), ""));
        deciders.await("the start of the make step", () -> Files.exists(directory.resolve("makes")));
        kill();
        agent = startAgent();
        Files.createFile(directory.resolve("go"));

        assertThat(deciders.answer(make)).isInstanceOf(Result.Done.class);
        assertThat(Files.readString(directory.resolve("makes"))).isEqualTo("made\n");
    }

    @Test
    void killed_at_any_moment_it_answers_each_command_once_and_runs_each_job_once() throws Exception {
        final long seed = Sample.seed();
        final Random random = Sample.random("CrashIT.killed_at_any_moment");
        for (int round = 0; round < Sample.rounds(2, 30); round++) {
            final AttemptId attempt = deciders.attempt();
            final Path own = TestAccounts.give(Files.createDirectory(directory.resolve("round" + round)));
            final CommandId submit = deciders.order(
                    Issuer.MIGRATION,
                    new Action.Submit(attempt, ANNA, spec("#!/bin/sh\necho run >>runs\n", 1), own.toString(), ""));
            Thread.sleep(random.nextInt(400));
            kill();
            agent = startAgent();
            final Result answer = deciders.answer(submit);
            if (!(answer instanceof Result.Done done)) {
                assertThat(answer).as("seed " + seed).isInstanceOf(Result.Failed.class);
                continue;
            }
            deciders.does(Issuer.MIGRATION, new Action.Release(done.job()));
            final CommandId start = deciders.order(Issuer.BACKFILL, new Action.Start(done.job()));
            Thread.sleep(random.nextInt(400));
            kill();
            agent = startAgent();
            if (deciders.answer(start) instanceof Result.Done) {
                if (wasRequeued(done.job())) {
                    deciders.does(Issuer.BACKFILL, new Action.Start(done.job()));
                }
                assertThat(deciders.awaitEnd(done.job()).outcome()).isEqualTo(new RunOutcome.Exited(0));
                assertThat(Files.readString(own.resolve("runs")))
                        .as("seed " + seed)
                        .isEqualTo("run\n");
            }
            assertThat(deciders.begun(submit)).as("seed " + seed).isLessThanOrEqualTo(1);
            assertThat(deciders.answers(submit)).as("seed " + seed).hasSize(1);
            assertThat(deciders.answers(start)).as("seed " + seed).hasSize(1);
            assertThat(ends(done.job()))
                    .as("seed " + seed)
                    .filteredOn(end -> end.outcome().endsTheKey())
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    /**
     * Awaits the end of the job or of its first run. An agent that is killed before the process of the run exists requeues the
     * job and reports that as the end of a run; backfill-service then starts the job again.
     */
    private boolean wasRequeued(final JobKey job) {
        deciders.await("the end or the requeue of " + job, () -> !ends(job).isEmpty());
        return ends(job).stream().noneMatch(end -> end.outcome().endsTheKey());
    }
}
