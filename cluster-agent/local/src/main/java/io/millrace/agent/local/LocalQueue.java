package io.millrace.agent.local;

import io.millrace.agent.exec.Account;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The jobs of a local cluster in submission order. Every change is written to disk first. Guarded by the lock of {@link LocalCluster}. */
final class LocalQueue {

    private final LocalSettings settings;
    private final Clock clock;
    private final StateDirectory state;
    private final Launcher launcher;
    private final LocalView view;
    private final Map<String, LocalJob> jobs = new LinkedHashMap<>();
    private long lastId;
    private @Nullable FileChannel lock;
    private Control control;

    LocalQueue(
            final LocalSettings settings,
            final Clock clock,
            final StateDirectory state,
            final Launcher launcher,
            final LocalView view) {
        this.settings = settings;
        this.clock = clock;
        this.state = state;
        this.launcher = launcher;
        this.view = view;
        this.control = settings.control();
    }

    /** Locks the state directory until {@link #close} and loads its jobs. */
    void load() {
        lock = state.lock();
        state.jobs().forEach(job -> jobs.put(job.key().id().local(), job));
        lastId = state.lastId();
        control = state.control().orElse(settings.control());
    }

    void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }

    /** All jobs, including recently ended ones. */
    Collection<LocalJob> jobs() {
        return List.copyOf(jobs.values());
    }

    /** The job with this key, if it has not ended. */
    Optional<LocalJob> unfinished(final JobKey key) {
        return find(key).filter(job -> !job.hasEnded());
    }

    /** The job with this key, if it has not ended too long ago. */
    Optional<LocalJob> find(final JobKey key) {
        return Optional.ofNullable(jobs.get(key.id().local()))
                .filter(job -> job.key().equals(key));
    }

    /** Allocates the key of a new job. */
    JobKey nextKey(final Instant submitted) {
        return new JobKey(new JobId(settings.cluster(), Long.toString(++lastId)), submitted);
    }

    /** Adds a job and stores its script. */
    void add(final LocalJob job, final String script, final Optional<Account> account) {
        state.writeNew(job, script, account);
        jobs.put(job.key().id().local(), job);
    }

    void save(final LocalJob job) {
        state.write(job);
        jobs.put(job.key().id().local(), job);
    }

    Control control() {
        return control;
    }

    /** Changes control; pending jobs with the default hold of the previous control get that of the new one. */
    void control(final Control next) {
        state.control(next);
        control = next;
        final HoldKind from = next == Control.NATIVE ? HoldKind.ENTRY : null;
        for (final LocalJob job : jobs()) {
            if (job.state() instanceof LocalJob.Waiting waiting && waiting.hold() == from) {
                save(job.withState(new LocalJob.Waiting(defaultHold(), waiting.since())));
            }
        }
    }

    /** The hold of a pending job that has no other hold. */
    @Nullable
    HoldKind defaultHold() {
        return control == Control.DIRECTED ? HoldKind.ENTRY : null;
    }

    /** Records ended runs, and removes jobs that ended too long ago. */
    void advance() {
        final Instant now = clock.instant();
        for (final LocalJob job : jobs()) {
            if (job.state() instanceof LocalJob.Active active) {
                launcher.poll(job, active, defaultHold(), now).ifPresent(this::save);
            }
        }
        for (final LocalJob job : jobs()) {
            if (job.hasEnded()
                    && job.runs().getLast().ended().plus(settings.keepEnded()).isBefore(now)) {
                state.remove(job);
                jobs.remove(job.key().id().local());
            }
        }
    }

    /** First come, first served: no job starts before an earlier one that does not fit yet. */
    void startInOrder() {
        for (final LocalJob job : jobs()) {
            if (job.state() instanceof LocalJob.Waiting waiting && waiting.hold() == null && !start(job)) {
                return;
            }
        }
    }

    /** Starts a job if its cores are idle. */
    boolean start(final LocalJob job) {
        final Optional<Map<String, Integer>> cores =
                CorePlacement.place(job.spec().resources(), view.free(jobs.values()));
        cores.ifPresent(placed -> {
            final int run = job.restarts() + 1;
            final LocalJob next = job.withState(new LocalJob.Active(run, clock.instant(), placed, false, null, null));
            launcher.prepare(next, run);
            save(next);
            launcher.launch(next, run);
        });
        return cores.isPresent();
    }

    /** Terminates a run for this reason; a cancellation replaces an earlier reason. */
    void terminate(final LocalJob job, final LocalJob.Active active, final LocalJob.EndReason reason) {
        if (active.endReason() == null) {
            save(job.withState(active.ending(reason, clock.instant().plus(settings.killAfter()))));
            launcher.terminate(job, active.run());
        } else if (reason == LocalJob.EndReason.CANCEL) {
            save(job.withState(active.ending(reason, active.killAt() == null ? clock.instant() : active.killAt())));
        }
    }
}
