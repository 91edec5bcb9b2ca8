package io.millrace.backfill.domain.job;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** A view of a {@link WaitingQueue} as a collection in order. */
public final class WaitingJobs extends AbstractCollection<QueuedJob> {

    private final WaitingQueue line;

    public WaitingJobs(final WaitingQueue line) {
        this.line = line;
    }

    @Override
    public int size() {
        return line.size();
    }

    @Override
    public Iterator<QueuedJob> iterator() {
        return new Iterator<>() {
            private int at = line.next(0);

            @Override
            public boolean hasNext() {
                return at < line.end();
            }

            @Override
            public QueuedJob next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("no more waiting jobs");
                }
                final QueuedJob job = line.at(at).job();
                at = line.next(at + 1);
                return job;
            }
        };
    }
}
