package io.millrace.submit.domain.submission;

import io.millrace.model.GlobalJobId;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The offset of the first submission of each id, from an offset of the log up to its end. One thread writes, many read. */
public final class SubmissionOffsets {

    private final Map<String, Long> first = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private volatile long begin;
    private volatile long newest = -1;
    private long end;

    /** @param begin the first offset that will be read */
    public SubmissionOffsets(final long begin) {
        this.begin = begin;
        this.end = begin;
    }

    /** The offset from which on all submissions are known, except those after {@link #end}. */
    public long begin() {
        return begin;
    }

    /** The offset up to which the log has been read. */
    public long end() {
        lock.lock();
        try {
            return end;
        } finally {
            lock.unlock();
        }
    }

    /** The offset of the last record that was read; empty if none was. */
    public OptionalLong newest() {
        return newest < 0 ? OptionalLong.empty() : OptionalLong.of(newest);
    }

    public int size() {
        return first.size();
    }

    public OptionalLong find(final GlobalJobId job) {
        final Long offset = first.get(job.value());
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    /** Adds a submission, in the order of the log. */
    public void add(final String id, final long offset) {
        first.putIfAbsent(id, offset);
    }

    /** A record of any type was read. */
    public void passed(final long offset) {
        newest = offset;
    }

    /** The log has been read up to this offset. */
    public void advance(final long next) {
        lock.lock();
        try {
            end = next;
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public void forgetBefore(final long offset) {
        begin = offset; // first, see isFirst
        first.values().removeIf(known -> known < offset);
    }

    /**
     * Waits until the submission at {@code offset} has been read and returns whether it is the first of its id since {@code since}; false
     * also if this cannot be determined in time, or if submissions since then have been forgotten.
     *
     * @param since an earlier value of {@link #begin}
     */
    public boolean isFirst(final GlobalJobId job, final long offset, final long since, final Duration timeout)
            throws InterruptedException {
        return awaitEnd(offset + 1, timeout)
                && Long.valueOf(offset).equals(first.get(job.value()))
                && since == begin; // read last: an earlier submission may be forgotten meanwhile
    }

    /** Waits until the log has been read up to this offset and returns whether it was in time. */
    public boolean awaitEnd(final long next, final Duration timeout) throws InterruptedException {
        long left_ns = timeout.toNanos();
        lock.lock();
        try {
            while (end < next && left_ns > 0) {
                left_ns = advanced.awaitNanos(left_ns);
            }
            return end >= next;
        } finally {
            lock.unlock();
        }
    }
}
