package io.millrace.submit;

import io.millrace.model.ClusterId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where the entries of the ledger are read from again. */
public interface LedgerTopic {

    /** Whether an instance of this service projects the log now. */
    boolean isFollowed();

    /** The partition that holds a cluster's entries. */
    int partitionOf(ClusterId cluster);

    /**
     * The first record written at or after an instant; the end of the partition if there is none.
     *
     * @param since null: the first record there is
     * @throws IllegalStateException if the log has forgotten records that were written later than that
     */
    long firstSince(int partition, @Nullable Instant since);
}
