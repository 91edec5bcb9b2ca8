package io.millrace.agent.slurm.accounting;

import io.millrace.agent.slurm.query.AdminCommentMark;
import io.millrace.agent.slurm.query.JobRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Groups rows of {@code sacct} into runs. A requeued job has one row per run with the same id, but Slurm changes the submit time at each
 * requeue. Rows belong to one job if their marks agree, or if one row was submitted when the previous one ended.
 */
public final class SacctRuns {

    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    private final List<EndedRun> runs = new ArrayList<>();
    private @Nullable Instant submitted;
    private @Nullable Instant lastEnd;
    private @Nullable Instant resizedFrom;
    private int next;

    private SacctRuns() {}

    public static List<EndedRun> of(final Collection<SacctRow> rows) {
        final Map<String, List<SacctRow>> byJob = new TreeMap<>();
        for (final SacctRow row : rows) {
            byJob.computeIfAbsent(row.job(), job -> new ArrayList<>()).add(row);
        }
        final List<EndedRun> runs = new ArrayList<>();
        for (final List<SacctRow> ofOne : byJob.values()) {
            final SacctRuns read = new SacctRuns();
            final int first = ofOne.stream().mapToInt(SacctRow::component).min().orElse(0);
            ofOne.stream()
                    .filter(row -> row.component() == first)
                    .sorted(Comparator.comparing(SacctRow::submitted)
                            .thenComparing(row -> row.ended() == null ? Instant.MAX : row.ended()))
                    .forEach(row -> read.take(row, ofOne));
            runs.addAll(read.runs);
        }
        return runs;
    }

    private void take(final SacctRow row, final List<SacctRow> all) {
        final Instant first = firstSubmitted(row);
        if (!first.equals(submitted)) {
            submitted = first;
            next = 0;
            resizedFrom = null;
        } else if (lastEnd != null && resizedFrom == null && !runs.isEmpty()) {
            markRequeued();
        }
        if (row.isResized()) {
            resizedFrom = resizedFrom == null ? row.started() : resizedFrom;
            lastEnd = row.ended();
            return;
        }
        if (row.hasEnded()) {
            final Instant started = resizedFrom == null ? row.started() : resizedFrom;
            runs.add(new EndedRun(
                    row.job(),
                    first,
                    row.tag(),
                    row.state(),
                    row.exit(),
                    started,
                    row.ended() == null ? first : row.ended(),
                    restarts(row),
                    0,
                    whole(row, all)));
            next++;
        }
        resizedFrom = null;
        lastEnd = row.ended();
    }

    /** Another run follows, so the previous one was requeued, whatever its state is ({@code PREEMPTED}, {@code NODE_FAIL}…). */
    private void markRequeued() {
        final int last = runs.size() - 1;
        runs.set(last, runs.get(last).requeued());
    }

    private Instant firstSubmitted(final SacctRow row) {
        if (row.mark().isPresent()) {
            return row.mark().get().submitted();
        }
        final Instant known = submitted;
        final Instant end = lastEnd;
        final boolean follows = known != null
                && end != null
                && !row.submitted().isBefore(end.minus(TOLERANCE))
                && !row.submitted().isAfter(end.plus(TOLERANCE));
        return known != null && (follows || row.submitted().equals(known)) ? known : row.submitted();
    }

    private int restarts(final SacctRow row) {
        final int marked = row.mark().map(AdminCommentMark::restarts).orElse(-1);
        next = Math.max(next, marked);
        return next;
    }

    private static JobRequest whole(final SacctRow row, final List<SacctRow> all) {
        return all.stream()
                .filter(other ->
                        other.component() > row.component() && other.submitted().equals(row.submitted()))
                .map(SacctRow::request)
                .reduce(row.request(), JobRequest::plus);
    }
}
