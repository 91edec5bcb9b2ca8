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

/** The jobs of a local cluster in their order, each change on disk before it counts. Its owner's lock guards it. */
final class LocalQueue {

    private final LocalSettings settings;
    private final Clock clock;
    private final StateDirectory journal;
    private final Launcher launcher;
    private final LocalView view;
    private final Map<String, LocalJob> jobs = new LinkedHashMap<>();
    private long lastId;
    private @Nullable FileChannel lock;
    private Control control;

    LocalQueue(
            final LocalSettings settings,
            final Clock clock,
            final StateDirectory journal,
            final Launcher launcher,
            final LocalView view) {
        this.settings = settings;
        this.clock = clock;
        this.journal = journal;
        this.launcher = launcher;
        this.view = view;
        this.control = settings.control();
    }

    /** Takes up what the journal says; its folder is this queue's until {@link #close}. */
    void load() {
        lock = journal.lock();
        journal.jobs().forEach(job -> jobs.put(job.key().id().local(), job));
        lastId = journal.lastId();
        control = journal.control().orElse(settings.control());
    }

    void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }

    /** All of them, those that ended lately too. */
    Collection<LocalJob> jobs() {
        return List.copyOf(jobs.values());
    }

    /** That job, unless it has left the queue. */
    Optional<LocalJob> unfinished(final JobKey key) {
        return find(key).filter(job -> !job.hasEnded());
    }

    /** That job, unless it ended too long ago. */
    Optional<LocalJob> find(final JobKey key) {
        return Optional.ofNullable(jobs.get(key.id().local()))
                .filter(job -> job.key().equals(key));
    }

    /** The key of the next job. */
    JobKey nextKey(final Instant submitted) {
        return new JobKey(new JobId(settings.cluster(), Long.toString(++lastId)), submitted);
    }

    /** Takes in a job with its script. */
    void add(final LocalJob job, final String script, final Optional<Account> account) {
        journal.writeNew(job, script, account);
        jobs.put(job.key().id().local(), job);
    }

    void save(final LocalJob job) {
        journal.write(job);
        jobs.put(job.key().id().local(), job);
    }

    Control control() {
        return control;
    }

    /** Other control; what waits under the hold of the one before waits under that of the new one. */
    void control(final Control next) {
        journal.control(next);
        control = next;
        final HoldKind from = next == Control.NATIVE ? HoldKind.ENTRY : null;
        for (final LocalJob job : jobs()) {
            if (job.state() instanceof LocalJob.Waiting waiting && waiting.hold() == from) {
                save(job.withState(new LocalJob.Waiting(defaultHold(), waiting.since())));
            }
        }
    }

    /** The hold that a job without any other waits under. */
    @Nullable
    HoldKind defaultHold() {
        return control == Control.DIRECTED ? HoldKind.ENTRY : null;
    }

    /** Takes note of every run that has ended. */
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
                journal.remove(job);
                jobs.remove(job.key().id().local());
            }
        }
    }

    /** First come, first served: nobody passes one that does not fit yet. */
    void startInOrder() {
        for (final LocalJob job : jobs()) {
            if (job.state() instanceof LocalJob.Waiting waiting && waiting.hold() == null && !start(job)) {
                return;
            }
        }
    }

    /** Runs a job if its cores are free. */
    boolean start(final LocalJob job) {
        final Optional<Map<String, Integer>> cores = CorePlacement.place(job.spec().resources(), view.free(jobs.values()));
        cores.ifPresent(placed -> {
            final int run = job.restarts() + 1;
            final LocalJob next = job.withState(new LocalJob.Active(run, clock.instant(), placed, false, null, null));
            launcher.prepare(next, run);
            save(next);
            launcher.launch(next, run);
        });
        return cores.isPresent();
    }

    /** Has a run end for this reason; a cancellation overrules the reason of an end under way. */
    void terminate(final LocalJob job, final LocalJob.Active active, final LocalJob.EndReason order) {
        if (active.endReason() == null) {
            save(job.withState(active.ending(order, clock.instant().plus(settings.killAfter()))));
            launcher.terminate(job, active.run());
        } else if (order == LocalJob.EndReason.CANCEL) {
            save(job.withState(active.ending(order, active.killAt() == null ? clock.instant() : active.killAt())));
        }
    }
}
