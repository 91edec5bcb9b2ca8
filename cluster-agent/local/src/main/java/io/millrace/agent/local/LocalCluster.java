package io.millrace.agent.local;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.script.SubmissionScript;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.EventFile;
import io.millrace.agent.wlm.FoundAttempts;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ApplicationCheckpointing;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.Cancelling;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.EventPublishing;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.command.DryRunResult;
import io.millrace.process.FatalFailure;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The embedded workload manager. One lock guards the queue, and every change is on disk before the call returns and before it is visible. */
public final class LocalCluster
        implements Observing,
                Submitting,
                Cancelling,
                Restricting,
                Starting,
                Holding,
                Requeueing,
                Suspending,
                Signalling,
                ApplicationCheckpointing,
                Accounting,
                AttemptFinding,
                ControlSwitching,
                Altering,
                DryRunning,
                EventPublishing,
                AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalCluster.class);

    /** The base of the here-document delimiter; a script that contains it gets a different one. */
    private static final String NONCE = "SCRIPT";

    private final LocalSettings settings;
    private final Accounts accounts;
    private final Clock clock;
    private final SubmissionCheck admission;
    private final Launcher launcher;
    private final LocalView view;
    private final LocalQueue queue;
    private final JobCommands commands;
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("local-cluster").unstarted(task));

    public LocalCluster(final LocalSettings settings, final Accounts accounts, final Clock clock) {
        this.settings = settings;
        this.accounts = accounts;
        this.clock = clock;
        this.admission = new SubmissionCheck(settings, accounts);
        final StateDirectory state = new StateDirectory(settings.stateDir());
        this.launcher = new Launcher(settings, state, accounts);
        this.view = new LocalView(settings);
        this.queue = new LocalQueue(settings, clock, state, launcher, view);
        this.commands = new JobCommands(queue, view, launcher, clock);
    }

    /** Loads the state directory and starts to poll runs and the queue. */
    public LocalCluster open() {
        admission.checkRights();
        synchronized (this) {
            queue.load();
        }
        ticker.scheduleWithFixedDelay(this::tick, 0, 100, TimeUnit.MILLISECONDS);
        return this;
    }

    /** The adapter: this class has every role, because one lock guards the queue. */
    public WorkloadManager adapter() {
        return WorkloadManager.of(this, this, this)
                .with(Restricting.class, this)
                .with(EventPublishing.class, this)
                .with(Accounting.class, this)
                .with(AttemptFinding.class, this)
                .with(ControlSwitching.class, this)
                .with(DryRunning.class, this)
                .with(Starting.class, this)
                .with(Holding.class, this)
                .with(Requeueing.class, this)
                .with(Suspending.class, this)
                .with(Signalling.class, this)
                .with(ApplicationCheckpointing.class, this)
                .with(Altering.class, this);
    }

    @Override
    public void close() {
        ticker.shutdownNow();
        try {
            // Wait for a tick in progress, so that the state directory no longer changes after the lock is released.
            ticker.awaitTermination(10, TimeUnit.SECONDS);
            queue.close();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final IOException e) {
            LOG.warn("could not release the lock of the local cluster's state directory", e);
        }
    }

    @Override
    public String version() {
        return "local 1 (" + settings.nodes() + " nodes of " + settings.coresPerNode() + " cores)";
    }

    @Override
    public synchronized Answer<Observation> observe() {
        final Instant at = clock.instant();
        queue.advance();
        return Answer.ok(view.observation(at, queue.control(), queue.unfinished()));
    }

    @Override
    public Answer<JobKey> submit(final Submission submission) {
        final SubmissionScript script = script(submission);
        final Optional<String> refusal = script.refusal();
        return refusal.isPresent()
                ? Answer.trouble(Answer.Kind.REJECTED, refusal.get())
                : admit(submission.attempt(), submission, script.script(NONCE), () -> HoldKind.SUBMISSION);
    }

    /** Submits a job without Millrace. Under directed control it gets the entry hold; under native control it is queued. */
    public synchronized Answer<JobKey> submitLocally(final Submission submission) {
        return admit(null, submission, submission.spec().script(), queue::defaultHold);
    }

    /** Writes the files of the job without the lock, so that submissions share the time that the disk takes. */
    private Answer<JobKey> admit(
            final @Nullable AttemptId attempt,
            final Submission submission,
            final String script,
            final Supplier<@Nullable HoldKind> hold) {
        return admission.check(submission).then(account -> {
            final LocalJob job = newJob(attempt, submission, hold);
            queue.store(job, script, account);
            synchronized (this) {
                queue.add(job);
            }
            return Answer.ok(job.key());
        });
    }

    private synchronized LocalJob newJob(
            final @Nullable AttemptId attempt, final Submission submission, final Supplier<@Nullable HoldKind> hold) {
        final Instant now = clock.instant();
        return new LocalJob(
                queue.nextKey(now),
                attempt,
                submission.owner(),
                SubmissionCheck.withoutScript(submission.spec()),
                submission.directory(),
                new LocalJob.Waiting(hold.get(), now),
                0,
                List.of());
    }

    @Override
    public synchronized Answer<Accepted> cancel(final JobKey key) {
        return commands.cancel(key);
    }

    @Override
    public synchronized Answer<Accepted> start(final JobKey key) {
        return commands.start(key);
    }

    @Override
    public boolean startsTogether() {
        return true;
    }

    @Override
    public synchronized Answer<Accepted> hold(final JobKey key, final HoldKind kind, final @Nullable UserSentence why) {
        return commands.hold(key, kind);
    }

    @Override
    public synchronized Answer<Accepted> release(final JobKey key, final HoldKind kind) {
        return commands.release(key, kind);
    }

    @Override
    public synchronized Answer<Accepted> requeue(final JobKey key, final @Nullable UserSentence why) {
        return commands.requeue(key);
    }

    @Override
    public synchronized Answer<Accepted> requeueHeld(final JobKey key, final @Nullable UserSentence why) {
        return commands.requeueHeld(key);
    }

    @Override
    public synchronized Answer<Accepted> suspend(final JobKey key) {
        return commands.suspend(key);
    }

    @Override
    public synchronized Answer<Accepted> resume(final JobKey key) {
        return commands.resume(key);
    }

    @Override
    public synchronized Answer<Accepted> signal(final JobKey key, final String signal) {
        return commands.signal(key, signal);
    }

    @Override
    public synchronized Answer<Accepted> setWalltime(final JobKey key, final Duration walltime) {
        return commands.walltime(key, walltime);
    }

    @Override
    public synchronized Answer<Accepted> setPartition(final JobKey key, final PartitionName partition) {
        return commands.setPartition(key, partition);
    }

    @Override
    public synchronized Answer<Accepted> alterPending(
            final JobKey key, final @Nullable String name, final @Nullable Integer cores) {
        return commands.alterPending(key, name, cores);
    }

    @Override
    public Answer<DryRunResult> dryRun(final Submission submission) {
        final SubmissionScript script = script(submission);
        final Runner runner = new ProcessRunner(accounts);
        return admission
                .check(submission)
                .then(account -> script.dryRun(
                        launcher.argv(submission),
                        script.script(NONCE),
                        account.isPresent() ? runner.as(submission.owner()) : runner));
    }

    private SubmissionScript script(final Submission submission) {
        return SubmissionScript.of(WlmType.LOCAL, WlmFeatures.all(version()), settings.cluster(), submission);
    }

    @Override
    public Restrictions restrictions() {
        return new Restrictions(
                Map.of(), Map.of(Capability.ALTER, "only for pending jobs; a running job keeps its walltime"));
    }

    @Override
    public List<EventFile> eventFiles() {
        return List.of(EventFile.of(
                "events", settings.stateDir().resolve("events"), "let the agent own the folder local.state-dir"));
    }

    @Override
    public synchronized Answer<Path> directory(final JobKey key) {
        return commands.withJob(key, job -> Answer.ok(Path.of(job.directory())));
    }

    @Override
    public synchronized Answer<List<Run>> ended(final Collection<JobKey> keys) {
        keys.forEach(queue::advance);
        return Answer.ok(keys.stream()
                .flatMap(key -> queue.find(key).stream())
                .flatMap(job -> job.runs().stream())
                .toList());
    }

    @Override
    public synchronized Answer<List<EndedJob>> endedSince(final Instant since) {
        queue.advance();
        return Answer.ok(queue.ended().stream()
                .filter(job -> !job.runs().getLast().ended().isBefore(since))
                .map(view::ended)
                .toList());
    }

    @Override
    public synchronized Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
        final FoundAttempts found = new FoundAttempts(owners);
        final List<LocalJob> tagged = Stream.concat(queue.ended().stream(), queue.unfinished().stream())
                .filter(job -> found.includes(job.attempt(), job.owner()))
                .toList();
        for (final LocalJob job : tagged) {
            queue.advance(job.key());
            queue.find(job.key())
                    .ifPresent(now -> found.add(Objects.requireNonNull(job.attempt()), now.key(), now.hasEnded()));
        }
        return Answer.ok(found.inOrder());
    }

    @Override
    public synchronized Answer<Control> control() {
        return Answer.ok(queue.control());
    }

    @Override
    public synchronized Answer<Accepted> control(final Control next) {
        queue.control(next);
        return Answer.ok(new Accepted("set control to " + next));
    }

    // ---- periodic work

    private synchronized void tick() {
        try {
            queue.advance();
            if (queue.control() == Control.NATIVE) {
                queue.startInOrder();
            }
        } catch (final RuntimeException e) {
            // The next tick retries; the result of a run stays in its directory until it is stored.
            LOG.atError()
                    .addKeyValue("cluster", settings.cluster())
                    .setCause(e)
                    .log("could not update the jobs of the local cluster; retrying");
        } catch (final Error e) {
            FatalFailure.report(e); // the executor would only stop ticking
            throw e;
        }
    }
}
