package io.millrace.migration.domain.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Waiting;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The active jobs of the same name and owner, in the order of their submission, for {@code --dependency=singleton}. */
final class Namesakes {

    private record Key(UserName owner, String name) {

        static Key of(final GlobalJob job) {
            return new Key(job.submission().owner(), job.submission().spec().name());
        }
    }

    private record Position(Instant submittedAt, GlobalJobId job) {

        static Position of(final GlobalJob job) {
            return new Position(job.submission().submittedAt(), job.id());
        }
    }

    private static final Comparator<Position> ORDER =
            Comparator.comparing(Position::submittedAt).thenComparing(Position::job);

    /** @param waiting in order of submission */
    private record Jobs(TreeSet<Position> waiting, Set<GlobalJobId> placed) {

        Jobs() {
            this(new TreeSet<>(ORDER), new HashSet<>());
        }

        boolean isEmpty() {
            return waiting.isEmpty() && placed.isEmpty();
        }
    }

    private final Map<Key, Jobs> byName = new HashMap<>();

    /**
     * Takes note of a job.
     *
     * @param before as it was; null: unknown
     * @return the waiting jobs that may be next, or were it
     */
    Set<GlobalJobId> put(final @Nullable GlobalJob before, final GlobalJob job) {
        final Set<GlobalJobId> changed = new HashSet<>();
        final Key key = Key.of(job);
        first(key).ifPresent(changed::add);
        if (before != null) {
            final Key old = Key.of(before);
            remove(old, before);
            first(old).ifPresent(changed::add);
        }
        if (job.state() instanceof Waiting) {
            byName.computeIfAbsent(key, k -> new Jobs()).waiting().add(Position.of(job));
        } else if (!job.state().isFinal()) {
            byName.computeIfAbsent(key, k -> new Jobs()).placed().add(job.id());
        }
        first(key).ifPresent(changed::add);
        return changed;
    }

    private void remove(final Key key, final GlobalJob job) {
        byName.computeIfPresent(key, (k, jobs) -> {
            jobs.waiting().remove(Position.of(job));
            jobs.placed().remove(job.id());
            return jobs.isEmpty() ? null : jobs;
        });
    }

    private Optional<GlobalJobId> first(final Key key) {
        final Jobs jobs = byName.get(key);
        return jobs == null || jobs.waiting().isEmpty()
                ? Optional.empty()
                : Optional.of(jobs.waiting().first().job());
    }

    /** Whether no other job of the same name and owner is placed, and none that was submitted before waits. */
    boolean isNext(final GlobalJob job) {
        final Jobs jobs = byName.get(Key.of(job));
        return jobs == null
                || jobs.placed().stream().allMatch(job.id()::equals)
                        && jobs.waiting().headSet(Position.of(job)).isEmpty();
    }

    /** The waiting jobs of the same name and owner that were submitted before. */
    List<GlobalJobId> waitingBefore(final GlobalJob job) {
        final Jobs jobs = byName.get(Key.of(job));
        return jobs == null
                ? List.of()
                : jobs.waiting().headSet(Position.of(job)).stream()
                        .map(Position::job)
                        .toList();
    }
}
