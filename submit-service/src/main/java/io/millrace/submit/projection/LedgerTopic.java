package io.millrace.submit.projection;

import io.millrace.model.ClusterId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The ledger topic, from which the ledger can be rebuilt. */
public interface LedgerTopic {

    /** Whether an instance of this service currently projects the log. */
    boolean isConsumed();

    /** The partition of a cluster's entries. */
    int partitionOf(ClusterId cluster);

    /**
     * The offset of the first record written at or after an instant; the end of the partition if there is none.
     *
     * @param since null: the first record
     * @throws IllegalStateException if the log no longer contains all records written since then
     */
    long firstSince(int partition, @Nullable Instant since);
}
