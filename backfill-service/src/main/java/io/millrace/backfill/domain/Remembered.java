package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a queue does not show: who runs on a shrunk estimate, for whose sake others were cut, what was reserved for whom, and classes. */
public final class Remembered {

    private final Map<JobKey, Long> shrunkEnds_s = new HashMap<>();
    private final Set<JobKey> first = new HashSet<>();
    private @Nullable JobKey head;
    private final Map<JobKey, Promise> promised = new HashMap<>();
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

    /** What is reserved for whom now: this, and nothing else. */
    public void promised(final List<Reservation> reservations) {
        promised.clear();
        reservations.stream()
                .filter(each -> each.shadow().isForeseeable())
                .forEach(each -> promised.put(
                        each.head().job(), new Promise(each.shadow().second(), each.nodes())));
    }

    /** Room was reserved for a job then; on which nodes, is not known any more. */
    public void promised(final JobKey job, final Instant start) {
        promised.put(job, new Promise(start.getEpochSecond(), List.of()));
    }

    public void classified(final JobKey job, final String jobClass) {
        classes.put(job, jobClass);
    }

    /** Forgets what was said of a job under {@link #shrunk}, {@link #first}, {@link #head} and {@link #promised}. */
    public void forget(final JobKey job) {
        shrunkEnds_s.remove(job);
        first.remove(job);
        promised.remove(job);
        head = job.equals(head) ? null : head;
    }

    /** Of whom anything is remembered. */
    Set<JobKey> jobs() {
        final Set<JobKey> all = new HashSet<>(classes.keySet());
        all.addAll(shrunkEnds_s.keySet());
        all.addAll(first);
        return all;
    }

    /** Keeps of a job what still holds as it is to be assumed: null if it has left; or it may have changed sides. */
    void see(final JobKey job, final @Nullable JobObserved assumed) {
        if (assumed == null || assumed.state().isWaiting()) {
            shrunkEnds_s.remove(job);
        }
        if (assumed == null || !assumed.state().isWaiting()) {
            first.remove(job);
            promised.remove(job);
        }
        if (assumed == null) {
            classes.remove(job);
        }
    }

    OptionalLong shrunkEnd_s(final JobKey job) {
        final Long end_s = shrunkEnds_s.get(job);
        return end_s == null ? OptionalLong.empty() : OptionalLong.of(end_s);
    }

    /** Who runs on a shrunk estimate. */
    Set<JobKey> shrunk() {
        return shrunkEnds_s.keySet();
    }

    boolean isFirst(final JobKey job) {
        return first.contains(job);
    }

    @Nullable
    JobKey head() {
        return head;
    }

    boolean isHead(final JobKey job) {
        return job.equals(head);
    }

    Set<JobKey> first() {
        return Set.copyOf(first);
    }

    Map<JobKey, Promise> promised() {
        return Map.copyOf(promised);
    }

    String classOf(final JobKey job) {
        return classes.getOrDefault(job, "");
    }
}
