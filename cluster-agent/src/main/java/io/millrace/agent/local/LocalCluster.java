package io.millrace.agent.local;

import io.millrace.agent.script.Handing;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Accounting;
import io.millrace.agent.wlm.Accounts;
import io.millrace.agent.wlm.Altering;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Checkpointing;
import io.millrace.agent.wlm.Controlled;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Finding;
import io.millrace.agent.wlm.Holding;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.ProcessRunner;
import io.millrace.agent.wlm.Rehearsing;
import io.millrace.agent.wlm.Requeueing;
import io.millrace.agent.wlm.Run;
import io.millrace.agent.wlm.Runner;
import io.millrace.agent.wlm.Signalling;
import io.millrace.agent.wlm.Starting;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.Suspending;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.AttemptId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.command.Rehearsal;
import io.millrace.script.Wlm;
import io.millrace.script.WlmAbilities;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The embedded workload manager. One lock guards the queue; every change is on disk before its answer. */
public final class LocalCluster
        implements WorkloadManager,
                Starting,
                Holding,
                Requeueing,
                Suspending,
                Signalling,
                Checkpointing,
                Accounting,
                Finding,
                Controlled,
                Altering,
                Rehearsing,
                AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LocalCluster.class.getName());
    private static final Pattern SIGNAL = Pattern.compile("[A-Z][A-Z0-9+-]{1,9}");

    /** The wrapper finds another end where a script holds this one. */
    private static final String NONCE = "SCRIPT";

    private final LocalSettings settings;
    private final Accounts accounts;
    private final Clock clock;
    private final Admission admission;
    private final Journal journal;
    private final Launcher launcher;
    private final LocalView view;
    private final Map<String, LocalJob> jobs = new LinkedHashMap<>();
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("local-cluster").unstarted(task));
    private long lastId;
    private @Nullable FileChannel lock;
    private Control control;

    public LocalCluster(final LocalSettings settings, final Accounts accounts, final Clock clock) {
        this.settings = settings;
        this.accounts = accounts;
        this.clock = clock;
        this.admission = new Admission(settings, accounts);
        this.journal = new Journal(settings.stateDir());
        this.launcher = new Launcher(settings, journal, accounts);
        this.view = new LocalView(settings);
        this.control = settings.control();
    }

    /** Takes up what the journal says, and watches over runs and queue from now on. */
    public LocalCluster open() {
        admission.checkReachable();
        takeUp();
        ticker.scheduleWithFixedDelay(this::tick, 0, 100, TimeUnit.MILLISECONDS);
        return this;
    }

    private synchronized void takeUp() {
        lock = journal.lock();
        journal.jobs().forEach(job -> jobs.put(job.key().id().local(), job));
        lastId = journal.lastId();
        control = journal.control().orElse(settings.control());
    }

    @Override
    public void close() {
        ticker.shutdownNow();
        try {
            // A tick under way is let finish: the next owner of the folder must find it still.
            ticker.awaitTermination(10, TimeUnit.SECONDS);
            if (lock != null) {
                lock.close();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final IOException e) {
            LOG.log(System.Logger.Level.WARNING, "the lock of the local cluster could not be given back", e);
        }
    }

    @Override
    public String version() {
        return "local 1 (" + settings.nodes() + " nodes of " + settings.coresPerNode() + " cores)";
    }

    @Override
    public synchronized Answer<Observation> observe() {
        final Instant at = clock.instant();
        advance();
        return Answer.ok(view.observation(at, control, jobs.values()));
    }

    @Override
    public synchronized Answer<JobKey> submit(final Submission submission) {
        final Handing handing = handing(submission);
        final Optional<String> refusal = handing.refusal();
        return refusal.isPresent()
                ? Answer.trouble(Answer.Kind.REJECTED, refusal.get())
                : admit(submission.attempt(), submission, handing.script(NONCE), HoldKind.SUBMISSION);
    }

    /** The door of users who hand in a job past Millrace: it waits for a start under directed control, for its turn under native. */
    public synchronized Answer<JobKey> enter(final Submission submission) {
        return admit(null, submission, submission.spec().script(), gate());
    }

    private Answer<JobKey> admit(
            final @Nullable AttemptId attempt,
            final Submission submission,
            final String script,
            final @Nullable HoldKind hold) {
        return admission.check(submission).then(account -> {
            final Instant now = clock.instant();
            final JobKey key = new JobKey(new JobId(settings.cluster(), Long.toString(++lastId)), now);
            final LocalJob job = new LocalJob(
                    key,
                    attempt,
                    submission.owner(),
                    Admission.withoutScript(submission.spec()),
                    submission.directory(),
                    new LocalJob.Waiting(hold, now),
                    0,
                    List.of());
            journal.writeNew(job, script, account);
            jobs.put(key.id().local(), job);
            return Answer.ok(key);
        });
    }

    @Override
    public synchronized Answer<Accepted> cancel(final JobKey key) {
        return on(key, job -> switch (job.state()) {
            case LocalJob.Waiting w -> {
                save(job.over(null, clock.instant(), new io.millrace.model.cluster.RunOutcome.Cancelled()));
                yield accepted(key + " cancelled before it ran");
            }
            case LocalJob.Active active -> {
                end(job, active, LocalJob.Order.CANCEL);
                yield accepted(key + " is being cancelled");
            }
            case LocalJob.Over o -> gone(key);
        });
    }

    @Override
    public synchronized Answer<Accepted> start(final JobKey key) {
        return on(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting waiting)) {
                return wrongState(job, "does not wait");
            }
            if (waiting.hold() != null && waiting.hold() != HoldKind.ENTRY) {
                return wrongState(job, "is held (" + waiting.hold() + "); that hold must be lifted by whoever set it");
            }
            return begin(job)
                    ? accepted(key + " started")
                    : wrongState(
                            job,
                            "needs " + job.spec().resources().cores() + " cores, idle are " + view.idle(jobs.values()));
        });
    }

    @Override
    public synchronized Answer<Accepted> hold(final JobKey key, final HoldKind kind) {
        return on(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting waiting)) {
                return wrongState(job, "does not wait, so it cannot be held");
            }
            if (waiting.hold() != null && waiting.hold() != HoldKind.ENTRY) {
                return accepted(key + " is held already (" + waiting.hold() + ")");
            }
            save(job.in(new LocalJob.Waiting(kind, clock.instant())));
            return accepted(key + " held (" + kind + ")");
        });
    }

    @Override
    public synchronized Answer<Accepted> release(final JobKey key, final HoldKind kind) {
        return on(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting waiting) || waiting.hold() != kind) {
                return wrongState(job, "has no hold of kind " + kind + "; it is " + view.state(job));
            }
            save(job.in(new LocalJob.Waiting(kind == HoldKind.ENTRY ? null : gate(), clock.instant())));
            return accepted(key + " released (" + kind + ")");
        });
    }

    @Override
    public synchronized Answer<Accepted> requeue(final JobKey key) {
        return putBack(key, LocalJob.Order.REQUEUE);
    }

    @Override
    public synchronized Answer<Accepted> requeueHeld(final JobKey key) {
        return putBack(key, LocalJob.Order.REQUEUE_HELD);
    }

    private Answer<Accepted> putBack(final JobKey key, final LocalJob.Order order) {
        return onActive(key, (job, active) -> {
            end(job, active, order);
            return accepted(key + " is being put back into the queue");
        });
    }

    @Override
    public synchronized Answer<Accepted> suspend(final JobKey key) {
        return onActive(key, (job, active) -> {
            launcher.session(job, active.run()).signal("STOP", false);
            save(job.in(active.suspended(true)));
            return accepted(key + " suspended");
        });
    }

    @Override
    public synchronized Answer<Accepted> resume(final JobKey key) {
        return onActive(key, (job, active) -> {
            if (active.suspended() && !view.fits(active.cores(), jobs.values())) {
                return wrongState(job, "cannot go on: others run on its cores; requeue one of them or wait");
            }
            save(job.in(active.suspended(false)));
            launcher.session(job, active.run()).signal("CONT", false);
            return accepted(key + " resumed");
        });
    }

    @Override
    public synchronized Answer<Accepted> signal(final JobKey key, final String signal) {
        if (!SIGNAL.matcher(signal).matches()) {
            return Answer.trouble(Answer.Kind.REJECTED, "'" + signal + "' is not a signal name (expected e.g. USR1)");
        }
        return onActive(key, (job, active) -> {
            launcher.session(job, active.run()).signal(signal, false);
            return accepted(key + " was sent " + signal);
        });
    }

    @Override
    public synchronized Answer<Accepted> walltime(final JobKey key, final Duration walltime) {
        if (walltime.isNegative() || walltime.isZero()) {
            return Answer.trouble(Answer.Kind.REJECTED, "a walltime is positive, got " + walltime);
        }
        return on(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting)) {
                return wrongState(job, "has begun its run and keeps the limit it began with");
            }
            save(job.limitedTo(walltime));
            return accepted(key + " may run for " + walltime.toSeconds() + " s");
        });
    }

    @Override
    public Answer<Rehearsal> rehearse(final Submission submission) {
        final Handing handing = handing(submission);
        final Runner runner = new ProcessRunner(accounts);
        return admission
                .check(submission)
                .then(account -> handing.rehearsal(
                        launcher.words(submission),
                        handing.script(NONCE),
                        account.isPresent() ? runner.as(submission.owner()) : runner));
    }

    private Handing handing(final Submission submission) {
        return Handing.of(Wlm.LOCAL, WlmAbilities.all(version()), settings.cluster(), submission);
    }

    @Override
    public Map<Capability, String> remarks() {
        return Map.of(Capability.ALTER, "the limit of a waiting job; a run keeps the limit it began with");
    }

    @Override
    public synchronized Answer<Path> directory(final JobKey key) {
        return on(key, job -> Answer.ok(Path.of(job.directory())));
    }

    @Override
    public synchronized Answer<List<Run>> ended(final Collection<JobKey> keys) {
        advance();
        return Answer.ok(keys.stream()
                .map(key -> jobs.get(key.id().local()))
                .filter(job -> job != null && keys.contains(job.key()))
                .flatMap(job -> job.runs().stream())
                .toList());
    }

    @Override
    public synchronized Answer<List<EndedJob>> endedSince(final Instant since) {
        advance();
        return Answer.ok(jobs.values().stream()
                .filter(job -> job.hasLeft() && !job.runs().getLast().ended().isBefore(since))
                .map(view::ended)
                .toList());
    }

    @Override
    public synchronized Answer<List<Found>> find(final AttemptId attempt) {
        advance();
        return Answer.ok(jobs.values().stream()
                .filter(job -> attempt.equals(job.attempt()))
                .map(job -> new Found(job.key(), job.hasLeft()))
                .toList());
    }

    @Override
    public synchronized Answer<Control> control() {
        return Answer.ok(control);
    }

    @Override
    public synchronized Answer<Accepted> control(final Control next) {
        journal.control(next);
        control = next;
        final HoldKind from = next == Control.NATIVE ? HoldKind.ENTRY : null;
        for (final LocalJob job : List.copyOf(jobs.values())) {
            if (job.state() instanceof LocalJob.Waiting waiting && waiting.hold() == from) {
                save(job.in(new LocalJob.Waiting(gate(), waiting.since())));
            }
        }
        return accepted("control is " + next + " now");
    }

    /** The hold that a job without any other waits under. */
    private @Nullable HoldKind gate() {
        return control == Control.DIRECTED ? HoldKind.ENTRY : null;
    }

    // ---- what happens by itself

    private synchronized void tick() {
        try {
            advance();
            if (control == Control.NATIVE) {
                startInOrder();
            }
        } catch (final RuntimeException e) {
            // The next tick looks again; what could not be written now is still in the run's folder then.
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the local cluster '" + settings.cluster() + "' could not look after its jobs",
                    e);
        }
    }

    /** Takes note of every run that has ended. */
    private void advance() {
        final Instant now = clock.instant();
        for (final LocalJob job : List.copyOf(jobs.values())) {
            if (job.state() instanceof LocalJob.Active active) {
                launcher.look(job, active, gate(), now).ifPresent(this::save);
            }
        }
        for (final LocalJob job : List.copyOf(jobs.values())) {
            if (job.hasLeft()
                    && job.runs().getLast().ended().plus(settings.keepEnded()).isBefore(now)) {
                journal.remove(job);
                jobs.remove(job.key().id().local());
            }
        }
    }

    /** First come, first served: nobody passes one that does not fit yet. */
    private void startInOrder() {
        for (final LocalJob job : List.copyOf(jobs.values())) {
            if (job.state() instanceof LocalJob.Waiting waiting && waiting.hold() == null && !begin(job)) {
                return;
            }
        }
    }

    private boolean begin(final LocalJob job) {
        final Optional<Map<String, Integer>> cores = Placement.place(job.spec().resources(), view.free(jobs.values()));
        cores.ifPresent(placed -> {
            final int run = job.restarts() + 1;
            final LocalJob next = job.in(new LocalJob.Active(run, clock.instant(), placed, false, null, null));
            launcher.prepare(next, run);
            save(next);
            launcher.launch(next, run);
        });
        return cores.isPresent();
    }

    private void end(final LocalJob job, final LocalJob.Active active, final LocalJob.Order order) {
        if (active.order() == null) {
            save(job.in(active.ordered(order, clock.instant().plus(settings.killAfter()))));
            launcher.tellToEnd(job, active.run());
        } else if (order == LocalJob.Order.CANCEL) {
            save(job.in(active.ordered(order, active.killAt() == null ? clock.instant() : active.killAt())));
        }
    }

    // ---- the small language of this class

    private Answer<Accepted> onActive(
            final JobKey key, final java.util.function.BiFunction<LocalJob, LocalJob.Active, Answer<Accepted>> act) {
        return on(key, job -> {
            if (!(job.state() instanceof LocalJob.Active active)) {
                return wrongState(job, "does not run");
            }
            if (active.order() != null) {
                return wrongState(job, "is being ended already (" + active.order() + ")");
            }
            return act.apply(job, active);
        });
    }

    private <T> Answer<T> on(final JobKey key, final Function<LocalJob, Answer<T>> act) {
        advance();
        final LocalJob job = jobs.get(key.id().local());
        return job == null || !job.key().equals(key) || job.hasLeft() ? gone(key) : act.apply(job);
    }

    private void save(final LocalJob job) {
        journal.write(job);
        jobs.put(job.key().id().local(), job);
    }

    private static <T> Answer<T> gone(final JobKey key) {
        return Answer.trouble(Answer.Kind.NO_SUCH_JOB, "no job " + key + " in the queue; see its end in accounting");
    }

    private static <T> Answer<T> wrongState(final LocalJob job, final String because) {
        return Answer.trouble(Answer.Kind.WRONG_STATE, "job " + job.key() + " " + because);
    }

    private static Answer<Accepted> accepted(final String detail) {
        return Answer.ok(new Accepted(detail));
    }
}
