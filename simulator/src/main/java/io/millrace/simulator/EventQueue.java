package io.millrace.simulator;

import java.util.Arrays;

/**
 * Future events in order of time, then rank, then insertion. A binary heap in arrays that handles millions of events per second.
 */
final class EventQueue {

    private static final int RANK_SHIFT = 56;

    private long[] at_s = new long[64];
    /** Rank, then number. */
    private long[] key = new long[64];

    private Object[] subject = new Object[64];
    private int[] detail = new int[64];
    private int size;
    private long number;

    /** @param detail_ information for the subject, such as the number of the run that the event belongs to */
    void add(final long time_s, final EventRank rank, final Object about, final int detail_) {
        if (size == at_s.length) {
            grow();
        }
        final long itsKey = ((long) rank.ordinal() << RANK_SHIFT) | number++;
        int i = size++;
        while (i > 0) {
            final int up = (i - 1) >>> 1;
            if (!comesBefore(time_s, itsKey, up)) {
                break;
            }
            move(up, i);
            i = up;
        }
        put(i, time_s, itsKey, about, detail_);
    }

    boolean isEmpty() {
        return size == 0;
    }

    long time_s() {
        return at_s[0];
    }

    EventRank rank() {
        return EventRank.ALL[(int) (key[0] >>> RANK_SHIFT)];
    }

    Object subject() {
        return subject[0];
    }

    int detail() {
        return detail[0];
    }

    /** Removes the first event. */
    void advance() {
        final int last = --size;
        final long time = at_s[last];
        final long itsKey = key[last];
        final Object about = subject[last];
        final int itsDetail = detail[last];
        Arrays.fill(subject, last, last + 1, null);
        if (last == 0) {
            return;
        }
        int i = 0;
        int child = 1;
        while (child < last) {
            if (child + 1 < last && comesBefore(at_s[child + 1], key[child + 1], child)) {
                child++;
            }
            if (!comesBefore(at_s[child], key[child], time, itsKey)) {
                break;
            }
            move(child, i);
            i = child;
            child = 2 * i + 1;
        }
        put(i, time, itsKey, about, itsDetail);
    }

    private boolean comesBefore(final long time, final long itsKey, final int other) {
        return comesBefore(time, itsKey, at_s[other], key[other]);
    }

    private static boolean comesBefore(final long time, final long key, final long otherTime, final long otherKey) {
        return time < otherTime || time == otherTime && key < otherKey;
    }

    private void move(final int from, final int to) {
        put(to, at_s[from], key[from], subject[from], detail[from]);
    }

    private void put(final int i, final long time, final long itsKey, final Object about, final int itsDetail) {
        at_s[i] = time;
        key[i] = itsKey;
        subject[i] = about;
        detail[i] = itsDetail;
    }

    private void grow() {
        at_s = Arrays.copyOf(at_s, size * 2);
        key = Arrays.copyOf(key, size * 2);
        subject = Arrays.copyOf(subject, size * 2);
        detail = Arrays.copyOf(detail, size * 2);
    }
}
