package io.millrace.submit.store.job;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.submit.domain.job.JobChange;
import io.millrace.submit.store.Rows;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;

/** The feed of job changes. */
@ApplicationScoped
public class JobChanges {

    /** Numbers and adds changes. Concurrent transactions wait, so that numbers become visible in order. */
    public void add(final List<JobChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        final long first = reserved(changes.size());
        final List<JobChange> numbered = IntStream.range(0, changes.size())
                .mapToObj(i -> changes.get(i).numbered(first + i))
                .toList();
        Rows.insert("job_change (seq, job, owner, state, stage, cluster, changed)", numbered, JobChanges::row);
    }

    /** The first of this many new numbers; locks the counter until the transaction ends. */
    private static long reserved(final int count) {
        return Panache.getEntityManager().unwrap(Session.class).doReturningWork(connection -> {
            try (PreparedStatement add = connection.prepareStatement("insert into feed (id, last) values (?, ?)"
                    + " on duplicate key update last = last + values(last) returning last")) {
                add.setInt(1, ChangeSequenceRow.ONLY);
                add.setInt(2, count);
                try (ResultSet result = add.executeQuery()) {
                    result.next();
                    return result.getLong(1) - count + 1;
                }
            }
        });
    }

    /** The last number. */
    public long last() {
        return Objects.requireNonNull(
                        ChangeSequenceRow.<ChangeSequenceRow>findById(ChangeSequenceRow.ONLY),
                        "the feed has its one row")
                .last;
    }

    /** Whether all changes after {@code seq} are still stored. */
    public boolean isCompleteAfter(final long seq) {
        final long last = last();
        return seq == last || seq < last && JobChangeRow.findById(seq + 1) != null;
    }

    /** Changes after {@code seq} up to {@code until} in order; {@code owner} null: all users. */
    public List<JobChange> after(final long seq, final long until, final @Nullable UserName owner, final int limit) {
        final List<JobChangeRow> rows = owner == null
                ? JobChangeRow.find("seq > ?1 and seq <= ?2 order by seq", seq, until)
                        .range(0, limit - 1)
                        .list()
                : JobChangeRow.find("seq > ?1 and seq <= ?2 and owner = ?3 order by seq", seq, until, owner.value())
                        .range(0, limit - 1)
                        .list();
        return rows.stream().map(JobChanges::change).toList();
    }

    /** Deletes changes up to the last one before this instant, so that the rest has no gaps; returns the number of rows. */
    public long forgetBefore(final Instant horizon) {
        final JobChangeRow last =
                JobChangeRow.find("changed < ?1 order by seq desc", horizon).firstResult();
        return last == null ? 0 : JobChangeRow.delete("seq <= ?1", last.seq);
    }

    private static @Nullable Object[] row(final JobChange change) {
        return Rows.values(
                change.seq(),
                change.job().value(),
                change.owner().value(),
                change.state().word(),
                change.stage(),
                change.cluster() == null ? null : change.cluster().value(),
                change.changedAt());
    }

    private static JobChange change(final JobChangeRow row) {
        return new JobChange(
                row.seq,
                GlobalJobId.of(row.job),
                UserName.of(row.owner),
                row.state,
                row.stage,
                row.cluster == null ? null : ClusterId.of(row.cluster),
                row.changed);
    }
}
