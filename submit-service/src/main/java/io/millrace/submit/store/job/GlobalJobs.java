package io.millrace.submit.store.job;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobNumber;
import io.millrace.model.job.JobStatus;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import io.millrace.submit.domain.job.JobCount;
import io.millrace.submit.domain.job.JobFilter;
import io.millrace.submit.domain.job.StoredJob;
import io.millrace.submit.domain.log.EventSerializer;
import io.millrace.submit.domain.submission.Digests;
import io.millrace.submit.store.Rows;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Global jobs from {@code millrace.submissions} and {@code millrace.global-jobs}, which may be read in any order. */
@ApplicationScoped
public class GlobalJobs {

    private static final Comparator<ListedJob> NEWEST_FIRST = Comparator.comparing(ListedJob::submitted)
            .thenComparing(ListedJob::id)
            .reversed();

    private final EventSerializer text;

    GlobalJobs(final EventSerializer text) {
        this.text = text;
    }

    /** Loads jobs with one statement, for changes that are written when the transaction ends. */
    public Loaded load(final Collection<GlobalJobId> ids) {
        return new Loaded(Rows.byIds(
                GlobalJobRow.class,
                ids.stream().map(GlobalJobId::value).distinct().toList(),
                row -> row.id));
    }

    /** The loaded rows of some jobs. */
    public final class Loaded {

        private final Map<String, GlobalJobRow> rows;
        private final Map<String, GlobalJob> written = new HashMap<>();

        private Loaded(final Map<String, GlobalJobRow> rows) {
            this.rows = rows;
        }

        /** The job as it is now; empty if it is unknown. */
        public Optional<GlobalJob> job(final GlobalJobId id) {
            final GlobalJob changed = written.get(id.value());
            return changed != null
                    ? Optional.of(changed)
                    : Optional.ofNullable(rows.get(id.value())).map(row -> text.read(row.body, GlobalJob.class));
        }

        /** Stores the first submission of an id and ignores others. Returns whether it was the first. */
        public boolean submitted(final JobSubmitted job) {
            if (rows.containsKey(job.job().value())) {
                return false;
            }
            write(StoredJob.submitted(job));
            return true;
        }

        /** Stores a newer version of a job. Returns whether it shows more than the submission did, which the first version does not. */
        public boolean changed(final GlobalJob job) {
            final GlobalJobRow row = rows.get(job.id().value());
            if (row != null && row.version >= job.version()) {
                return false;
            }
            final boolean submitted =
                    row != null && row.version == 0 && job.state().equals(Waiting.ACCEPTED);
            write(job);
            return !submitted;
        }

        /** Stores the first stop request, even if it came too late. Returns whether it was the first. */
        public boolean stop(final StopRequested stop) {
            final GlobalJobRow row = rows.get(stop.job().value());
            if (row == null || row.stopBody != null) {
                return false;
            }
            row.stopBody = text.write(stop);
            return true;
        }

        /**
         * The state of a version of a job. A run that has left the queue keeps its state until its end is known.
         *
         * @param local its local job while it is in a queue
         */
        public JobStatus state(final GlobalJob job, final @Nullable JobObserved local) {
            final JobStatus before = row(job).state;
            final boolean left = local == null
                    && job.state() instanceof GlobalJobState.Submitted submitted
                    && submitted.localJob() != null;
            return left && (before == JobStatus.RUNNING || before == JobStatus.SUSPENDED)
                    ? before
                    : JobStatus.of(job, local);
        }

        /** Stores the state of a job. */
        public void show(final GlobalJob job, final @Nullable JobObserved local) {
            row(job).state = state(job, local);
        }

        private GlobalJobRow row(final GlobalJob job) {
            return Objects.requireNonNull(rows.get(job.id().value()));
        }

        /** The ids of the jobs that were stored. */
        public Set<GlobalJobId> written() {
            return written.values().stream().map(GlobalJob::id).collect(Collectors.toSet());
        }

        private void write(final GlobalJob job) {
            final GlobalJobRow found = rows.get(job.id().value());
            final GlobalJobRow row = found == null ? new GlobalJobRow() : found;
            row.owner = job.submission().owner().value();
            if (found == null || !(job.state() instanceof GlobalJobState.Submitted)) {
                row.state = JobStatus.of(job, null);
            }
            row.stage = job.state().word();
            row.isFinal = job.state().isFinal();
            row.version = job.version();
            row.submitted = job.submission().submittedAt();
            row.since = job.since();
            row.body = text.write(job);
            if (found == null) {
                row.id = job.id().value();
                row.number = job.submission().number();
                row.task = job.submission().jobNumber().task();
                row.digest = Digests.ofSubmission(job.submission());
                row.persist();
                rows.put(row.id, row);
            }
            written.put(row.id, job);
        }
    }

