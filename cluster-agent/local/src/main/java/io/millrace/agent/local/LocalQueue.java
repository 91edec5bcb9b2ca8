package io.millrace.agent.local;

import io.millrace.agent.exec.Account;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The jobs of a local cluster in submission order. Every change is written to disk first. Guarded by the lock of {@link LocalCluster}. */
final class LocalQueue {

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    /** How often old jobs are removed. */
    private static final Duration CLEAN_EVERY = Duration.ofMinutes(1);

    private final LocalSettings settings;
    private final Clock clock;
    private final StateDirectory state;
    private final Launcher launcher;
    private final LocalView view;
    private final Map<Long, LocalJob> unfinished = new TreeMap<>();
    private final Map<Long, LocalJob> ended = new TreeMap<>();
    private Instant cleanedAt = Instant.EPOCH;
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
        state.jobs().forEach(this::put);
        lastId = state.lastId();
        control = state.control().orElse(settings.control());
    }

    void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }

    List<LocalJob> unfinished() {
        return List.copyOf(unfinished.values());
    }

    /** The jobs that have not ended too long ago. */
    List<LocalJob> ended() {
        return List.copyOf(ended.values());
    }

    /** The job with this key, if it has not ended. */
    Optional<LocalJob> unfinished(final JobKey key) {
        return find(key).filter(job -> !job.hasEnded());
    }

    /** The job with this key, if it has not ended too long ago. */
    Optional<LocalJob> find(final JobKey key) {
        if (!NUMBER.matcher(key.id().local()).matches()) {
            return Optional.empty();
        }
        final long number = number(key);
        return Optional.ofNullable(unfinished.getOrDefault(number, ended.get(number)))
                .filter(job -> job.key().equals(key));
    }

    /** Allocates the key of a new job. */
    JobKey nextKey(final Instant submitted) {
        return new JobKey(new JobId(settings.cluster(), Long.toString(++lastId)), submitted);
    }

    /** Stores a new job and its script; needs no lock, because no other call knows this job before it is added. */
    void store(final LocalJob job, final String script, final Optional<Account> account) {
        state.writeNew(job, script, account);
    }

    /** Adds a stored job. */
    void add(final LocalJob job) {
        put(job);
    }

    void save(final LocalJob job) {
        state.write(job);
        put(job);
    }

    private void put(final LocalJob job) {
        final long number = number(job.key());
        if (job.hasEnded()) {
            unfinished.remove(number);
            ended.put(number, job);
        } else {
            unfinished.put(number, job);
        }
    }

    private static long number(final JobKey key) {
        return Long.parseLong(key.id().local());
    }

    Control control() {
        return control;
    }

    /** Changes control; pending jobs with the default hold of the previous control get that of the new one. */
    void control(final Control next) {
        state.control(next);
        control = next;
        final HoldKind from = next == Control.NATIVE ? HoldKind.ENTRY : null;
        for (final LocalJob job : unfinished()) {
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

    /** Records the end of the job's run if it has ended. */
    void advance(final JobKey key) {
        find(key).ifPresent(job -> advance(job, clock.instant()));
    }

    private void advance(final LocalJob job, final Instant now) {
        if (job.state() instanceof LocalJob.Active active) {
            launcher.poll(job, active, defaultHold(), now).ifPresent(next -> {
                save(next);
                state.announce();
            });
        }
    }

    /** Records ended runs, and removes jobs that ended too long ago. */
    void advance() {
        final Instant now = clock.instant();
        unfinished().forEach(job -> advance(job, now));
        if (now.isAfter(cleanedAt.plus(CLEAN_EVERY))) {
            cleanedAt = now;
            removeOld(now);
        }
    }

    private void removeOld(final Instant now) {
        for (final LocalJob job : ended()) {
            if (job.runs().getLast().ended().plus(settings.keepEnded()).isBefore(now)) {
                state.remove(job);
                ended.remove(number(job.key()));
            }
        }
    }

    /** First come, first served: no job starts before an earlier one that does not fit yet. */
    void startInOrder() {
        for (final LocalJob job : unfinished()) {
            if (job.state() instanceof LocalJob.Waiting waiting && waiting.hold() == null) {
                if (!start(job)) {
                    return;
                }
                state.announce();
            }
        }
    }

    /** Starts a job if its cores are idle. */
    boolean start(final LocalJob job) {
        Optional<Map<String, Integer>> cores = placement(job);
        if (cores.isEmpty()) {
            advance(); // a run may have ended since the last tick
            cores = placement(job);
        }
        cores.ifPresent(placed -> {
            final int run = job.restarts() + 1;
            final LocalJob next = job.withState(new LocalJob.Active(run, clock.instant(), placed, false, null, null));
            launcher.prepare(next, run);
            save(next);
            launcher.launch(next, run);
        });
        return cores.isPresent();
    }

    private Optional<Map<String, Integer>> placement(final LocalJob job) {
        return CorePlacement.place(job.spec().resources(), view.free(unfinished.values()));
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
