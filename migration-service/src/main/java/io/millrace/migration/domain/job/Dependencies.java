package io.millrace.migration.domain.job;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobDependency.Condition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs that depend on other global jobs, and what these wait for: the semantics of {@code sbatch --dependency} (afterok,
 * afternotok, afterany, after, singleton), on jobs of any cluster and on whole batches.
 */
final class Dependencies {

    /** How far a job is. */
    enum Progress {
        UNKNOWN,
        LIVE,
        OK,
        NOT_OK;

        static Progress of(final GlobalJobState state) {
            if (!state.isFinal()) {
                return LIVE;
            }
            return state instanceof GlobalJobState.End end && end.outcome().equals(new RunOutcome.Exited(0))
                    ? OK
                    : NOT_OK;
        }
    }

    /** The number of jobs of a batch by progress. */
    private record Tally(int live, int ok, int notOk) {

        static final Tally NONE = new Tally(0, 0, 0);

        Tally plus(final Progress progress, final int n) {
            return switch (progress) {
                case UNKNOWN -> this;
                case LIVE -> new Tally(live + n, ok, notOk);
                case OK -> new Tally(live, ok + n, notOk);
                case NOT_OK -> new Tally(live, ok, notOk + n);
            };
        }

        Progress progress() {
            if (live + ok + notOk == 0) {
                return Progress.UNKNOWN;
            }
            return live > 0 ? Progress.LIVE : notOk > 0 ? Progress.NOT_OK : Progress.OK;
        }
    }

    private static final JobDependency NONE = new JobDependency(true, List.of());

    private final Function<GlobalJobId, Progress> progress;
    private final Predicate<GlobalJobId> started;
    private final Map<GlobalJobId, GlobalJob> waiting = new HashMap<>();
    private final Namesakes namesakes = new Namesakes();
    private final Map<String, Set<GlobalJobId>> dependants = new HashMap<>();
    private final Map<BatchId, Tally> batches = new HashMap<>();
    private final Map<BatchId, Set<GlobalJobId>> dependantMembers = new HashMap<>();

    /**
     * @param progress of each job
     * @param started whether the run of an active job has started
     */
    Dependencies(final Function<GlobalJobId, Progress> progress, final Predicate<GlobalJobId> started) {
        this.progress = progress;
        this.started = started;
    }

    /**
     * Takes note of a job.
     *
     * @param before as it was; null: unknown
     * @param progress how far it was
     * @return the waiting jobs that may have another verdict
     */
    Set<GlobalJobId> put(final @Nullable GlobalJob before, final GlobalJob job, final Progress progress) {
        final BatchMember member = job.submission().batch();
        final Progress now = Progress.of(job.state());
        if (member != null && now != progress) {
            batches.merge(
                    member.batch(),
                    Tally.NONE.plus(now, 1).plus(progress, -1),
                    (one, other) -> new Tally(one.live + other.live, one.ok + other.ok, one.notOk + other.notOk));
        }
        remember(job);
        final Set<GlobalJobId> affected = new TreeSet<>();
        namesakes.put(before, job).stream()
                .filter(id -> dependency(id).conditions().contains(Condition.singleton()))
                .forEach(affected::add);
        if (now == Progress.LIVE) {
            affected.addAll(ofStart(job.id()));
            return affected;
        }
        affected.addAll(dependants.getOrDefault(job.id().value(), Set.of()));
        if (member != null) {
            affected.addAll(dependants.getOrDefault(member.batch().value(), Set.of()));
        }
        return affected;
    }

    /** The waiting jobs that wait for the start of this one. */
    Set<GlobalJobId> ofStart(final GlobalJobId job) {
        final Set<GlobalJobId> all = dependants.getOrDefault(job.value(), Set.of());
        return all.isEmpty()
                ? all
                : all.stream()
                        .filter(id ->
                                dependency(id).conditions().contains(Condition.on(job, JobDependency.End.STARTED)))
                        .collect(Collectors.toSet());
    }

    private JobDependency dependency(final GlobalJobId job) {
        final GlobalJob found = waiting.get(job);
        return found == null
                ? NONE
                : Objects.requireNonNullElse(found.submission().dependency(), NONE);
    }

    private void remember(final GlobalJob job) {
        final JobDependency now =
                job.state() instanceof Waiting ? job.submission().dependency() : null;
        final GlobalJob known = now == null ? waiting.remove(job.id()) : waiting.put(job.id(), job);
        final JobDependency before = known == null ? null : known.submission().dependency();
        if (before == now) {
            return;
        }
        final BatchMember member = job.submission().batch();
        if (before != null) {
            before.conditions().forEach(condition -> remove(dependants, condition.id(), job.id()));
            if (member != null) {
                remove(dependantMembers, member.batch(), job.id());
            }
        }
        if (now != null) {
            now.conditions()
                    .forEach(condition -> dependants
                            .computeIfAbsent(condition.id(), id -> new HashSet<>())
                            .add(job.id()));
            if (member != null) {
                dependantMembers
                        .computeIfAbsent(member.batch(), id -> new HashSet<>())
                        .add(job.id());
            }
        }
    }

