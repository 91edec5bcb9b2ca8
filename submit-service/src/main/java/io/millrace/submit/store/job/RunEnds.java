package io.millrace.submit.store.job;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.GlobalJob;
import io.millrace.submit.domain.log.EventSerializer;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.usage.StoredRun;
import io.millrace.submit.domain.usage.UsageQuery;
import io.quarkus.panache.common.Parameters;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Ended runs. */
@ApplicationScoped
public class RunEnds {

    private final EventSerializer text;

    RunEnds(final EventSerializer text) {
        this.text = text;
    }

    /** Stores a run with its log position; each position is stored once. */
    public void ended(final RunEnded end, final LogPosition at) {
        final RunEndRow row = new RunEndRow();
        row.cluster = end.job().cluster().value();
        row.offset = at.offset();
        row.jobKey = end.job().toString();
        row.job = end.attempt() == null ? null : end.attempt().job().value();
        row.ended = end.endedAt();
        row.body = text.write(end);
        row.persist();
    }

    /** Runs of a local job, oldest first. */
    public List<RunEnded> of(final JobKey job) {
        return read(RunEndRow.list("jobKey = ?1 order by ended", job.toString()));
    }

    /** The last run of a job with this id. */
    public Optional<RunEnded> newest(final JobId id) {
        final LocalIdPattern keys = LocalIdPattern.of(id);
        return RunEndRow.<RunEndRow>find(
                        LocalIdPattern.on("jobKey") + " order by ended desc", keys.whole(), keys.withServer())
                .firstResultOptional()
                .map(row -> text.read(row.body, RunEnded.class));
    }

    /** Runs of all attempts of a global job, oldest first. */
    public List<RunEnded> of(final GlobalJob job) {
        return ofEach(List.of(job)).getOrDefault(job.id(), List.of());
    }

    /** Runs of all attempts of global jobs, each oldest first, without those that a cluster without such an attempt has reported. */
    public Map<GlobalJobId, List<RunEnded>> ofEach(final Collection<GlobalJob> jobs) {
        if (jobs.isEmpty()) {
            return Map.of();
        }
        final List<RunEndRow> rows = RunEndRow.list(
                "job in ?1 order by ended",
                jobs.stream().map(job -> job.id().value()).toList());
        final Map<GlobalJobId, GlobalJob> byId =
                jobs.stream().collect(Collectors.toMap(GlobalJob::id, job -> job, (one, same) -> one));
        return read(rows).stream()
                .filter(run -> isOf(byId, run))
                .collect(Collectors.groupingBy(run -> attempt(run).job()));
    }

    private static boolean isOf(final Map<GlobalJobId, GlobalJob> jobs, final RunEnded run) {
        final GlobalJob job = jobs.get(attempt(run).job());
        return job != null && job.isPlaced(run.attempt(), run.cluster());
    }

    private static AttemptId attempt(final RunEnded run) {
        return Objects.requireNonNull(run.attempt());
    }

    /**
     * Matching runs ordered by end time.
     *
     * @param after the last run of the previous page; null: first page
     */
    public List<StoredRun> list(final UsageQuery query, final StoredRun.@Nullable Cursor after, final int limit) {
        final StringBuilder which = new StringBuilder("from RunEndRow r where r.ended >= :from and r.ended < :until");
        final Parameters values =
                Parameters.with("until", query.until()).and("from", after == null ? query.from() : after.endedAt());
        if (query.user() != null) {
            which.append(" and r.owner = :owner");
            values.and("owner", query.user().value());
        }
        if (query.project() != null) {
            which.append(" and r.project = :project");
            values.and("project", query.project().value());
        }
        if (query.cluster() != null) {
            which.append(" and r.cluster = :cluster");
            values.and("cluster", query.cluster().value());
        }
        if (after != null) {
            which.append(" and (r.ended > :from or r.cluster > :last or r.cluster = :last and r.offset > :offset)");
            values.and("last", after.cluster().value()).and("offset", after.offset());
        }
        final List<RunEndRow> rows = RunEndRow.find(
                        which.append(" order by r.ended, r.cluster, r.offset").toString(), values)
                .range(0, limit - 1)
                .list();
        return rows.stream().map(this::stored).toList();
    }

    private StoredRun stored(final RunEndRow row) {
        return new StoredRun(
                text.read(row.body, RunEnded.class),
                new StoredRun.Cursor(row.ended, ClusterId.of(row.cluster), row.offset));
    }

    /** Whether a run of the user has ended, as far back as runs are kept. */
    public boolean any(final UserName owner) {
        return RunEndRow.find("owner = ?1", owner.value()).firstResultOptional().isPresent();
    }

    public long forgetBefore(final Instant horizon) {
        return RunEndRow.delete("ended < ?1", horizon);
    }

    private List<RunEnded> read(final List<RunEndRow> rows) {
        return rows.stream().map(row -> text.read(row.body, RunEnded.class)).toList();
    }
}
