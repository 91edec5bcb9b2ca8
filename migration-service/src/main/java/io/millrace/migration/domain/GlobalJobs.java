package io.millrace.migration.domain;

import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Waiting;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All global jobs: complete while active; of ended jobs only the keys of their local jobs. */
public final class GlobalJobs {

    private record Over(long version, Set<JobKey> locals) {}

    private final Map<GlobalJobId, GlobalJob> live = new TreeMap<>();
    private final Map<GlobalJobId, Over> over = new HashMap<>();
    private final Map<String, GlobalJobId> bySubject = new HashMap<>();
    private final Set<GlobalJobId> waiting = new HashSet<>();

    /** Applies a record of the log unless a newer version is known. */
    public void read(final GlobalJob job) {
        if (job.version() > version(job.id())) {
            put(job);
        }
    }

    public void put(final GlobalJob job) {
        final Set<JobKey> locals = locals(job);
        if (job.state().isFinal()) {
            live.remove(job.id());
            waiting.remove(job.id());
            subjects(job).forEach(bySubject::remove);
            over.put(job.id(), new Over(job.version(), locals));
            return;
        }
        live.put(job.id(), job);
        subjects(job).forEach(subject -> bySubject.put(subject, job.id()));
        if (job.state() instanceof Waiting) {
            waiting.add(job.id());
        } else {
            waiting.remove(job.id());
        }
    }

    private long version(final GlobalJobId id) {
        final GlobalJob job = live.get(id);
        if (job != null) {
            return job.version();
        }
        final Over ended = over.get(id);
        return ended == null ? 0 : ended.version();
    }

    public boolean isKnown(final GlobalJobId id) {
        return live.containsKey(id) || over.containsKey(id);
    }

    public boolean isLive(final GlobalJobId id) {
        return live.containsKey(id);
    }

    /** A job that has not ended. */
    public Optional<GlobalJob> find(final GlobalJobId id) {
        return Optional.ofNullable(live.get(id));
    }

    /** The active job that the subject of a command (an attempt or a local job) belongs to. */
    public Optional<GlobalJobId> bySubject(final String subject) {
        return Optional.ofNullable(bySubject.get(subject));
    }

    public Collection<GlobalJob> all() {
        return live.values();
    }

    /** Oldest first: the ids sort by time of submission. Among the places of one owner, jobs with a higher priority are first. */
    public List<GlobalJob> waiting() {
        final List<GlobalJob> oldestFirst = waiting.stream()
                .sorted()
                .map(live::get)
                .filter(Objects::nonNull)
                .toList();
        if (oldestFirst.stream().allMatch(job -> priority(job) == 0)) {
            return oldestFirst;
        }
        final Map<UserName, Iterator<GlobalJob>> byOwner = new HashMap<>();
        oldestFirst.stream()
                .collect(Collectors.groupingBy(job -> job.submission().owner()))
                .forEach((owner, jobs) -> byOwner.put(
                        owner,
                        jobs.stream()
                                .sorted(Comparator.comparingInt(GlobalJobs::priority)
                                        .reversed())
                                .iterator()));
        return oldestFirst.stream()
                .map(place -> Objects.requireNonNull(
                                byOwner.get(place.submission().owner()))
                        .next())
                .toList();
    }

    private static int priority(final GlobalJob job) {
        return job.priority() == null ? 0 : job.priority();
    }

    /** The local jobs on record for a job, over or not; null if the job is not known. */
    @Nullable
    Set<JobKey> localsOf(final GlobalJobId id) {
        final GlobalJob job = live.get(id);
        if (job != null) {
            return locals(job);
        }
        final Over ended = over.get(id);
        return ended == null ? null : ended.locals();
    }

    public Map<String, Long> byState() {
        return live.values().stream()
                .collect(Collectors.groupingBy(job -> job.state().word(), TreeMap::new, Collectors.counting()));
    }

    /** What commands about the job's newest attempt are about. */
    private static List<String> subjects(final GlobalJob job) {
        final Attempt attempt = job.attempt();
        if (attempt == null) {
            return List.of();
        }
        final String tag = job.id().attempt(attempt.number()).toString();
        return attempt.localJob() == null
                ? List.of(tag)
                : List.of(tag, attempt.localJob().toString());
    }

    private static Set<JobKey> locals(final GlobalJob job) {
        return job.attempts().stream()
                .map(Attempt::localJob)
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet());
    }
}