    private static <K> void remove(final Map<K, Set<GlobalJobId>> map, final K key, final GlobalJobId job) {
        map.computeIfPresent(key, (k, jobs) -> jobs.remove(job) && jobs.isEmpty() ? null : jobs);
    }

    DependencyVerdict verdict(final GlobalJob job) {
        final JobDependency dependency = job.submission().dependency();
        final List<Condition> pending = new ArrayList<>();
        DependencyVerdict.Never never = null;
        boolean satisfied = false;
        for (final Condition condition : dependency == null ? List.<Condition>of() : dependency.conditions()) {
            switch (verdict(job, condition)) {
                case DependencyVerdict.Satisfied s -> satisfied = true;
                case DependencyVerdict.Pending p -> pending.add(condition);
                case DependencyVerdict.Never n -> never = n;
            }
        }
        if (dependency == null || dependency.isNone() || satisfied && !dependency.all()) {
            return new DependencyVerdict.Satisfied();
        }
        if (never != null && (dependency.all() || pending.isEmpty())) {
            return never;
        }
        return pending.isEmpty() ? new DependencyVerdict.Satisfied() : new DependencyVerdict.Pending(pending);
    }

    private DependencyVerdict verdict(final GlobalJob job, final Condition condition) {
        if (condition.end() == JobDependency.End.SINGLETON) {
            return namesakes.isNext(job) ? new DependencyVerdict.Satisfied() : pending(condition);
        }
        final Tally tally = condition.batch() == null ? null : batches.getOrDefault(condition.batch(), Tally.NONE);
        final Progress seen = tally != null
                ? tally.progress()
                : condition.job() == null ? Progress.UNKNOWN : progress.apply(condition.job());
        final boolean failed = seen == Progress.NOT_OK || tally != null && tally.notOk > 0;
        final String what = (tally == null ? "job " : "batch ") + condition.id();
        if (seen == Progress.UNKNOWN) {
            return new DependencyVerdict.Never(condition, what + " is unknown");
        }
        return switch (condition.end()) {
            case OK ->
                failed
                        ? new DependencyVerdict.Never(
                                condition,
                                tally == null
                                        ? what + " did not end with exit code 0"
                                        : "not every job of " + what + " ended with exit code 0")
                        : seen == Progress.OK ? new DependencyVerdict.Satisfied() : pending(condition);
            case NOT_OK ->
                switch (seen) {
                    case LIVE -> pending(condition);
                    case OK -> new DependencyVerdict.Never(condition, what + " ended with exit code 0");
                    case UNKNOWN, NOT_OK -> new DependencyVerdict.Satisfied();
                };
            case ANY -> seen == Progress.LIVE ? pending(condition) : new DependencyVerdict.Satisfied();
            case STARTED ->
                seen == Progress.LIVE && !started.test(Objects.requireNonNull(condition.job()))
                        ? pending(condition)
                        : new DependencyVerdict.Satisfied();
            case SINGLETON -> throw new IllegalArgumentException("decided above");
        };
    }

    private static DependencyVerdict pending(final Condition condition) {
        return new DependencyVerdict.Pending(List.of(condition));
    }

    private record Link(GlobalJob job, JobDependency dependency) {}

    /** Whether a job with this dependency would wait for itself, directly or through other waiting jobs. */
    boolean isCircular(final GlobalJob job, final JobDependency dependency) {
        final Set<GlobalJobId> seen = new HashSet<>();
        final Deque<Link> open = new ArrayDeque<>(List.of(new Link(job, dependency)));
        while (!open.isEmpty()) {
            final Link link = open.pop();
            for (final Condition condition : link.dependency().conditions()) {
                if (isOrContains(condition, job)) {
                    return true;
                }
                for (final GlobalJobId next : waitsFor(link.job(), condition)) {
                    if (next.equals(job.id())) {
                        return true;
                    }
                    final GlobalJob other = waiting.get(next);
                    if (other != null && seen.add(next)) {
                        open.push(new Link(other, dependency(next)));
                    }
                }
            }
        }
        return false;
    }

    private static boolean isOrContains(final Condition condition, final GlobalJob job) {
        final BatchMember member = job.submission().batch();
        return job.id().equals(condition.job())
                || member != null && member.batch().equals(condition.batch());
    }

    /** The waiting jobs that a job with this condition waits for. */
    private Collection<GlobalJobId> waitsFor(final GlobalJob job, final Condition condition) {
        if (condition.end() == JobDependency.End.SINGLETON) {
            return namesakes.waitingBefore(job);
        }
        if (condition.batch() != null) {
            return dependantMembers.getOrDefault(condition.batch(), Set.of());
        }
        return condition.job() == null ? List.of() : List.of(condition.job());
    }
}
