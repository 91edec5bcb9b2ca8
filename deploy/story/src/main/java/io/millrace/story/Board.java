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

/** What can be seen of the site, looked at again and again; remembers when each job was first seen to run and to be foreseen. */
final class Board {

    /** Longest time that anything in the story may take; a promise not kept by then is not kept. */
    private static final Duration PATIENCE = Duration.ofMinutes(6);

    private static final Duration GLANCE = Duration.ofMillis(400);

    /** One line of the table. */
    record Row(
            String job,
            String name,
            String owner,
            String cluster,
            String state,
            int cores,
            @Nullable Instant started,
            @Nullable Instant foreseen,
            String why) {

        boolean runs() {
            return state.equals("running");
        }

        boolean waits() {
            return state.equals("held") || state.equals("queued");
        }
    }

    private final Views views;
    private final Show show;
    private final Map<String, Row> newest = new LinkedHashMap<>();
    private final Map<String, Row> ever = new LinkedHashMap<>();
    private final Map<String, Instant> firstStart = new LinkedHashMap<>();
    private final Map<String, Instant> foreseen = new LinkedHashMap<>();
    private final Map<String, Views.GlobalJob> globalJobs = new LinkedHashMap<>();

    Board(final Views views, final Show show) {
        this.views = views;
        this.show = show;
    }

    /** Looks until {@code condition} holds; returns whether it came to hold. */
    boolean until(final String expectation, final Predicate<Board> condition) {
        show.say("… " + expectation);
        final Instant deadline = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(deadline)) {
            look();
            if (condition.test(this)) {
                return true;
            }
            pause();
        }
        show.say("✗ not within " + PATIENCE.toMinutes() + " minutes: " + expectation);
        return false;
    }

    void look() {
        final List<Row> rows = new ArrayList<>();
        final List<Views.ClusterLine> clusters = views.clusters();
        for (final Views.ClusterLine cluster : clusters) {
            rows.addAll(views.localJobs(cluster.name()));
        }
        newest.values().removeIf(row -> rows.stream().noneMatch(now -> now.job().equals(row.job())));
        rows.forEach(this::remember);
        views.globalJobs().forEach(job -> globalJobs.put(job.id(), job));
        show.table(clusters, List.copyOf(newest.values()), List.copyOf(globalJobs.values()));
    }

    private void remember(final Row row) {
        newest.put(row.job(), row);
        ever.put(row.job(), row);
        final Instant started = row.started();
        if (row.runs() && started != null) {
            firstStart.putIfAbsent(row.name(), started);
        }
        final Instant planned = row.foreseen();
        if (row.waits() && planned != null) {
            foreseen.put(row.name(), planned);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(GLANCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The job of this name in a queue, if it is in one. */
    Optional<Row> job(final String name) {
        return newest.values().stream().filter(row -> row.name().equals(name)).findFirst();
    }

    boolean runs(final String name) {
        return job(name).map(Row::runs).orElse(false);
    }

    /** Cores on which somebody's jobs run. */
    int running(final String cluster, final String owner) {
        return newest.values().stream()
                .filter(row -> row.cluster().equals(cluster) && row.owner().equals(owner) && row.runs())
                .mapToInt(Row::cores)
                .sum();
    }

    boolean waits(final String name) {
        return job(name).map(Row::waits).orElse(false);
    }

    Optional<Views.GlobalJob> globalJob(final String id) {
        return Optional.ofNullable(globalJobs.get(id));
    }

    /** When the job was first seen to have started. */
    Optional<Instant> started(final String name) {
        return Optional.ofNullable(firstStart.get(name));
    }

    /** The newest start that was predicted while the job waited. */
    Optional<Instant> predicted(final String name) {
        return Optional.ofNullable(foreseen.get(name));
    }

    /** Every job that was ever seen in a queue, as it was last seen there. */
    List<Row> everyJob() {
        return List.copyOf(ever.values());
    }
}
