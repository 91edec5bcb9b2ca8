package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.WaitingJob;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The waiting jobs of one pass in order. A job that starts leaves a gap, so that indexes stay valid. */
final class WaitingQueue {

    private final Comparator<WaitingJob> order;
    private final List<WaitingJob> jobs;
    private final BitSet gaps = new BitSet();

    WaitingQueue(final Comparator<WaitingJob> order, final List<WaitingJob> jobs) {
        this.order = order;
        this.jobs = new ArrayList<>(jobs);
        this.jobs.sort(order);
    }

    int size() {
        return jobs.size() - gaps.cardinality();
    }

    /** Index of the first job at or after this index; at least {@code end()} if there is none. */
    int next(final int from) {
        return gaps.nextClearBit(from);
    }

    int end() {
        return jobs.size();
    }

    WaitingJob at(final int index) {
        return jobs.get(index);
    }

    /**
     * As {@link #next}, but skips jobs that cannot be backfilled.
     *
     * @param idle a job must need at most this many cores
     * @param window_s a job must end within this time, or need at most {@code beside} cores
     */
    int nextThatMayPass(final int from, final int idle, final long window_s, final int beside) {
        for (int i = next(from); i < end(); i = next(i + 1)) {
            final WaitingJob job = jobs.get(i);
            if (job.cores() <= idle && (job.length_s() <= window_s || job.cores() <= beside)) {
                return i;
            }
        }
        return end();
    }

    void remove(final WaitingJob job) {
        gaps.set(indexOf(job));
    }

    /** Puts a job that is equal in order in its place. */
    void replace(final WaitingJob job, final WaitingJob by) {
        jobs.set(indexOf(job), by);
    }

    /** Gives a job another precedence, and closes all gaps. */
    void raise(final WaitingJob job, final int precedence) {
        jobs.set(indexOf(job), job.raised(precedence));
        final List<WaitingJob> left = left();
        gaps.clear();
        jobs.clear();
        jobs.addAll(left);
        jobs.sort(order);
    }

    private int indexOf(final WaitingJob job) {
        final int index = Collections.binarySearch(jobs, job, order);
        if (index < 0) {
            throw new IllegalStateException(job.job().job() + " is not in the queue");
        }
        return index;
    }

    /** The jobs that wait, in order. */
    List<WaitingJob> left() {
        final List<WaitingJob> left = new ArrayList<>(size());
        for (int i = next(0); i < end(); i = next(i + 1)) {
            left.add(jobs.get(i));
        }
        return left;
    }
}
