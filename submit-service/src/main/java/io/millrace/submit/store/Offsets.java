package io.millrace.submit.store;

import io.millrace.submit.domain.log.LogPosition;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The next offset of each partition that the projection reads. */
@ApplicationScoped
public class Offsets {

    private static final Comparator<OffsetRow.Key> ORDER =
            Comparator.comparing(OffsetRow.Key::topic).thenComparing(OffsetRow.Key::partition);

    /** The first offset that is not projected yet; 0 for a new partition. */
    public long next(final Partition partition) {
        final OffsetRow row = OffsetRow.findById(key(partition));
        return row == null ? 0 : row.next;
    }

    /** Locks a partition against other instances until the transaction ends. */
    public long lock(final Partition partition) {
        return lock(Set.of(partition)).next(partition);
    }

    /**
     * Locks partitions against other instances until the transaction ends. The rows are locked in the order of their key, so two
     * instances that briefly share partitions cannot deadlock.
     */
    public Locked lock(final Set<Partition> partitions) {
        final List<OffsetRow.Key> keys =
                partitions.stream().map(Offsets::key).sorted(ORDER).toList();
        final Map<OffsetRow.Key, OffsetRow> rows = Rows.byIds(
                OffsetRow.class,
                keys,
                row -> new OffsetRow.Key(row.topic, row.partition),
                LockModeType.PESSIMISTIC_WRITE);
        if (rows.size() < keys.size()) {
            keys.forEach(key -> rows.computeIfAbsent(key, Offsets::create));
            Panache.getEntityManager().flush(); // a concurrent insert fails here and is retried
        }
        return new Locked(rows);
    }

    private static OffsetRow create(final OffsetRow.Key key) {
        final OffsetRow row = new OffsetRow();
        row.topic = key.topic();
        row.partition = key.partition();
        row.persist();
        return row;
    }

    private static OffsetRow.Key key(final Partition partition) {
        return new OffsetRow.Key(partition.topicName(), partition.number());
    }

    /** A partition of a Kafka topic. */
    public record Partition(String topicName, int number) {

        /** The partition of a record. */
        public static Partition of(final LogPosition position) {
            return new Partition(position.topicName(), position.partition());
        }
    }

    /** Locked partitions. */
    public static final class Locked {

        private final Map<OffsetRow.Key, OffsetRow> rows;

        private Locked(final Map<OffsetRow.Key, OffsetRow> rows) {
            this.rows = rows;
        }

        /** The first offset that is not projected yet. */
        public long next(final Partition partition) {
            return row(partition).next;
        }

        /** Advances the offset to {@code next}, unless it is there already. */
        public void advance(final Partition partition, final long next) {
            row(partition).next = Math.max(row(partition).next, next);
        }

        private OffsetRow row(final Partition partition) {
            return Objects.requireNonNull(rows.get(key(partition)), () -> partition + " is not locked");
        }
    }

    /** Resets the offset so that records are read again; the transaction must hold the lock. */
    public void rewind(final Partition partition, final long next) {
        final OffsetRow row = OffsetRow.findById(key(partition));
        row.next = Math.min(row.next, next);
    }
}
