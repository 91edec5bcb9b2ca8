package io.millrace.submit.domain;

import io.millrace.model.BatchId;

/** A request for one job names a batch. */
public final class NamesBatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient BatchId batch;

    /** @param named the batch as the caller named it */
    public NamesBatchException(final BatchId batch, final String named) {
        super(named + " is a batch; name one of its jobs, which 'mgstat --batch " + named + "' lists");
        this.batch = batch;
    }

    public BatchId batch() {
        return batch;
    }
}
