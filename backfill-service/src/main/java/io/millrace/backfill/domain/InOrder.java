package io.millrace.backfill.domain;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Who waits, in order, as it stands in a line. */
final class InOrder extends AbstractCollection<QueuedJob> {

    private final WaitingLine line;

    InOrder(final WaitingLine line) {
        this.line = line;
    }

    @Override
    public int size() {
        return line.live();
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
                    throw new NoSuchElementException("nobody else waits");
                }
                final QueuedJob job = line.at(at).job();
                at = line.next(at + 1);
                return job;
            }
        };
    }
}
