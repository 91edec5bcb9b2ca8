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

    /** Numbers and adds changes. Others who add wait until this transaction ends, so numbers become visible in their order. */
    public void add(final List<JobChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        final ChangeSequenceRow feed = Objects.requireNonNull(
                ChangeSequenceRow.<ChangeSequenceRow>findById(ChangeSequenceRow.ONLY, LockModeType.PESSIMISTIC_WRITE), "the feed has its one row");
        for (final JobChange change : changes) {
            feed.last++;
            row(change.numbered(feed.last)).persist();
        }
    }

    /** The newest number. */
    public long last() {
        return Objects.requireNonNull(ChangeSequenceRow.<ChangeSequenceRow>findById(ChangeSequenceRow.ONLY), "the feed has its one row").last;
    }

    /** Whether everything after {@code seq} is still kept. */
    public boolean reachesBackTo(final long seq) {
        final long last = last();
        return seq == last || seq < last && JobChangeRow.findById(seq + 1) != null;
    }

    /** Changes after {@code seq} up to {@code until} in their order; {@code owner} null: everybody's. */
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

    /** Forgets the feed up to the last change before this instant, so that what is kept has no gaps; returns how many. */
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
        row.changed = change.changed();
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
