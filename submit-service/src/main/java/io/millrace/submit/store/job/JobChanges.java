package io.millrace.submit.store.job;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.submit.domain.job.JobChange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The feed of job changes. */
@ApplicationScoped
public class JobChanges {

    /** Numbers and adds changes. Concurrent transactions wait, so that numbers become visible in order. */
    public void add(final List<JobChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        final ChangeSequenceRow feed = Objects.requireNonNull(
                ChangeSequenceRow.<ChangeSequenceRow>findById(ChangeSequenceRow.ONLY, LockModeType.PESSIMISTIC_WRITE),
                "the feed has its one row");
        for (final JobChange change : changes) {
            feed.last++;
            row(change.numbered(feed.last)).persist();
        }
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

    private static JobChangeRow row(final JobChange change) {
        final JobChangeRow row = new JobChangeRow();
        row.seq = change.seq();
        row.job = change.job().value();
        row.owner = change.owner().value();
        row.state = change.state();
        row.localState = change.localState();
        row.cluster = change.cluster() == null ? null : change.cluster().value();
        row.changed = change.changedAt();
        return row;
    }

    private static JobChange change(final JobChangeRow row) {
        return new JobChange(
                row.seq,
                GlobalJobId.of(row.job),
                UserName.of(row.owner),
                row.state,
                row.localState,
                row.cluster == null ? null : ClusterId.of(row.cluster),
                row.changed);
    }
}