    public Optional<StoredJob> find(final GlobalJobId id) {
        return GlobalJobRow.<GlobalJobRow>findByIdOptional(id.value()).map(this::stored);
    }

    /**
     * Jobs whose id starts with the prefix, at most {@code limit}.
     *
     * @param prefix letters and digits
     */
    public List<StoredJob> withPrefix(final String prefix, final @Nullable UserName owner, final int limit) {
        final String like = prefix + "%";
        final List<GlobalJobRow> rows = owner == null
                ? GlobalJobRow.find("id like ?1", like).range(0, limit - 1).list()
                : GlobalJobRow.find("id like ?1 and owner = ?2", like, owner.value())
                        .range(0, limit - 1)
                        .list();
        return rows.stream().map(this::stored).toList();
    }

    /** The job with this number; of a batch, without a task, one of its jobs. */
    public Optional<StoredJob> withNumber(final JobNumber number, final @Nullable UserName owner) {
        final JobConditions conditions = new JobConditions().add("g.number = :number", "number", number.value());
        if (number.task() != null) {
            conditions.add("g.task = :task", "task", number.task());
        }
        if (owner != null) {
            conditions.add("g.owner = :owner", "owner", owner.value());
        }
        return GlobalJobRow.<GlobalJobRow>find("from GlobalJobRow g" + conditions.where(), conditions.values())
                .range(0, 0)
                .list()
                .stream()
                .findFirst()
                .map(this::stored);
    }

    /** The numbers of these jobs, without those that are unknown. */
    public Map<GlobalJobId, JobNumber> numbers(final Collection<GlobalJobId> ids) {
        final Map<GlobalJobId, JobNumber> numbers = new HashMap<>();
        if (!ids.isEmpty()) {
            Panache.getEntityManager()
                    .createQuery("select g.id, g.number, g.task from GlobalJobRow g where g.id in :ids", Object[].class)
                    .setParameter("ids", ids.stream().map(GlobalJobId::value).toList())
                    .getResultStream()
                    .forEach(columns ->
                            numbers.put(GlobalJobId.of((String) columns[0]), new JobNumber((Long) columns[1], (Integer)
                                    columns[2])));
        }
        return numbers;
    }

    /**
     * The number of unfinished jobs.
     *
     * @param owner null: of all users
     */
    public long unfinished(final @Nullable UserName owner) {
        return owner == null
                ? GlobalJobRow.count("isFinal = false")
                : GlobalJobRow.count("owner = ?1 and state in ?2", owner.value(), JobStatus.ACTIVE);
    }

    /** Whether the user has submitted a job, as far back as jobs are kept. */
    public boolean any(final UserName owner) {
        return GlobalJobRow.find("owner = ?1", owner.value())
                .firstResultOptional()
                .isPresent();
    }

    /** The digest of each job of a batch. */
    public Map<GlobalJobId, String> digests(final BatchId batch) {
        final Map<GlobalJobId, String> digests = new HashMap<>();
        Panache.getEntityManager()
                .createQuery("select g.id, g.digest from GlobalJobRow g where g.id like :batch", Object[].class)
                .setParameter("batch", batch.prefix() + "%")
                .getResultStream()
                .forEach(columns -> digests.put(GlobalJobId.of((String) columns[0]), (String) columns[1]));
        return digests;
    }

    /** Newest first. */
    public List<StoredJob> list(final JobFilter filter) {
        final GlobalJobRow after = filter.after() == null
                ? null
                : GlobalJobRow.findById(filter.after().value());
        final List<String> newest = eachState(filter)
                .flatMap(state -> newest(filter, state, after).stream())
                .distinct()
                .sorted(NEWEST_FIRST)
                .limit(filter.limit())
                .map(ListedJob::id)
                .toList();
        final Map<String, GlobalJobRow> rows = Rows.byIds(GlobalJobRow.class, newest, row -> row.id);
        return newest.stream()
                .map(rows::get)
                .filter(Objects::nonNull)
                .map(this::stored)
                .toList();
    }

    /** The states are queried one by one, because an index has the jobs of one state in the order of the list. */
    private static Stream<Set<JobStatus>> eachState(final JobFilter filter) {
        return filter.states().isEmpty()
                ? Stream.of(Set.of())
                : filter.states().stream().map(Set::of);
    }

    private record ListedJob(String id, Instant submitted) {}

