package io.millrace.submit;

import io.millrace.model.GlobalJobId;
import io.millrace.submit.domain.log.LogPosition;
import java.util.Optional;

/**
 * The first submission of each id on the end of the log, which the read model may not contain yet. Every instance reads it, so a request
 * need not wait for the projection.
 */
public interface FirstSubmissions {

    /** The first offset from which on all submissions are known here. The read model contains those before it. */
    long knownFrom();

    /** The first known submission of an id; empty if none has been read. */
    Optional<LogPosition> find(GlobalJobId job);

    /**
     * The newest record on the log, whichever instance wrote it; empty if the read model contains the whole log.
     *
     * @throws io.millrace.submit.domain.RequestRefused if the log does not answer in time
     */
    Optional<LogPosition> newest();

    /**
     * Waits until the log has been read up to a submission and returns whether it is the first of its id since {@code knownFrom}; false
     * also if this cannot be determined in time.
     */
    boolean isFirst(GlobalJobId job, LogPosition submission, long knownFrom);
}
