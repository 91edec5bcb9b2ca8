package io.millrace.agent.lsf.history;

import io.millrace.agent.lsf.query.JobRequest;
import io.millrace.agent.lsf.query.LastRun;
import io.millrace.agent.lsf.query.LongFormat;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.lsf.query.LsfTime;
import io.millrace.agent.lsf.query.MemoryUsage;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a job, read from its entry in {@code bhist -l} or {@code bacct -l}.
 *
 * @param submitted when it was submitted
 * @param ended the ended runs, oldest first
 * @param currentStart start of the current run; null if the job is not running
 */
public record RunHistory(
        String id,
        Instant submitted,
        List<EndedRun> ended,
        @Nullable Instant currentStart) {

    private static final Pattern SIGNAL = Pattern.compile("Signal<(\\w+)>requested.*");
    private static final Pattern REQUEUED =
            Pattern.compile("(?:\\[\\d+])?(?:Pending:)?(?:The)?(?:[Jj]obhasbeenrequeued|Requeuedjob|Migratingjob).*");

    public RunHistory {
        ended = List.copyOf(ended);
    }

    /** An ended run. @param started null if the job ended without having run */
    public record EndedRun(@Nullable Instant started, Instant ended, RunOutcome outcome, ResourceUsage used) {

        EndedRun with(final ResourceUsage more) {
            return new EndedRun(started, ended, outcome, used.then(more));
        }
    }

    /** The number of runs that were requeued. */
    public int restarts() {
        return (int) ended.stream().filter(part -> !part.outcome().endsTheJob()).count();
    }

    /**
     * @param queue queue of the job, which can requeue by exit code; null if not known
     * @return empty if the entry has no submission time
     */
    public static Optional<RunHistory> read(
            final LongFormat.Job job, final @Nullable LsfQueue queue, final Instant now) {
        final Instant submitted = job.events().stream()
                .filter(line -> line.compact().startsWith("Submitted"))
                .findFirst()
                .flatMap(line -> LsfTime.past(line.time(), now))
                .orElse(null);
        if (submitted == null) {
            return Optional.empty();
        }
        final Duration limit = limit(job, queue);
        final EventReader reading = new EventReader(limit, queue);
        for (final LongFormat.Event line : job.events()) {
            LsfTime.past(line.time(), now).ifPresent(time -> reading.take(time, line));
        }
        return Optional.of(new RunHistory(job.id(), submitted, withMemory(reading.parts(), job), reading.started));
    }

    /** The memory at the end of the entry is that of the last run. */
    private static List<EndedRun> withMemory(final List<EndedRun> parts, final LongFormat.Job job) {
        if (!parts.isEmpty() && parts.getLast().started() != null) {
            parts.set(parts.size() - 1, parts.getLast().with(MemoryUsage.peak(job)));
        }
        return parts;
    }

    private static @Nullable Duration limit(final LongFormat.Job job, final @Nullable LsfQueue queue) {
        final @Nullable Duration own = JobRequest.runLimit(job);
        return own == null && queue != null ? queue.runLimit() : own;
    }

    /** Reads the events in order. */
    private static final class EventReader {

        private final @Nullable Duration limit;
        private final @Nullable LsfQueue queue;
        private final List<EndedRun> parts = new ArrayList<>();
        private @Nullable Instant started;
        private @Nullable RunEnd last;
        private String signal = "";

        EventReader(final @Nullable Duration limit, final @Nullable LsfQueue queue) {
            this.limit = limit;
            this.queue = queue;
        }

        void take(final Instant time, final LongFormat.Event line) {
            final Matcher signalRequest = SIGNAL.matcher(line.compact());
            if (signalRequest.matches()) {
                signal = signalRequest.group(1);
                if (last != null && signal.startsWith("REQUEUE")) {
                    last = last.asRequeued(); // brequeue -e of a job that had ended
                }
            } else if (LastRun.isStart(line)) {
                close(time);
                started = time;
                signal = "";
            } else if (REQUEUED.matcher(line.compact()).matches()) {
                requeue(time);
            } else if (LastRun.isFinish(line)) {
                finish(time, line);
            }
        }

        /** A further event after the end of a run only adds a reason. */
        private void finish(final Instant time, final LongFormat.Event line) {
            last = started == null && last != null
                    ? last.append(line.compact())
                    : new RunEnd(started, time, line.compact(), signal, false);
            started = null;
        }

        private void requeue(final Instant time) {
            if (started != null) {
                last = new RunEnd(started, time, "", signal, true);
                started = null;
            } else if (last != null) {
                last = last.asRequeued();
            }
            signal = "";
        }

        /** A new start means that the previous run was requeued. */
        private void close(final Instant time) {
            requeue(time);
            add();
        }

        private void add() {
            if (last != null) {
                parts.add(new EndedRun(last.started(), last.time(), last.outcome(limit, queue), last.used()));
                last = null;
            }
        }

        List<EndedRun> parts() {
            add();
            return parts;
        }
    }
}
