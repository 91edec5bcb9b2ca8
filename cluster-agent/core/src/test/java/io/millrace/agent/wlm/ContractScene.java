package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.acceptance.AdapterScenarios;
import io.millrace.agent.acceptance.TestQueue;
import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A cluster, and the operations in which the examples of the contract are written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ContractScene {

    static final String SLEEP = "#!/bin/sh\nsleep 600\n";

    ClusterUnderTest cluster;
    WorkloadManager wlm;
    Path directory;
    private int attempts;

    protected abstract ClusterUnderTest open();

    @BeforeAll
    void open_the_cluster() {
        cluster = open();
        wlm = cluster.wlm();
    }

    @AfterAll
    void close_the_cluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void make_a_directory() {
        directory = cluster.directory();
    }

    @AfterEach
    void empty_the_queue() {
        observe().jobs().forEach(job -> wlm.cancel(job.job()));
        await("an empty queue", () -> observe().jobs(), List::isEmpty);
    }

    /** The scenarios that the acceptance test of a site runs as well. */
    AdapterScenarios scenarios() {
        return new AdapterScenarios(queue());
    }

    private TestQueue queue() {
        final Duration walltime = cluster.shortestWalltime();
        return new TestQueue(
                () -> wlm,
                new TestQueue.Scene(
                        cluster.owner(), null, "", walltime, cluster.patience().plus(walltime), Duration.ofMillis(150)),
                new ProcessRunner(new Accounts()).as(cluster.owner()),
                directory.toString());
    }

    /** Submits, releases and starts. */
    JobKey run(final JobSpec spec) {
        final JobKey job = submit(attempt(), spec);
        assertAccepted(holding().release(job, HoldKind.SUBMISSION));
        assertAccepted(starting().start(job));
        return job;
    }

    JobKey submit(final AttemptId attempt, final JobSpec spec) {
        return wlm.submit(submission(attempt, spec)).get();
    }

    Submission submission(final AttemptId attempt, final JobSpec spec) {
        return new Submission(attempt, cluster.owner(), spec, directory.toString());
    }

    JobKey nobody() {
        return new JobKey(new JobId(cluster.cluster(), "987654"), Instant.parse("2020-01-01T00:00:00Z"));
    }

    AttemptId attempt() {
        final String tail = "%016d".formatted(System.nanoTime() % 1_000_000_000_000L * 1000 + attempts++);
        return GlobalJobId.of("01HZZZZZZZ" + tail).attempt(1);
    }

    static JobSpec spec(final String name, final String script) {
        return spec(name, script, 1, Duration.ofMinutes(10));
    }

    static JobSpec spec(final String name, final String script, final int cores, final Duration walltime) {
        return new JobSpec(
                name,
                script,
                null,
                Resources.cores(cores),
                walltime,
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
    }

    static JobSpec specWith(final String name, final String script, final Map<String, String> environment) {
        return new JobSpec(
                name,
                script,
                null,
                Resources.cores(1),
                Duration.ofMinutes(10),
                null,
                null,
                environment,
                new CheckpointMethod.None(),
                false);
    }

    Starting starting() {
        return wlm.get(Starting.class);
    }

    Holding holding() {
        return wlm.get(Holding.class);
    }

    Observation observe() {
        return queue().observe();
    }

    @Nullable
    JobObserved find(final JobKey job) {
        return queue().find(job);
    }

    JobObserved observed(final JobKey job) {
        return queue().observed(job);
    }

    JobObserved awaitState(final JobKey job, final Predicate<JobState> wanted) {
        return queue().awaitState(job, wanted);
    }

    JobObserved awaitRunning(final JobKey job) {
        return queue().awaitRunning(job);
    }

    List<Run> ended(final JobKey job) {
        return queue().ended(job);
    }

    Run awaitEnd(final JobKey job) {
        return queue().awaitEnd(job);
    }

    Run awaitOutcome(final JobKey job, final RunOutcome outcome) {
        final Run run = awaitEnd(job);
        assertThat(run.outcome()).isEqualTo(outcome);
        return run;
    }

    int largestNode() {
        return observe().nodes().stream()
                .mapToInt(node -> node.total().cores())
                .max()
                .orElseThrow();
    }

    static int cores(final List<NodeObserved> nodes, final java.util.function.Function<NodeObserved, Resources> which) {
        return nodes.stream().mapToInt(node -> which.apply(node).cores()).sum();
    }

    String read(final String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }

    String readIfThere(final String file) {
        try {
            return Files.exists(directory.resolve(file)) ? read(file) : "";
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    long awaitNumber(final String file) {
        return Long.parseLong(
                await("a number in " + file, () -> readIfThere(file).strip(), text -> !text.isEmpty()));
    }

    static void assertAccepted(final Answer<Accepted> answer) {
        assertThat(answer).isInstanceOf(Answer.Ok.class);
    }

    static void assertTrouble(final Answer<?> answer, final Answer.Kind kind, final String named) {
        assertThat(answer).isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
            assertThat(trouble.kind()).as(trouble.reason()).isEqualTo(kind);
            assertThat(trouble.reason()).contains(named);
        });
    }

    <T> T await(final String what, final Supplier<T> poll, final Predicate<T> wanted) {
        return queue().await(what, poll, wanted);
    }
}
