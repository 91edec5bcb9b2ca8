package io.millrace.submit.store;

import io.millrace.model.protocol.Topic;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;

/** The next offset of each partition that the projection reads. */
@ApplicationScoped
public class Offsets {

    /** The first offset that is not projected yet; 0 for a new partition. */
    public long next(final Topic topic, final int partition) {
        final OffsetRow row = OffsetRow.findById(new OffsetRow.Key(topic.topicName(), partition));
        return row == null ? 0 : row.next;
    }

    /** As {@link #next}; locks the partition against other instances until the transaction ends. */
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
        Panache.getEntityManager().flush(); // a concurrent insert fails here and is retried
        return 0;
    }

    /** Advances the offset; the transaction must hold the lock. */
    public void advance(final Topic topic, final int partition, final long next) {
        final OffsetRow row = OffsetRow.findById(new OffsetRow.Key(topic.topicName(), partition));
        row.next = next;
    }

    /** Resets the offset so that records are read again; the transaction must hold the lock. */
    public void rewind(final Topic topic, final int partition, final long next) {
        final OffsetRow row = OffsetRow.findById(new OffsetRow.Key(topic.topicName(), partition));
        row.next = Math.min(row.next, next);
    }
}
