package io.millrace.agent;

import static io.millrace.agent.Deciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise 3 on the embedded cluster: the agent's process is killed between {@code Begun} and its answer, and at any other moment. */
class CrashIT {

    private static final String COUNTING = "#!/bin/sh\necho run >>runs\nexec sleep 600\n";
    private static final UserName ANNA = UserName.of("anna");

    @TempDir
    Path home;

    @TempDir
    Path directory;

    private Deciders deciders;
    private Process agent;

    @BeforeEach
    void start() throws IOException {
        deciders = new Deciders(Stack.kafka().bootstrapServers());
        agent = agent();
    }

    @AfterEach
    void stop() throws Exception {
        deciders.await("all to be cancelled", () -> {
            for (final JobObserved job : deciders.view.jobs()) {
                if (!(job.state() instanceof JobState.Completing) && !(job.state() instanceof JobState.Unsettled)) {
                    deciders.answers(Issuer.MIGRATION, new Action.Cancel(job.job()));
                }
            }
            return deciders.view.jobs().isEmpty();
        });
        agent.getOutputStream().close();
        assertThat(agent.waitFor(30, TimeUnit.SECONDS)).isTrue();
        deciders.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "answer"})
    void a_submit_hands_in_one_job_or_none(final String trap) throws Exception {
        final AttemptId attempt = deciders.attempt();
        final Result answer = crashIn(
                trap, Issuer.MIGRATION, new Action.Submit(attempt, ANNA, spec(COUNTING, 1), directory.toString(), ""));

        deciders.await("a look after the answer", this::hasLooked);
        final List<JobObserved> jobs = deciders.view.jobs().stream()
                .filter(job -> attempt.equals(job.attempt()))
                .toList();
        if (trap.equals("begun")) {
            assertThat(answer).isInstanceOf(Result.Failed.class);
            assertThat(jobs).isEmpty();
        } else {
            assertThat(jobs).hasSize(1);
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Result.Done.class,
                            done -> assertThat(done.job()).isEqualTo(jobs.get(0).job()));
            assertThat(jobs.get(0).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "answer"})
    void a_start_runs_the_job_once_or_not_at_all(final String trap) throws Exception {
        final JobKey job = deciders.released(directory, spec(COUNTING, 1));
        final Result answer = crashIn(trap, Issuer.BACKFILL, new Action.Start(job));

        if (trap.equals("begun")) {
            assertThat(answer).isInstanceOf(Result.Failed.class);
            assertThat(runs()).isZero();
            deciders.does(Issuer.BACKFILL, new Action.Start(job));
        } else {
            assertThat(answer).isInstanceOf(Result.Done.class);
        }
        deciders.awaitState(job, JobState.Running.class);
        deciders.await("the script to begin", () -> runs() > 0);
        assertThat(runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "answer"})
    void a_requeue_costs_one_run_or_none(final String trap) throws Exception {
        final JobKey job = deciders.run(directory, spec(COUNTING, 1));
        final Result answer = crashIn(trap, Issuer.BACKFILL, new Action.Requeue(job));

        if (trap.equals("begun")) {
            assertThat(answer).isInstanceOf(Result.Failed.class);
            assertThat(deciders.view.job(job).restarts()).isZero();
        } else {
            assertThat(answer).isInstanceOf(Result.Done.class);
            deciders.awaitState(job, JobState.Held.class);
            assertThat(deciders.view.job(job).restarts()).isEqualTo(1);
            deciders.await("the end of the run", () -> !deciders.ends.isEmpty());
            assertThat(deciders.ends).extracting(end -> end.outcome()).containsExactly(new RunOutcome.Requeued());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "answer"})
    void a_cancel_ends_the_job_or_leaves_it(final String trap) throws Exception {
        final JobKey job = deciders.released(directory, spec(COUNTING, 1));
        final Result answer = crashIn(trap, Issuer.MIGRATION, new Action.Cancel(job));

        if (trap.equals("begun")) {
            assertThat(answer).isInstanceOf(Result.Failed.class);
            deciders.await("a look after the answer", this::hasLooked);
            assertThat(deciders.view.job(job)).isNotNull();
        } else {
            assertThat(answer).isInstanceOf(Result.Done.class);
            assertThat(deciders.awaitEnd(job).outcome()).isEqualTo(new RunOutcome.Cancelled());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "answer"})
    void a_reclaim_is_done_or_has_lost_nothing(final String trap) throws Exception {
        final JobKey victim = deciders.run(directory, spec(COUNTING, 4));
        final JobKey beneficiary = deciders.released(directory, spec("#!/bin/sh\nexec sleep 600\n", 2));
        final Result answer = crashIn(trap, Issuer.QUOTA, new Action.Reclaim(List.of(victim), beneficiary));

        if (trap.equals("begun")) {
            assertThat(answer).isInstanceOf(Result.Failed.class);
            assertThat(deciders.view.job(victim).state()).isInstanceOf(JobState.Running.class);
        } else {
            assertThat(answer).isInstanceOf(Result.Done.class);
            deciders.awaitState(beneficiary, JobState.Running.class);
            deciders.awaitState(victim, JobState.Held.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "answer"})
    void a_checkpoint_is_remembered_or_was_not_taken(final String trap) throws Exception {
        final JobKey job = deciders.run(
                directory,
                spec(
                        "#!/bin/bash\necho run >>runs\ntrap 'touch saved' USR1\ntouch ready\nwhile true; do sleep 0.2; done\n",
                        1));
        deciders.await("it to listen", () -> Files.exists(directory.resolve("ready")));
        final Result answer = crashIn(
                trap,
                Issuer.BACKFILL,
                new Action.Checkpoint(job, new CheckpointMethod.Application("USR1", "saved", Duration.ofSeconds(30))));

        if (trap.equals("begun")) {
            assertThat(answer).isInstanceOf(Result.Failed.class);
            assertThat(deciders.view.job(job).restarts()).isZero();
            assertThat(deciders.view.job(job).walltime()).isEqualTo(Duration.ofMinutes(10));
            assertThat(deciders.ends).isEmpty();
        } else {
            assertThat(answer).isInstanceOf(Result.Done.class);
            deciders.awaitState(job, JobState.Held.class);
            deciders.await("the end of the run", () -> !deciders.ends.isEmpty());
            assertThat(deciders.ends)
                    .singleElement()
                    .satisfies(end -> assertThat(end.outcome()).isInstanceOf(RunOutcome.Checkpointed.class));
            deciders.await(
                    "the rest of its walltime",
                    () -> !Duration.ofMinutes(10).equals(deciders.view.job(job).walltime()));
        }
        assertThat(runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "answer"})
    void a_walltime_is_altered_or_not_and_the_answer_says_which(final String trap) throws Exception {
        final JobKey job = deciders.released(directory, spec(COUNTING, 1));
        final Result answer = crashIn(trap, Issuer.BACKFILL, new Action.AlterWalltime(job, Duration.ofMinutes(3)));

        assertThat(answer).isInstanceOf(trap.equals("begun") ? Result.Failed.class : Result.Done.class);
        deciders.await("a look after the answer", this::hasLooked);
        assertThat(deciders.view.job(job).walltime())
                .isEqualTo(trap.equals("begun") ? Duration.ofMinutes(10) : Duration.ofMinutes(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "answer"})
    void a_rehearsal_hands_nothing_in_whatever_happens(final String trap) throws Exception {
        final Result answer = crashIn(
                trap,
                Issuer.SUBMIT,
                new Action.DryRun(deciders.attempt(), ANNA, spec(COUNTING, 1), directory.toString(), ""));
        assertThat(answer).isInstanceOf(Result.Failed.class);
        deciders.await("a look after the answer", this::hasLooked);
        assertThat(deciders.view.jobs()).isEmpty();
    }

    @Test
    void a_make_step_that_was_under_way_runs_on_and_is_answered_for() throws Exception {
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
                plain.checkpoint());
        final CommandId make = deciders.order(
                Issuer.MIGRATION, new Action.Make(deciders.attempt(), ANNA, spec, directory.toString(), ""));
        deciders.await("the make step to begin", () -> Files.exists(directory.resolve("makes")));
        kill();
        agent = agent();
        Files.createFile(directory.resolve("go"));

        assertThat(deciders.answer(make)).isInstanceOf(Result.Done.class);
        assertThat(Files.readString(directory.resolve("makes"))).isEqualTo("made\n");
    }

    @Test
    void killed_at_any_moment_it_answers_each_command_once_and_runs_each_job_once() throws Exception {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int round = 0; round < 8; round++) {
            final AttemptId attempt = deciders.attempt();
            final Path own = Files.createDirectory(directory.resolve("round" + round));
            final CommandId submit = deciders.order(
                    Issuer.MIGRATION,
                    new Action.Submit(attempt, ANNA, spec("#!/bin/sh\necho run >>runs\n", 1), own.toString(), ""));
            Thread.sleep(random.nextInt(400));
            kill();
            agent = agent();
            final Result answer = deciders.answer(submit);
            if (!(answer instanceof Result.Done done)) {
                assertThat(answer).as("seed " + seed).isInstanceOf(Result.Failed.class);
                continue;
            }
            deciders.does(Issuer.MIGRATION, new Action.Release(done.job()));
            final CommandId start = deciders.order(Issuer.BACKFILL, new Action.Start(done.job()));
            Thread.sleep(random.nextInt(400));
            kill();
            agent = agent();
            if (deciders.answer(start) instanceof Result.Done) {
                assertThat(deciders.awaitEnd(done.job()).outcome()).isEqualTo(new RunOutcome.Exited(0));
                assertThat(Files.readString(own.resolve("runs")))
                        .as("seed " + seed)
                        .isEqualTo("run\n");
            }
            assertThat(deciders.begun(submit)).as("seed " + seed).isLessThanOrEqualTo(1);
            assertThat(deciders.answers(submit)).as("seed " + seed).hasSize(1);
            assertThat(deciders.answers(start)).as("seed " + seed).hasSize(1);
            // Killed before the run's process was there, it puts the job back and tells that, too.
            assertThat(deciders.ends)
                    .as("seed " + seed)
                    .filteredOn(
                            end -> end.job().equals(done.job()) && end.outcome().endsTheKey())
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    private Result crashIn(final String trap, final Issuer issuer, final Action action) throws Exception {
        Files.writeString(home.resolve("trap"), trap);
        final CommandId command = deciders.order(issuer, action);
        assertThat(agent.waitFor(60, TimeUnit.SECONDS))
                .as("the agent dies at '" + trap + "'")
                .isTrue();
        assertThat(agent.exitValue()).isEqualTo(137);
        deciders.hear();
        assertThat(deciders.answers(command)).isEmpty();
        agent = agent();
        final Result answer = deciders.answer(command);
        assertThat(deciders.begun(command)).isEqualTo(1);
        return answer;
    }

    private void kill() throws InterruptedException {
        agent.destroyForcibly();
        assertThat(agent.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    /** Two further revisions: what is not in the view now is not in the queue. */
    private boolean hasLooked() {
        if (lookedFrom < 0) {
            lookedFrom =
                    deciders.view.marker() == null ? 0 : deciders.view.marker().revision();
        }
        return deciders.view.marker() != null && deciders.view.marker().revision() >= lookedFrom + 2;
    }

    private long lookedFrom = -1;

    private long runs() {
        try {
            final Path runs = directory.resolve("runs");
            return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Process agent() throws IOException {
        final String surefires = System.getProperty("surefire.test.class.path");
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                        "-cp",
                        surefires == null ? System.getProperty("java.class.path") : surefires,
                        CrashingAgent.class.getName(),
                        Stack.kafka().bootstrapServers(),
                        deciders.cluster.value(),
                        home.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        home.resolve("agent.log").toFile()))
                .start();
    }
}
