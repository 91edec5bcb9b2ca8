package io.millrace.agent.acceptance;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.JobSpec;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The queue in which scenarios run their jobs, all of one user, in one directory: submits, observes, waits, and cleans up. */
public final class TestQueue {

    static final Duration WALLTIME = Duration.ofMinutes(10);

    private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final RandomGenerator RANDOM = new SecureRandom();

    /**
     * Where and how the jobs run.
     *
     * @param partition null: the default partition of the cluster
     * @param prefix of the names of all jobs; the jobs of the user with this prefix are cancelled by {@link #clear}
     * @param shortestWalltime the shortest walltime that the workload manager can enforce
     * @param patience how long to wait for a change before a check fails
     * @param interval time between two observations
     */
    public record Scene(
            UserName user,
            @Nullable PartitionName partition,
            String prefix,
            Duration shortestWalltime,
            Duration patience,
            Duration interval) {}

    private final Supplier<WorkloadManager> wlm;
    private final Scene scene;
    private final Runner owner;
    private final String directory;
    private final OwnerFiles files;

    /**
     * @param wlm the adapter; it may be opened again between two calls
     * @param owner runs commands with the rights of the user
     * @param directory a directory of the user that all nodes see
     */
    public TestQueue(
            final Supplier<WorkloadManager> wlm, final Scene scene, final Runner owner, final String directory) {
        this.wlm = wlm;
        this.scene = scene;
        this.owner = owner;
        this.directory = directory;
        this.files = new OwnerFiles(owner, directory);
    }

    /** The same queue with jobs in another directory. */
    TestQueue in(final String other) {
        return new TestQueue(wlm, scene, owner, other);
    }

    Scene scene() {
        return scene;
    }

    WorkloadManager wlm() {
        return wlm.get();
    }

    Runner owner() {
        return owner;
    }

    String directory() {
        return directory;
    }

    OwnerFiles files() {
        return files;
    }

    // ---- jobs

    static AttemptId attempt() {
        return GlobalJobId.of("0"
                        + RANDOM.ints(25, 0, CROCKFORD.length())
                                .mapToObj(at -> CROCKFORD.substring(at, at + 1))
                                .collect(Collectors.joining()))
                .attempt(1);
    }

    JobSpec spec(final String name, final String script) {
        return spec(name, script, WALLTIME, Map.of(), false);
    }

    /** @param strict whether the submission fails if an option of the script has no equivalent */
    JobSpec spec(
            final String name,
            final String script,
            final Duration walltime,
            final Map<String, String> environment,
            final boolean strict) {
        return new JobSpec(
                scene.prefix() + name,
                script,
                null,
                Resources.cores(1),
                walltime,
                scene.partition(),
                null,
                environment,
                new CheckpointMethod.None(),
                strict);
    }

    Answer<JobKey> trySubmit(final AttemptId attempt, final JobSpec spec) {
        return wlm().submit(new Submission(attempt, scene.user(), spec, directory));
    }

    JobKey submit(final JobSpec spec) {
        return CheckFailure.valueOf(trySubmit(attempt(), spec));
    }

    /** Submits and releases the job, and starts it unless the local scheduler does that. */
    JobKey run(final JobSpec spec) {
        return run(attempt(), spec);
    }

    JobKey run(final AttemptId attempt, final JobSpec spec) {
        final JobKey job = CheckFailure.valueOf(trySubmit(attempt, spec));
        release(job);
        return job;
    }

    /** Releases the submission hold of the job, and starts it unless the local scheduler does that. */
    void release(final JobKey job) {
        accepted(holding().release(job, HoldKind.SUBMISSION));
        if (isDirected()) {
            start(job);
        }
    }

    void start(final JobKey job) {
        accepted(wlm().get(Starting.class).start(job));
    }

    /** Requeues a running job; it stays held under each control. */
    void requeueHeld(final JobKey job) {
        accepted(wlm().get(Requeueing.class).requeueHeld(job));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
    }

    void cancel(final JobKey job) {
        accepted(wlm().cancel(job));
    }

    Holding holding() {
        return wlm().get(Holding.class);
    }

    static void accepted(final Answer<Accepted> answer) {
        CheckFailure.valueOf(answer);
    }

    // ---- observation

    public Observation observe() {
        return CheckFailure.valueOf(wlm().observe());
    }

    boolean isDirected() {
        return observe().control() == Control.DIRECTED;
    }

    public @Nullable JobObserved find(final JobKey job) {
        return observe().jobs().stream()
                .filter(seen -> seen.job().equals(job))
                .findFirst()
                .orElse(null);
    }

    public JobObserved observed(final JobKey job) {
        return await(job + " in the queue", () -> find(job), seen -> seen != null);
    }

    public JobObserved awaitState(final JobKey job, final Predicate<JobState> wanted) {
        return await("the next state of " + job, () -> find(job), seen -> seen != null && wanted.test(seen.state()));
    }

    public JobObserved awaitRunning(final JobKey job) {
        return awaitState(job, state -> state instanceof JobState.Running);
    }

    public List<Run> ended(final JobKey job) {
        return CheckFailure.valueOf(wlm().get(Accounting.class).ended(List.of(job)));
    }

    /** The run that ended the job, when the job has left the queue. */
    public Run awaitEnd(final JobKey job) {
        return await(
                        "the end of " + job,
                        () -> ended(job),
                        runs -> !runs.isEmpty() && runs.getLast().outcome().endsTheJob() && find(job) == null)
                .getLast();
    }

    Run awaitOutcome(final JobKey job, final RunOutcome outcome) {
        final Run run = awaitEnd(job);
        CheckFailure.unlessEqual("the outcome of " + job, run.outcome(), outcome);
        return run;
    }

    String awaitText(final String file, final Predicate<String> wanted) {
        return await("file " + directory + "/" + file, () -> files.text(file), wanted);
    }

    /** Polls until the value is as wanted. */
    public <T extends @Nullable Object> T await(final String what, final Supplier<T> poll, final Predicate<T> wanted) {
        final Instant limit = Instant.now().plus(scene.patience());
        T seen = poll.get();
        while (!wanted.test(seen)) {
            if (Instant.now().isAfter(limit)) {
                throw new CheckFailure("timed out after " + scene.patience().toSeconds() + " s waiting for " + what
                        + "; last seen: " + seen);
            }
            pause(scene.interval());
            seen = poll.get();
        }
        return seen;
    }

    static void pause(final Duration time) {
        try {
            Thread.sleep(time);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CheckFailure("stopped");
        }
    }

    // ---- cleanup

    /** The jobs of this test that are in the queue, including those that a failed check has lost track of. */
    List<JobObserved> ownJobs() {
        return observe().jobs().stream()
                .filter(job -> job.owner().equals(scene.user()) && job.name().startsWith(scene.prefix()))
                .toList();
    }

    /** Cancels the jobs of this test and waits until they have left the queue. */
    void clear() {
        await(
                "the jobs of the test to leave the queue",
                () -> {
                    final List<JobObserved> left = ownJobs();
                    // A job that is ending refuses the cancel; it is observed again.
                    left.stream()
                            .filter(job -> !(job.state() instanceof JobState.Completing))
                            .forEach(job -> wlm().cancel(job.job()));
                    return left;
                },
                List::isEmpty);
    }
}
