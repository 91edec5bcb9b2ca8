package io.millrace.submit;

import io.millrace.model.AttemptId;
import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobNumber;
import io.millrace.model.job.JobStatus;
import io.millrace.model.policy.Plan;
import io.millrace.model.transfer.Transfer;
import io.millrace.submit.clusters.KnownClusters;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.NamesBatchException;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobCount;
import io.millrace.submit.domain.job.JobFilter;
import io.millrace.submit.domain.job.JobProgress;
import io.millrace.submit.domain.job.StoredJob;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.submission.NamedJobs;
import io.millrace.submit.projection.WaitForProjection;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.job.GlobalJobs;
import io.millrace.submit.store.job.LocalJobs;
import io.millrace.submit.store.job.RunEnds;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds global jobs that a caller may see. */
@ApplicationScoped
public class ReadModel {

    private static final Pattern PREFIX = Pattern.compile("[0-9A-Za-z]{4,26}");
    private static final int CANDIDATES = 5;

    private final GlobalJobs jobs;
    private final LocalJobs localJobs;
    private final RunEnds runs;
    private final LatestEvents facts;
    private final Clusters clusters;
    private final KnownClusters known;
    private final FirstSubmissions submissions;
    private final WaitForProjection projection;

    ReadModel(
            final GlobalJobs jobs,
            final LocalJobs localJobs,
            final RunEnds runs,
            final LatestEvents facts,
            final Clusters clusters,
            final KnownClusters known,
            final FirstSubmissions submissions,
            final WaitForProjection projection) {
        this.jobs = jobs;
        this.localJobs = localJobs;
        this.runs = runs;
        this.facts = facts;
        this.clusters = clusters;
        this.known = known;
        this.submissions = submissions;
        this.projection = projection;
    }

    /**
     * A global job with its local job.
     *
     * @param local the local job while it is in a queue
     * @param transfer the transfer that the job waits for
     * @param dependency with the numbers of the other jobs; null if there is none
     */
    public record JobDetails(
            StoredJob stored,
            @Nullable JobObserved local,
            JobProgress progress,
            @Nullable Transfer transfer,
            @Nullable String dependency) {}

    /** Available cores by cluster. */
    @Transactional
    public Map<ClusterId, Integer> clusterCores() {
        return clusters.all().stream()
                .map(ClusterStatus::marker)
                .collect(Collectors.toMap(
                        RevisionClosed::cluster, marker -> marker.total().cores()));
    }

    @Transactional
    public Optional<StoredJob> job(final GlobalJobId id) {
        return jobs.find(id);
    }

    /** The last run of a job; empty if none has ended. */
    @Transactional
    public Optional<RunEnded> lastRun(final GlobalJob job) {
        final List<RunEnded> ended = runs.of(job);
        return ended.isEmpty() ? Optional.empty() : Optional.of(ended.getLast());
    }

    /** The job, also if it was accepted only a moment ago. */
    public Optional<StoredJob> accepted(final GlobalJobId id) {
        return orOnceCaughtUp(() -> jobs.find(id));
    }

    /** Most jobs are found at once; only a job that is not found may be one that the read model does not contain yet. */
    private <T> Optional<T> orOnceCaughtUp(final Callable<Optional<T>> query) {
        return QuarkusTransaction.requiringNew().call(query).or(() -> {
            requireCaughtUp();
            return QuarkusTransaction.requiringNew().call(query);
        });
    }

    /**
     * Waits until the read model contains every submission that was accepted before, by any instance.
     *
     * @throws RequestRefused if that takes too long
     */
    private void requireCaughtUp() {
        submissions.newest().ifPresent(this::requireProjected);
    }

    /**
     * As {@link #requireCaughtUp}, for lists. While the log does not answer, it accepts no submissions, and lists show what is known.
     *
     * @throws RequestRefused if the read model does not follow in time
     */
    public void awaitSubmissions() {
        final Optional<LogPosition> newest;
        try {
            newest = submissions.newest();
        } catch (final RequestRefused noAnswer) {
            return;
        }
        newest.ifPresent(this::requireProjected);
    }

    private void requireProjected(final LogPosition newest) {
        if (!projection.passed(newest)) {
            throw new RequestRefused(
                    RequestRefused.Kind.UNAVAILABLE,
                    "the read model does not contain the newest submissions yet; retry");
        }
    }

