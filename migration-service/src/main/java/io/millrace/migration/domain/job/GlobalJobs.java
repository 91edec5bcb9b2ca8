package io.millrace.migration.domain.job;

import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Downloading;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobDependency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All global jobs: complete while active; of ended jobs only the keys of their local jobs. */
public final class GlobalJobs {

    /** @param replaced numbers of the attempts that were replaced because their cluster was fenced */
    private record Over(long version, Set<JobKey> locals, boolean ok, Set<Integer> replaced) {}

    private final Map<GlobalJobId, GlobalJob> live = new TreeMap<>();
    private final Map<GlobalJobId, Over> over = new HashMap<>();
    private final Map<String, GlobalJobId> bySubject = new HashMap<>();
    private final Map<String, Long> byState = new TreeMap<>();
    private final WaitingJobs waiting = new WaitingJobs();
    private final PlacedJobs placed = new PlacedJobs();
    private final Dependencies dependencies;
    private final BatchLimits batches = new BatchLimits();
    private final Set<GlobalJobId> gated = new TreeSet<>();

    /** Jobs of which no run is observed. */
    public GlobalJobs() {
        this(job -> false);
    }

    /** @param started whether the run of a job was observed on its cluster */
    public GlobalJobs(final Predicate<GlobalJob> started) {
        dependencies = new Dependencies(
                this::progress,
                id -> find(id).filter(job -> job.state() instanceof Downloading || started.test(job))
                        .isPresent());
    }

    /** Applies a record of the log unless a newer version is known. */
    public void read(final GlobalJob job) {
        if (job.version() > version(job.id())) {
            put(job);
        }
    }

    public void put(final GlobalJob job) {
        final Set<JobKey> locals = locals(job);
        final GlobalJob before = live.get(job.id());
        final Dependencies.Progress progress = progress(job.id());
        placed.replace(before, job);
        if (before != null) {
            count(before, -1);
        }
        if (job.state().isFinal()) {
            live.remove(job.id());
            subjects(job).forEach(bySubject::remove);
            final boolean ok = Dependencies.Progress.of(job.state()) == Dependencies.Progress.OK;
            over.put(job.id(), new Over(job.version(), locals, ok, replaced(job)));
        } else {
            live.put(job.id(), job);
            count(job, 1);
            subjects(job).forEach(subject -> bySubject.put(subject, job.id()));
        }
        final Set<GlobalJobId> dependants = dependencies.put(before, job, progress);
        offer(job);
        dependants.forEach(id -> find(id).ifPresent(this::offer));
    }

    /** The local job was observed: jobs that wait for its start may be ready. */
    public void observed(final GlobalJobId id) {
        dependencies.ofStart(id).forEach(dependant -> find(dependant).ifPresent(this::offer));
    }

    /** Makes a job available for placement if it may be placed, and others of its batch whose turn it is now. */
    private void offer(final GlobalJob job) {
        final boolean ready = job.state() instanceof Waiting
                && job.hold() == null
                && dependencies.verdict(job) instanceof DependencyVerdict.Satisfied;
        for (final GlobalJobId id : batches.put(job, ready)) {
            final GlobalJob one = id.equals(job.id()) ? job : Objects.requireNonNull(live.get(id));
            waiting.put(one, (ready || one != job) && batches.hasTurn(one));
            if (one.submission().dependency() != null || BatchLimits.isLimited(one)) {
                gated.add(id);
            }
        }
    }

    /** Jobs that may have begun or ceased to wait for other jobs since the last call. */
    public List<GlobalJobId> takeGated() {
        final List<GlobalJobId> taken = List.copyOf(gated);
        gated.clear();
        return taken;
    }

    public boolean hasGated() {
        return !gated.isEmpty();
    }

    /** Why a waiting job is not considered for placement, apart from a hold: it waits for other jobs. Empty if it is considered. */
    public Optional<Veto> gate(final GlobalJob job) {
        return switch (dependencies.verdict(job)) {
            case DependencyVerdict.Never never ->
                Optional.of(VetoCode.DEPENDENCY_NEVER_SATISFIED.veto(
                        "its dependency " + never.condition() + " can never be satisfied, because " + never.reason()));
            case DependencyVerdict.Pending pending ->
                Optional.of(VetoCode.DEPENDENCY.veto("it waits for "
                        + pending.conditions().stream()
                                .map(condition -> condition.end() == JobDependency.End.SINGLETON
                                        ? "other jobs of its name and owner (singleton)"
                                        : condition.toString())
                                .collect(Collectors.joining(", "))));
            case DependencyVerdict.Satisfied satisfied -> batchLimit(job);
        };
    }

    private Optional<Veto> batchLimit(final GlobalJob job) {
        final BatchMember member = job.submission().batch();
        return member == null || batches.hasTurn(job)
                ? Optional.empty()
                : Optional.of(VetoCode.ARRAY_LIMIT.veto("at most " + member.maxConcurrent() + " jobs of its batch "
                        + member.batch() + " may be placed at a time"));
    }

    /** Whether a job with this dependency would wait for itself. */
    public boolean isCircular(final GlobalJob job, final JobDependency dependency) {
        return dependencies.isCircular(job, dependency);
    }

    private Dependencies.Progress progress(final GlobalJobId id) {
        final Over ended = over.get(id);
        if (ended != null) {
            return ended.ok() ? Dependencies.Progress.OK : Dependencies.Progress.NOT_OK;
        }
        return live.containsKey(id) ? Dependencies.Progress.LIVE : Dependencies.Progress.UNKNOWN;
    }

    private void count(final GlobalJob job, final int sign) {
        byState.merge(job.state().word(), (long) sign, (one, other) -> one + other == 0 ? null : one + other);
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

    public PlacedJobs placed() {
        return placed;
    }

    public WaitingJobs waiting() {
        return waiting;
    }

    /** The local jobs on record for a job, over or not; null if the job is not known. */
    @Nullable
    public Set<JobKey> localsOf(final GlobalJobId id) {
        final GlobalJob job = live.get(id);
        if (job != null) {
            return locals(job);
        }
        final Over ended = over.get(id);
        return ended == null ? null : ended.locals();
    }

    /** Whether the attempt was replaced because its cluster was fenced. */
    public boolean isReplaced(final AttemptId tag) {
        final GlobalJob job = live.get(tag.job());
        final Over ended = over.get(tag.job());
        return job != null
                ? replaced(job).contains(tag.number())
                : ended != null && ended.replaced().contains(tag.number());
    }

    private static Set<Integer> replaced(final GlobalJob job) {
        return job.attempts().stream()
                .filter(attempt -> attempt.hasEnded(AttemptEnd.Cause.FENCED))
                .map(Attempt::number)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The number of active jobs by state. */
    public Map<String, Long> byState() {
        return Map.copyOf(byState);
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
