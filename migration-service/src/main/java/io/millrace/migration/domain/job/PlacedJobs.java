package io.millrace.migration.domain.job;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Waiting;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The active jobs that have been placed, by cluster. */
public final class PlacedJobs {

    /** The way of files from one cluster to another. */
    public record Link(ClusterId source, ClusterId target) {

        /** Whether nothing is transferred. */
        public boolean isLocal() {
            return source.equals(target);
        }
    }

    private static final NavigableMap<GlobalJobId, GlobalJob> EMPTY = Collections.emptyNavigableMap();

    private final Map<ClusterId, NavigableMap<GlobalJobId, GlobalJob>> jobs = new HashMap<>();
    /** The jobs that are withdrawn from another cluster, by the cluster they move to. */
    private final Map<ClusterId, Map<GlobalJobId, GlobalJob>> moving = new HashMap<>();

    /** How many jobs are in flight: of an owner, on a cluster, on a link. */
    private final Map<Object, Integer> inFlight = new HashMap<>();

    void replace(final @Nullable GlobalJob before, final GlobalJob now) {
        final ClusterId from = before == null ? null : cluster(before);
        final ClusterId to = cluster(now);
        if (before != null) {
            count(before, -1);
        }
        count(now, 1);
        final ClusterId movedTo = before == null ? null : towards(before);
        final ClusterId movesTo = towards(now);
        if (movedTo != null) {
            moving.getOrDefault(movedTo, Map.of()).remove(now.id());
        }
        if (movesTo != null) {
            moving.computeIfAbsent(movesTo, c -> new TreeMap<>()).put(now.id(), now);
        }
        if (from != null && !from.equals(to)) {
            jobs.getOrDefault(from, EMPTY).remove(now.id());
        }
        if (to != null) {
            jobs.computeIfAbsent(to, c -> new TreeMap<>()).put(now.id(), now);
        }
    }

    /** A job is in flight from its placement until its results are back. */
    private void count(final GlobalJob job, final int n) {
        final Attempt attempt = job.attempt();
        if (attempt == null || job.state() instanceof Waiting || job.state().isFinal()) {
            return;
        }
        final ClusterId target = attempt.cluster();
        for (final Object counted : List.of(
                job.submission().owner(), target, new Link(job.submission().source(), target))) {
            inFlight.merge(counted, n, (one, other) -> one + other == 0 ? null : one + other);
        }
    }

    private static @Nullable ClusterId cluster(final GlobalJob job) {
        final Attempt attempt = job.attempt();
        return job.state().isFinal() || attempt == null || attempt.endedAt() != null ? null : attempt.cluster();
    }

    private static @Nullable ClusterId towards(final GlobalJob job) {
        return job.state() instanceof Submitted submitted && submitted.withdrawal() != null
                ? submitted.withdrawal().towards()
                : null;
    }

    /** The jobs whose attempts are withdrawn because this cluster can start them now. */
    public Collection<GlobalJob> towards(final ClusterId cluster) {
        return moving.getOrDefault(cluster, Map.of()).values();
    }

    /** At most {@code limit} jobs on the cluster that follow this one, oldest first; null: from the oldest on. */
    public List<GlobalJob> after(final @Nullable GlobalJobId last, final ClusterId cluster, final int limit) {
        final NavigableMap<GlobalJobId, GlobalJob> all = jobs.getOrDefault(cluster, EMPTY);
        return (last == null ? all : all.tailMap(last, false))
                .values().stream().limit(limit).toList();
    }

    /** Oldest first. */
    public Collection<GlobalJob> on(final ClusterId cluster) {
        return jobs.getOrDefault(cluster, EMPTY).values();
    }

    /** How many jobs of a user are in flight. */
    public int inFlight(final UserName owner) {
        return inFlight.getOrDefault(owner, 0);
    }

    /** How many jobs are in flight on a cluster. */
    public int inFlight(final ClusterId target) {
        return inFlight.getOrDefault(target, 0);
    }

    /** How many jobs of one cluster are in flight on another. */
    public int inFlight(final Link link) {
        return inFlight.getOrDefault(link, 0);
    }
}
