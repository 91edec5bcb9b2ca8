package io.millrace.submit;

import io.millrace.submit.domain.log.LogPosition;

/** Where the log ends. */
public interface EndOfLog {

    /**
     * The offset of the next record of the partition of a position; 0 if it does not exist.
     *
     * @throws io.millrace.submit.domain.RequestRefused (unavailable) if the broker does not answer
     */
    long of(LogPosition position);
}
