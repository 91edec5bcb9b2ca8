package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a queue does not show: who runs on a shrunk estimate, for whose sake others were cut, who held the first reservation, and classes. */
public final class Remembered {

    private final Map<JobKey, Long> shrunkEnds_s = new HashMap<>();
    private final Set<JobKey> first = new HashSet<>();
    private @Nullable JobKey head;
    private final Map<JobKey, String> classes = new HashMap<>();

    /** A job was started on a shrunk estimate that foresees its end then. */
    public void shrunk(final JobKey job, final Instant end) {
        shrunkEnds_s.put(job, end.getEpochSecond());
    }

    /** Others were cut for its sake. */
    public void first(final JobKey job) {
        first.add(job);
    }

    /** Who holds the first reservation now; null if nobody does. */
    public void head(final @Nullable JobKey job) {
        head = job;
    }

    public void classified(final JobKey job, final String jobClass) {
        classes.put(job, jobClass);
    }

    /** Forgets what was said of a job under {@link #shrunk}, {@link #first} and {@link #head}. */
    public void forget(final JobKey job) {
        shrunkEnds_s.remove(job);
        first.remove(job);
        head = job.equals(head) ? null : head;
    }

    /** Keeps only who still runs, or waits, as is to be assumed; the rest has left or changed sides. */
    void keepOnly(final Collection<JobObserved> jobs) {
        final Set<JobKey> running = new HashSet<>();
        final Set<JobKey> waiting = new HashSet<>();
        final Set<JobKey> all = new HashSet<>();
        for (final JobObserved job : jobs) {
            all.add(job.job());
            (job.state().isWaiting() ? waiting : running).add(job.job());
        }
        shrunkEnds_s.keySet().retainAll(running);
        first.retainAll(waiting);
        classes.keySet().retainAll(all);
    }

    OptionalLong shrunkEnd_s(final JobKey job) {
        final Long end_s = shrunkEnds_s.get(job);
        return end_s == null ? OptionalLong.empty() : OptionalLong.of(end_s);
    }

    boolean isHead(final JobKey job) {
        return job.equals(head);
    }

    Set<JobKey> first() {
        return Set.copyOf(first);
    }

    String classOf(final JobKey job) {
        return classes.getOrDefault(job, "");
    }
}
