package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Promise 3: the agent's process is killed while it executes a command. The next process answers the command once, the answer is true, and
 * the command is not executed a second time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CrashContract {

    /** A script that counts its runs in the file {@code runs}. */
    static final String COUNTING = "#!/bin/sh\necho run >>runs\nexec sleep 600\n";

    /**
     * The moment at which the agent is killed.
     *
     * @param place as the agent reads it from the file {@code trap}
     * @param takesEffect whether the command takes effect nevertheless; null if both are possible
     */
    record Trap(String place, @Nullable Boolean takesEffect) {

        static Trap before(final String place) {
            return new Trap(place, false);
        }

        static Trap after(final String place) {
            return new Trap(place, true);
        }

        static Trap during(final String place) {
            return new Trap(place, null);
        }

        @Override
        public String toString() {
            return place;
        }
    }

    /** Below the folder of the class: the agent's own folder, with its log and the file {@code trap}. */
    Path home;

    FakeDeciders deciders;
    Path directory;
    Process agent;
    private Path folder;

    /** The traps of each command; a run takes a sample. */
    abstract Stream<Trap> submits();

    abstract Stream<Trap> starts();

    abstract Stream<Trap> requeues();

    abstract Stream<Trap> cancels();

    abstract Stream<Trap> walltimes();

    /** A fresh working directory for jobs. */
    abstract Path newDirectory() throws IOException;

    /** Main class and arguments of an agent that dies at the trap. */
    abstract List<String> agentCommand();

    /** A submit command for a job of one core with the script {@link #COUNTING}. */
    abstract Action.Submit submit(AttemptId attempt);

    /** The jobs in the queue, as of now. */
    abstract List<JobObserved> queue();

    /** The commands that all agents have given to the workload manager, if they are recorded. */
    List<String> journal() {
        return List.of();
    }

    @BeforeAll
    void createFolder(@TempDir final Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void start() throws IOException {
        home = Files.createTempDirectory(folder, "agent");
        deciders = new FakeDeciders(Stack.kafka().bootstrapServers());
        directory = newDirectory();
        agent = startAgent();
    }

    @AfterEach
    void stop() throws Exception {
        cancelAll();
        agent.getOutputStream().close();
        assertThat(agent.waitFor(5, TimeUnit.MINUTES)).isTrue();
        deciders.close();
    }

    abstract void cancelAll();

    @ParameterizedTest
    @MethodSource("submits")
    void a_submit_creates_one_job_or_none(final Trap trap) throws Exception {
        final AttemptId attempt = deciders.attempt();
        final Result answer = crashAt(trap, Issuer.MIGRATION, submit(attempt));

        final List<JobObserved> jobs =
                queue().stream().filter(job -> attempt.equals(job.attempt())).toList();
        assertThat(jobs).hasSize(answer instanceof Result.Done ? 1 : 0);
        if (answer instanceof Result.Done done) {
            assertThat(done.job()).isEqualTo(jobs.getFirst().job());
            assertThat(jobs.getFirst().state()).isInstanceOf(JobState.Held.class);
        }
    }

    @ParameterizedTest
    @MethodSource("starts")
    void a_start_runs_the_job_once_or_not_at_all(final Trap trap) throws Exception {
        final JobKey job = released();
        final Result answer = crashAt(trap, Issuer.BACKFILL, new Action.Start(job));

        if (answer instanceof Result.Failed) {
            assertThat(observed(job).state()).isInstanceOf(JobState.Held.class);
            assertThat(runs()).isZero();
            deciders.does(Issuer.BACKFILL, new Action.Start(job));
        }
        deciders.awaitState(job, JobState.Running.class);
        deciders.await("the start of the script", () -> runs() > 0);
        assertThat(runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("requeues")
    void a_requeue_costs_one_run_or_none(final Trap trap) throws Exception {
        final JobKey job = running();
        final Result answer = crashAt(trap, Issuer.BACKFILL, new Action.Requeue(job));

        deciders.await(job + " to settle", () -> !(observed(job).state() instanceof JobState.Completing));
        assertThat(observed(job).restarts()).isEqualTo(answer instanceof Result.Done ? 1 : 0);
        assertThat(observed(job).state())
                .isInstanceOf(answer instanceof Result.Done ? JobState.Held.class : JobState.Running.class);
        assertThat(runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("cancels")
    void a_cancel_ends_the_job_or_changes_nothing(final Trap trap) throws Exception {
        final JobKey job = released();
        final Result answer = crashAt(trap, Issuer.MIGRATION, new Action.Cancel(job));

        final boolean exists = queue().stream().anyMatch(seen -> seen.job().equals(job));
        assertThat(exists).isEqualTo(!(answer instanceof Result.Done));
    }

    @ParameterizedTest
    @MethodSource("walltimes")
    void a_walltime_changes_exactly_if_the_answer_is_done(final Trap trap) throws Exception {
        final JobKey job = released();
        final Duration before = observed(job).walltime();
        final Duration other = before.minusMinutes(3);
        final Result answer = crashAt(trap, Issuer.BACKFILL, new Action.AlterWalltime(job, other));

        assertThat(observed(job).walltime()).isEqualTo(answer instanceof Result.Done ? other : before);
    }

    // ---- the crash

    /** Issues the command, waits for the agent's death at the trap, starts the next agent, and returns its only answer. */
    Result crashAt(final Trap trap, final Issuer issuer, final Action action) throws Exception {
        Files.writeString(home.resolve("trap"), trap.place());
        final CommandId command = deciders.order(issuer, action);
        assertThat(agent.waitFor(5, TimeUnit.MINUTES))
                .as("the agent dies at '" + trap + "'")
                .isTrue();
        assertThat(agent.exitValue()).isEqualTo(137);
        deciders.hear();
        assertThat(deciders.answers(command)).isEmpty();
        final List<String> before = journal();

        agent = startAgent();
        final Result answer = deciders.answer(command);
        deciders.hear();
        assertThat(deciders.begun(command)).isEqualTo(1);
        assertThat(deciders.answers(command)).hasSize(1);
        assertThat(journal()).as("commands given by the agent after the crash").isEqualTo(before);
        assertThat(answer).isInstanceOfAny(Result.Done.class, Result.Failed.class);
        if (trap.takesEffect() != null) {
            assertThat(answer).isInstanceOf(trap.takesEffect() ? Result.Done.class : Result.Failed.class);
        }
        return answer;
    }

    void kill() throws InterruptedException {
        agent.destroyForcibly();
        assertThat(agent.waitFor(5, TimeUnit.MINUTES)).isTrue();
    }

    Process startAgent() throws IOException {
        final String surefires = System.getProperty("surefire.test.class.path");
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-cp",
                surefires == null ? System.getProperty("java.class.path") : surefires));
        command.addAll(agentCommand());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        home.resolve("agent.log").toFile()))
                .start();
    }

    // ---- scenes

    JobKey released() {
        final JobKey job =
                deciders.does(Issuer.MIGRATION, submit(deciders.attempt())).job();
        deciders.does(Issuer.MIGRATION, new Action.Release(job));
        return job;
    }

    JobKey running() {
        final JobKey job = released();
        deciders.does(Issuer.BACKFILL, new Action.Start(job));
        deciders.awaitState(job, JobState.Running.class);
        deciders.await("the start of the script", () -> runs() == 1);
        return job;
    }

    JobObserved observed(final JobKey job) {
        return queue().stream()
                .filter(seen -> seen.job().equals(job))
                .findFirst()
                .orElseThrow();
    }

    long runs() {
        final Path runs = directory.resolve("runs");
        try {
            return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
