package io.millrace.submit.store;

import io.millrace.model.protocol.Topic;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;

/** How far each partition of the log is projected. */
@ApplicationScoped
public class Offsets {

    /** The first offset that is not projected yet; 0 for a partition never read. */
    public long next(final Topic topic, final int partition) {
        final OffsetRow row = OffsetRow.findById(new OffsetRow.Key(topic.topicName(), partition));
        return row == null ? 0 : row.next;
    }

    /** As {@link #next}, and keeps others from projecting this partition until the transaction ends. */
    public long lock(final Topic topic, final int partition) {
        final OffsetRow row =
                OffsetRow.findById(new OffsetRow.Key(topic.topicName(), partition), LockModeType.PESSIMISTIC_WRITE);
        if (row != null) {
            return row.next;
        }
        final OffsetRow first = new OffsetRow();
        first.topic = topic.topicName();
        first.partition = partition;
        first.persist();
        Panache.getEntityManager().flush(); // of two that begin together one fails here, and comes back to find the row
        return 0;
    }

    /** Moves on; the partition is locked by this transaction. */
    public void advance(final Topic topic, final int partition, final long next) {
        final OffsetRow row = OffsetRow.findById(new OffsetRow.Key(topic.topicName(), partition));
        row.next = next;
    }

    /** Goes back, so that this is read again; the partition is locked by this transaction. */
    public void goBack(final Topic topic, final int partition, final long next) {
        final OffsetRow row = OffsetRow.findById(new OffsetRow.Key(topic.topicName(), partition));
        row.next = Math.min(row.next, next);
    }
}