    /**
     * The job with this number ({@code 4711}, {@code 4711_4}), id or unique prefix, or with this id of a local job ({@code alpha/153}).
     *
     * @throws RequestRefused if the caller may see no such job, or if the prefix is ambiguous
     * @throws NamesBatchException if it is a batch
     */
    public JobDetails job(final Caller caller, final String named) {
        if (named.contains("/")) {
            return QuarkusTransaction.requiringNew().call(() -> withLocalId(caller, named));
        }
        final Optional<JobNumber> number = JobNumber.of(named);
        if (number.isPresent()) {
            return shown(numbered(caller, number.get()), number.get());
        }
        if (!PREFIX.matcher(named).matches()) {
            throw RequestRefused.notFound("'" + named
                    + "' is not a job number such as 4711 or 4711_4, and not an id; use 26 letters and digits, or at"
                    + " least the first 4");
        }
        if (BatchId.isBatch(named)) {
            throw new NamesBatchException(batch(caller, batchId(caller, named)).batch(), named);
        }
        return orOnceCaughtUp(() -> withPrefix(caller, named))
                .orElseThrow(() -> RequestRefused.notFound("job '" + named + "' not found"));
    }

    private JobDetails shown(final StoredJob job, final JobNumber number) {
        final BatchMember member = job.job().submission().batch();
        if (member != null && number.task() == null) {
            throw new NamesBatchException(member.batch(), number.toString());
        }
        return QuarkusTransaction.requiringNew().call(() -> shown(List.of(job)).getFirst());
    }

    /** The job with this number, or one of the jobs of the batch. */
    private StoredJob numbered(final Caller caller, final JobNumber number) {
        return orOnceCaughtUp(() -> jobs.withNumber(number, owner(caller)))
                .orElseThrow(() -> RequestRefused.notFound("job " + number + " not found"));
    }

    /** The user whose jobs the caller may see; null: all users. */
    private static @Nullable UserName owner(final Caller caller) {
        return caller.operator() ? null : caller.user();
    }

    /**
     * The batch with this number or id. An id need not be that of a known batch.
     *
     * @throws RequestRefused if it is neither
     */
    public BatchId batchId(final Caller caller, final String named) {
        final Optional<JobNumber> number = JobNumber.of(named);
        if (number.isEmpty()) {
            try {
                return BatchId.of(named);
            } catch (final IllegalArgumentException e) {
                throw RequestRefused.notFound(String.valueOf(e.getMessage()));
            }
        }
        final BatchMember member =
                numbered(caller, number.get()).job().submission().batch();
        if (member == null || number.get().task() != null) {
            throw RequestRefused.notFound(named + " is a single job, not a batch");
        }
        return member.batch();
    }

    /** The jobs and batches that numbers in requests of a caller name. */
    public NamedJobs namedBy(final Caller caller) {
        return named -> JobNumber.of(named)
                .map(number -> orOnceCaughtUp(() -> jobs.withNumber(number, owner(caller)))
                        .map(job -> id(job.job(), number))
                        .orElseThrow(() -> new IllegalArgumentException("names job " + named
                                + ", which was not found; a job of a cluster's own workload manager is written"
                                + " CLUSTER/" + named)))
                .orElse(named);
    }

    private static String id(final GlobalJob job, final JobNumber number) {
        final BatchMember member = job.submission().batch();
        return member == null || number.task() != null
                ? job.id().value()
                : member.batch().value();
    }

