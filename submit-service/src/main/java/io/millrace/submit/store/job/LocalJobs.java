package io.millrace.submit.store.job;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.job.JobStatus;
import io.millrace.submit.domain.job.QueueCount;
import io.millrace.submit.domain.log.EventSerializer;
import io.millrace.submit.store.Rows;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The jobs in the queues of the clusters. */
@ApplicationScoped
public class LocalJobs {

    private final EventSerializer text;

    LocalJobs(final EventSerializer text) {
        this.text = text;
    }

    /**
     * Stores the newest observation of each job; null: it left the queue.
     *
     * @return local jobs of global jobs whose state changed
     */
    public List<JobObserved> put(final Map<JobKey, @Nullable JobObserved> newest) {
        final List<JobObserved> observed = new ArrayList<>();
        final List<JobKey> gone = new ArrayList<>();
        newest.forEach((key, job) -> {
            if (job == null) {
                gone.add(key);
            } else {
                observed.add(job);
            }
        });
        final List<JobObserved> moved = moved(observed);
        Rows.upsert(
                "local_job (job_key, cluster, owner, state, cores, attempt, body)",
                "cluster = values(cluster), owner = values(owner), state = values(state), cores = values(cores),"
                        + " attempt = values(attempt), body = values(body)",
                observed,
                this::row);
        Rows.delete("delete from local_job where job_key = ?", gone, key -> Rows.values(key.toString()));
        return moved;
    }

    private static List<JobObserved> moved(final List<JobObserved> observed) {
        final List<JobObserved> ofGlobalJobs =
                observed.stream().filter(job -> job.attempt() != null).toList();
        if (ofGlobalJobs.isEmpty()) {
            return List.of();
        }
        final Map<String, JobStatus> states = Panache.getEntityManager()
                .createQuery("select key, state from LocalJobRow where key in :keys", Object[].class)
                .setParameter(
                        "keys",
                        ofGlobalJobs.stream().map(job -> job.job().toString()).toList())
                .getResultStream()
                .collect(Collectors.toMap(columns -> (String) columns[0], columns -> (JobStatus) columns[1]));
        return ofGlobalJobs.stream()
                .filter(job -> JobStatus.of(job) != states.get(job.job().toString()))
                .toList();
    }

    private @Nullable Object[] row(final JobObserved job) {
        return Rows.values(
                job.job().toString(),
                job.cluster().value(),
                job.owner().value(),
                JobStatus.of(job).word(),
                job.resources().cores(),
                job.attempt() == null ? null : job.attempt().toString(),
                text.write(job));
    }

    public Optional<JobObserved> find(final JobKey key) {
        return LocalJobRow.<LocalJobRow>findByIdOptional(key.toString()).map(this::job);
    }

    /** The newest job with this id. */
    public Optional<JobObserved> newest(final JobId id) {
        final LocalIdPattern keys = LocalIdPattern.of(id);
        return LocalJobRow.<LocalJobRow>find(
                        LocalIdPattern.on("key") + " order by key desc", keys.whole(), keys.withServer())
                .firstResultOptional()
                .map(this::job);
    }

    public Map<JobKey, JobObserved> find(final Collection<JobKey> keys) {
        final Map<String, LocalJobRow> rows = Rows.byIds(
                LocalJobRow.class,
                keys.stream().map(JobKey::toString).distinct().toList(),
                row -> row.key);
        final Map<JobKey, JobObserved> jobs = new HashMap<>();
        rows.values().forEach(row -> jobs.put(JobKey.of(row.key), job(row)));
        return jobs;
    }

    /** Jobs of a cluster ordered by key; {@code owner} null: all users. */
    public List<JobObserved> of(
            final ClusterId cluster, final @Nullable UserName owner, final @Nullable JobKey after, final int limit) {
        final String from = after == null ? "" : after.toString();
        final List<LocalJobRow> rows = owner == null
                ? LocalJobRow.find("cluster = ?1 and key > ?2 order by key", cluster.value(), from)
                        .range(0, limit - 1)
                        .list()
                : LocalJobRow.find(
                                "cluster = ?1 and key > ?2 and owner = ?3 order by key",
                                cluster.value(),
                                from,
                                owner.value())
                        .range(0, limit - 1)
                        .list();
        return rows.stream().map(this::job).toList();
    }

    /** Whether a cluster has a job of the user now. */
    public boolean any(final UserName owner) {
        return LocalJobRow.find("owner = ?1", owner.value())
                .firstResultOptional()
                .isPresent();
    }

    /** Jobs of all users on a cluster in any of these states. */
    public List<JobObserved> in(final ClusterId cluster, final Collection<JobStatus> states) {
        return LocalJobRow.<LocalJobRow>list("cluster = ?1 and state in ?2", cluster.value(), states).stream()
                .map(this::job)
                .toList();
    }

    /** Counts by cluster and state; {@code except} excludes one user. */
    public List<QueueCount> counts(final @Nullable ClusterId cluster, final @Nullable UserName except) {
        return Panache.getEntityManager()
                .createQuery(
                        "select cluster, state, count(*), sum(cores) from LocalJobRow where (:cluster is null or"
                                + " cluster = :cluster) and (:owner is null or owner <> :owner) group by cluster, state"
                                + " order by cluster, state",
                        Object[].class)
                .setParameter("cluster", cluster == null ? null : cluster.value())
                .setParameter("owner", except == null ? null : except.value())
                .getResultStream()
                .map(LocalJobs::count)
                .toList();
    }

    private static QueueCount count(final Object[] columns) {
        return new QueueCount(
                ClusterId.of((String) columns[0]),
                (JobStatus) columns[1],
                ((Number) columns[2]).longValue(),
                ((Number) columns[3]).longValue());
    }

    private JobObserved job(final LocalJobRow row) {
        return text.read(row.body, JobObserved.class);
    }
}
