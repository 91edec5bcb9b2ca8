package io.millrace.migration.domain;

import io.millrace.model.GlobalJobId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** When each job is due again. After a restart the timers are derived from the state of the jobs. */
public final class Timers {

    private record Alarm(Instant at, GlobalJobId job) {}

    private final TreeSet<Alarm> alarms =
            new TreeSet<>(Comparator.comparing(Alarm::at).thenComparing(Alarm::job));
    private final Map<GlobalJobId, Alarm> byJob = new HashMap<>();
    private Optional<Instant> placement = Optional.empty();
    private Optional<Instant> strays = Optional.empty();

    public void set(final GlobalJobId job, final Optional<Instant> at) {
        final Alarm old = byJob.remove(job);
        if (old != null) {
            alarms.remove(old);
        }
        at.ifPresent(when -> {
            final Alarm alarm = new Alarm(when, job);
            byJob.put(job, alarm);
            alarms.add(alarm);
        });
    }

    public Set<GlobalJobId> takeDue(final Instant now) {
        final Set<GlobalJobId> due = alarms.stream()
                .takeWhile(alarm -> !alarm.at().isAfter(now))
                .map(Alarm::job)
                .collect(Collectors.toSet());
        due.forEach(job -> set(job, Optional.empty()));
        return due;
    }

    public void setPlacement(final Optional<Instant> at) {
        placement = at;
    }

    public boolean isPlacementDue(final Instant now) {
        return placement.isPresent() && !placement.get().isAfter(now);
    }

    public void setOrphanCheck(final Optional<Instant> at) {
        strays = at;
    }

    public Optional<Instant> next() {
        final Optional<Instant> first =
                alarms.isEmpty() ? Optional.empty() : Optional.of(alarms.first().at());
        return earlier(earlier(first, placement), strays);
    }

    public static Optional<Instant> earlier(final Optional<Instant> one, final Optional<Instant> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }
}