    private Optional<JobDetails> withPrefix(final Caller caller, final String idOrPrefix) {
        final List<StoredJob> found = jobs.withPrefix(idOrPrefix.toUpperCase(Locale.ROOT), owner(caller), CANDIDATES);
        if (found.size() > 1) {
            final String ids = found.stream()
                    .map(stored -> stored.job().id().value())
                    .collect(Collectors.joining(", ", "", found.size() < CANDIDATES ? "" : ", ..."));
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "job id prefix '" + idOrPrefix + "' matches several jobs: " + ids + "; add more characters");
        }
        return shown(found).stream().findFirst();
    }

    private JobDetails withLocalId(final Caller caller, final String text) {
        final JobId id;
        try {
            id = JobId.of(text);
        } catch (final IllegalArgumentException e) {
            throw RequestRefused.notFound("'" + text + "' is not a valid local job id: " + e.getMessage());
        }
        final JobObserved queued = localJobs.newest(id).orElse(null);
        final RunEnded ended = queued == null ? runs.newest(id).orElse(null) : null;
        final AttemptId attempt = queued != null ? queued.attempt() : ended != null ? ended.attempt() : null;
        if (attempt != null) {
            final Optional<StoredJob> job = jobs.find(attempt.job())
                    .filter(stored -> caller.maySee(stored.job().submission().owner()));
            if (job.isPresent()) {
                return shown(List.of(job.get())).getFirst();
            }
        } else if (queued != null && caller.maySee(queued.owner()) || ended != null && caller.maySee(ended.owner())) {
            throw RequestRefused.notFound("job '" + id + "' was not submitted with mgsub; show it with: mgstat --why "
                    + id + ", and stop it with the commands of its cluster");
        }
        throw notFound(id.cluster(), text);
    }

    /**
     * The refusal of a local job that the caller cannot see, which does not tell whether it exists.
     *
     * @param named the job as the caller named it
     */
    RequestRefused notFound(final ClusterId cluster, final String named) {
        known.requireKnown(cluster, RequestRefused::notFound);
        return RequestRefused.notFound("job '" + named + "' not found in the queue or among ended jobs");
    }

    @Transactional
    public Optional<JobDetails> shown(final GlobalJobId id) {
        return jobs.find(id).map(stored -> shown(List.of(stored)).getFirst());
    }

    /** Jobs that match, newest first. The caller must have authorized access to jobs of other users. */
    @Transactional
    public List<JobDetails> jobs(final JobFilter filter) {
        final List<StoredJob> found = jobs.list(filter);
        requireKnownIf(found.isEmpty(), filter);
        return shown(found);
    }

    /**
     * The jobs of one number that match.
     *
     * @param first the one with the lowest index
     * @param tasks null for a single job
     */
    public record NumberedJobs(JobDetails first, @Nullable Tasks tasks) {}

    /**
     * The jobs of a batch that match.
     *
     * @param first lowest index
     * @param last highest index
     */
    public record Tasks(int first, int last, List<JobCount> counts) {}

    /** As {@link #jobs(JobFilter)}, with the jobs of a batch together. */
    @Transactional
    public List<NumberedJobs> numbered(final JobFilter filter) {
        final List<GlobalJobs.Numbered> found = jobs.listByNumber(filter);
        requireKnownIf(found.isEmpty(), filter);
        final List<JobDetails> first =
                shown(found.stream().map(GlobalJobs.Numbered::first).toList());
        final List<NumberedJobs> all = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            final GlobalJobs.Numbered one = found.get(i);
            all.add(new NumberedJobs(
                    first.get(i),
                    one.firstTask() == null || one.lastTask() == null
                            ? null
                            : new Tasks(one.firstTask(), one.lastTask(), one.counts())));
        }
        return all;
    }

    /** The number of jobs that match, by state. The caller must have authorized access to jobs of other users. */
    @Transactional
    public List<JobCount> counts(final JobFilter filter) {
        final List<JobCount> counts = jobs.counts(filter);
        requireKnownIf(counts.isEmpty(), filter);
        return counts;
    }

    private void requireKnownIf(final boolean nothingFound, final JobFilter filter) {
        if (nothingFound) {
            known.requireKnown(filter.cluster(), reason -> RequestRefused.invalid("cluster", "names " + reason));
        }
    }

    /** The numbers of global jobs. */
    @Transactional
    public Map<GlobalJobId, JobNumber> numbers(final Collection<GlobalJobId> ids) {
        return jobs.numbers(ids);
    }

    /** The digest of the submission of each known job of a batch. */
    @Transactional
    public Map<GlobalJobId, String> digests(final BatchId batch) {
        return jobs.digests(batch);
    }

    /**
     * A batch.
     *
     * @param first one of its jobs
     * @param counts its jobs by state
     */
    public record BatchDetails(BatchId batch, StoredJob first, List<JobCount> counts) {

        public boolean isFinished() {
            return counts.stream().allMatch(count -> count.state().isFinal());
        }
    }

    /** @throws RequestRefused if the caller may see no such batch */
    public BatchDetails batch(final Caller caller, final BatchId batch) {
        requireCaughtUp(); // a batch that is not complete could be shown as finished
        final UserName owner = owner(caller);
        return QuarkusTransaction.requiringNew()
                .call(() -> jobs.list(JobFilter.ofBatch(batch, owner, Set.of(), 1)).stream()
                        .findFirst()
                        .map(first -> new BatchDetails(
                                batch,
                                first,
                                jobs.counts(JobFilter.ofBatch(batch, owner, Set.of(), BatchId.MAX_JOBS)))))
                .orElseThrow(() -> RequestRefused.notFound("batch '" + batch + "' not found"));
    }

    /**
     * All jobs of a batch.
     *
     * @throws RequestRefused if the caller may see no such batch
     */
    public List<GlobalJob> jobs(final Caller caller, final BatchId batch) {
        batch(caller, batch);
        final UserName owner = owner(caller);
        return QuarkusTransaction.requiringNew()
                .call(() -> jobs.list(JobFilter.ofBatch(batch, owner, Set.of(), BatchId.MAX_JOBS)).stream()
                        .map(StoredJob::job)
                        .toList());
    }

    /** The jobs of a batch that have not ended, if the caller may see them. */
    public List<JobDetails> unfinished(final Caller caller, final BatchId batch) {
        requireCaughtUp();
        final UserName owner = owner(caller);
        final List<JobDetails> unfinished = QuarkusTransaction.requiringNew()
                .call(() -> shown(
                        jobs.list(JobFilter.ofBatch(batch, owner, Set.copyOf(JobStatus.ACTIVE), BatchId.MAX_JOBS))));
        if (unfinished.isEmpty()) {
            batch(caller, batch);
            throw new RequestRefused(RequestRefused.Kind.CONFLICT, "all jobs of batch " + batch + " have ended");
        }
        return unfinished;
    }

    private List<JobDetails> shown(final List<StoredJob> stored) {
        final List<JobKey> keys = new ArrayList<>();
        stored.stream().map(ReadModel::localKey).filter(Objects::nonNull).forEach(keys::add);
        final Map<JobKey, JobObserved> locals = localJobs.find(keys);
        final Map<GlobalJobId, List<RunEnded>> ended = runs.ofEach(stored.stream()
                .map(StoredJob::job)
                .filter(job -> !job.attempts().isEmpty())
                .toList());
        final Map<String, List<Plan>> plans = plans(stored);
        final Map<TransferId, Transfer> transfers = transfers(stored);
        final Function<JobDependency.Condition, String> names = names(stored.stream()
                .flatMap(one -> Stream.ofNullable(one.job().submission().dependency()))
                .toList());
        return stored.stream()
                .map(one -> {
                    final GlobalJob job = one.job();
                    final JobKey key = localKey(one);
                    final JobObserved local = key == null ? null : locals.get(key);
                    return new JobDetails(
                            one,
                            local,
                            JobProgress.of(
                                    job,
                                    local,
                                    ended.getOrDefault(job.id(), List.of()),
                                    plans.getOrDefault(planned(one), List.of())),
                            job.state().transfer() == null
                                    ? null
                                    : transfers.get(job.state().transfer()),
                            job.submission().dependency() == null
                                    ? null
                                    : job.submission().dependency().text(names));
                })
                .toList();
    }

    /** The numbers of the jobs and batches that dependencies name; the id of one that is not known any more. */
    private Function<JobDependency.Condition, String> names(final List<JobDependency> dependencies) {
        final Map<GlobalJobId, JobNumber> numbers = jobs.numbers(dependencies.stream()
                .flatMap(dependency -> dependency.conditions().stream())
                .flatMap(condition -> Stream.ofNullable(named(condition)))
                .distinct()
                .toList());
        return condition -> {
            final GlobalJobId job = named(condition);
            final JobNumber number = job == null ? null : numbers.get(job);
            return number == null ? condition.id() : (condition.batch() == null ? number : number.ofBatch()).toString();
        };
    }

    /** The job of a condition; of a batch its first one. */
    private static @Nullable GlobalJobId named(final JobDependency.Condition condition) {
        return condition.batch() == null ? condition.job() : condition.batch().job(1);
    }

    /** A dependency with the numbers of the other jobs. */
    public @Nullable String text(final @Nullable JobDependency dependency) {
        return dependency == null
                ? null
                : QuarkusTransaction.requiringNew().call(() -> dependency.text(names(List.of(dependency))));
    }

    /** The plans for the jobs that have not ended, by the job or local job that they are for. */
    private Map<String, List<Plan>> plans(final List<StoredJob> stored) {
        final List<String> about = stored.stream()
                .filter(one -> !one.job().state().isFinal())
                .map(ReadModel::planned)
                .toList();
        return facts.bySubject(about, Plan.class).stream()
                .collect(Collectors.groupingBy(plan -> plan.job().toString()));
    }

    /** The transfers that jobs wait for. */
    private Map<TransferId, Transfer> transfers(final List<StoredJob> stored) {
        final List<String> about = stored.stream()
                .map(StoredJob::job)
                .filter(job -> job.state().transfer() != null)
                .map(job -> job.id().value())
                .toList();
        return facts.bySubject(about, Transfer.class).stream()
                .collect(Collectors.toMap(Transfer::id, Function.identity()));
    }

    /** What the plans of a job are about: its local job, otherwise the job itself. */
    private static String planned(final StoredJob stored) {
        final JobKey key = localKey(stored);
        return key == null ? stored.job().id().value() : key.toString();
    }

    private static @Nullable JobKey localKey(final StoredJob stored) {
        return stored.job().state() instanceof GlobalJobState.Submitted submitted ? submitted.localJob() : null;
    }
}