    private static List<ListedJob> newest(
            final JobFilter filter, final Set<JobStatus> state, final @Nullable GlobalJobRow after) {
        final JobConditions conditions = JobConditions.of(filter, state);
        if (after != null) {
            // the first condition limits the scan of the index
            conditions
                    .add("g.submitted <= :time and (g.submitted < :time or g.id < :id)", "time", after.submitted)
                    .values()
                    .and("id", after.id);
        }
        return query(
                        "select g.id, g.submitted from GlobalJobRow g" + conditions.where()
                                + " order by g.submitted desc, g.id desc",
                        conditions)
                .setMaxResults(filter.limit())
                .getResultStream()
                .map(columns -> new ListedJob((String) columns[0], (Instant) columns[1]))
                .toList();
    }

    /**
     * The selected jobs of one number: of a batch, or a single one.
     *
     * @param first the one with the lowest index
     * @param firstTask lowest index; null for a single job
     * @param lastTask highest index; null for a single job
     * @param counts by state; empty for a single job
     */
    public record Numbered(
            StoredJob first,
            @Nullable Integer firstTask,
            @Nullable Integer lastTask,
            List<JobCount> counts) {}

    /** As {@link #list}, with the jobs of a batch together. */
    public List<Numbered> listByNumber(final JobFilter filter) {
        final JobConditions conditions = JobConditions.of(filter);
        if (filter.after() != null && GlobalJobRow.findById(filter.after().value()) instanceof GlobalJobRow after) {
            conditions
                    .add("g.submitted <= :time and (g.submitted < :time or g.id < :id)", "time", after.submitted)
                    .add("g.number <> :number", "number", after.number)
                    .values()
                    .and("id", after.id);
        }
        final List<Object[]> found = query(
                        "select min(g.id), g.number, min(g.task), max(g.task) from GlobalJobRow g" + conditions.where()
                                + " group by g.number order by max(g.submitted) desc, min(g.id) desc",
                        conditions)
                .setMaxResults(filter.limit())
                .getResultList();
        final Map<String, GlobalJobRow> rows = Rows.byIds(
                GlobalJobRow.class,
                found.stream().map(columns -> (String) columns[0]).toList(),
                row -> row.id);
        final List<Long> batches = found.stream()
                .filter(columns -> columns[2] != null)
                .map(columns -> (Long) columns[1])
                .toList();
        final Map<Long, List<JobCount>> counts = batches.isEmpty() ? Map.of() : countsByNumber(filter, batches);
        return found.stream()
                .map(columns -> new Numbered(
                        stored(Objects.requireNonNull(rows.get((String) columns[0]))), // of the same transaction
                        (Integer) columns[2],
                        (Integer) columns[3],
                        counts.getOrDefault((Long) columns[1], List.of())))
                .toList();
    }

    private static Map<Long, List<JobCount>> countsByNumber(final JobFilter filter, final List<Long> numbers) {
        final Map<Long, List<JobCount>> counts = new HashMap<>();
        final JobConditions conditions = JobConditions.of(filter).add("g.number in :numbers", "numbers", numbers);
        query(
                        "select g.state, count(*), g.number from GlobalJobRow g" + conditions.where()
                                + " group by g.state, g.number",
                        conditions)
                .getResultStream()
                .forEach(columns -> counts.computeIfAbsent((Long) columns[2], any -> new ArrayList<>())
                        .add(count(columns)));
        counts.values().forEach(states -> states.sort(Comparator.comparing(JobCount::state)));
        return counts;
    }

    /** The number of selected jobs by state. */
    public List<JobCount> counts(final JobFilter filter) {
        final JobConditions conditions = JobConditions.of(filter);
        return query(
                        "select g.state, count(*) from GlobalJobRow g" + conditions.where() + " group by g.state",
                        conditions)
                .getResultStream()
                .map(GlobalJobs::count)
                .sorted(Comparator.comparing(JobCount::state))
                .toList();
    }

    private static TypedQuery<Object[]> query(final String text, final JobConditions conditions) {
        final TypedQuery<Object[]> query = Panache.getEntityManager().createQuery(text, Object[].class);
        conditions.values().map().forEach(query::setParameter);
        return query;
    }

    private static JobCount count(final Object[] columns) {
        return new JobCount((JobStatus) columns[0], ((Number) columns[1]).longValue());
    }

    /** Deletes jobs that ended before this instant; returns the number of rows. */
    public long forgetEndedBefore(final Instant horizon) {
        return GlobalJobRow.delete("isFinal and since < ?1", horizon);
    }

    private StoredJob stored(final GlobalJobRow row) {
        return new StoredJob(
                text.read(row.body, GlobalJob.class),
                row.state,
                row.digest,
                row.stopBody == null ? null : text.read(row.stopBody, StopRequested.class));
    }
}
