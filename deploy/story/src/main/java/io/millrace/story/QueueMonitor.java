package io.millrace.story;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Polls the state of the site. Remembers the first observed start and the newest predicted start of each job. */
public final class QueueMonitor {

    /** Time limit for each expectation. A promise that is not kept by then counts as broken. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(400);

    /** A job in the queue of a cluster. */
    public record Row(
            String job,
            String name,
            String owner,
            String cluster,
            String state,
            int cores,
            @Nullable Instant started,
            @Nullable Instant predictedStart,
            String reason) {

        public boolean runs() {
            return state.equals("running");
        }

        public boolean waits() {
            return List.of("held", "queued", "preempted").contains(state);
        }
    }

    private final RestQueries queries;
    private final ProgressOutput output;
    private final Map<String, Row> newest = new LinkedHashMap<>();
    private final Map<String, Row> ever = new LinkedHashMap<>();
    private final Map<String, Instant> firstStart = new LinkedHashMap<>();
    private final Map<String, Instant> predictedStart = new LinkedHashMap<>();
    private final Map<String, RestQueries.GlobalJob> globalJobs = new LinkedHashMap<>();

    public QueueMonitor(final RestQueries queries, final ProgressOutput output) {
        this.queries = queries;
        this.output = output;
    }

    /** Polls until {@code condition} holds or the time limit has passed; returns whether it holds. */
    public boolean until(final String expectation, final Predicate<QueueMonitor> condition) {
        output.print("… " + expectation);
        final Instant deadline = Instant.now().plus(TIMEOUT);
        while (Instant.now().isBefore(deadline)) {
            poll();
            if (condition.test(this)) {
                return true;
            }
            Pause.of(POLL_INTERVAL);
        }
        output.print("✗ not observed within " + TIMEOUT.toMinutes() + " minutes: " + expectation);
        return false;
    }

    public void poll() {
        final List<Row> rows = new ArrayList<>();
        final List<RestQueries.ClusterLine> clusters = queries.clusters();
        for (final RestQueries.ClusterLine cluster : clusters) {
            rows.addAll(queries.localJobs(cluster.name()));
        }
        newest.values().removeIf(row -> rows.stream().noneMatch(now -> now.job().equals(row.job())));
        rows.forEach(this::remember);
        queries.globalJobs().forEach(job -> globalJobs.put(job.number(), job));
        output.table(clusters, List.copyOf(newest.values()), List.copyOf(globalJobs.values()));
    }

    private void remember(final Row row) {
        newest.put(row.job(), row);
        ever.put(row.job(), row);
        final Instant started = row.started();
        if (row.runs() && started != null) {
            firstStart.putIfAbsent(row.name(), started);
        }
        final Instant planned = row.predictedStart();
        if (row.waits() && planned != null) {
            predictedStart.put(row.name(), planned);
        }
    }

    /** The job of this name in a queue, if it is in one. */
    public Optional<Row> job(final String name) {
        return newest.values().stream().filter(row -> row.name().equals(name)).findFirst();
    }

    public boolean runs(final String name) {
        return job(name).map(Row::runs).orElse(false);
    }

    /** The number of cores on which the owner's jobs run. */
    public int running(final String cluster, final String owner) {
        return newest.values().stream()
                .filter(row -> row.cluster().equals(cluster) && row.owner().equals(owner) && row.runs())
                .mapToInt(Row::cores)
                .sum();
    }

    public boolean waits(final String name) {
        return job(name).map(Row::waits).orElse(false);
    }

    public Optional<RestQueries.GlobalJob> globalJob(final String id) {
        return Optional.ofNullable(globalJobs.get(id));
    }

    /** The first observed start of the job. */
    public Optional<Instant> started(final String name) {
        return Optional.ofNullable(firstStart.get(name));
    }

    /** The newest start that was predicted while the job waited. */
    public Optional<Instant> predicted(final String name) {
        return Optional.ofNullable(predictedStart.get(name));
    }

    /** Every job that was observed in a queue, in its last observed state. */
    public List<Row> everyJob() {
        return List.copyOf(ever.values());
    }
}
