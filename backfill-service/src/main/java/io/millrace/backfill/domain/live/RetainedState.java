package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.job.EarlierReservation;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the planner must retain because the observed queue does not show it: jobs that run on a shrunk estimate, jobs for which others were
 * preempted, reservations, job classes and published run time estimates.
 */
public final class RetainedState {
    private final Map<JobKey, Long> shrunkEnds_s = new HashMap<>();
    private final Set<JobKey> beneficiaries = new HashSet<>();
    private @Nullable JobKey head;
    private final Map<JobKey, EarlierReservation> reservations = new HashMap<>();
    private final Map<JobKey, String> classes = new HashMap<>();
    private final Map<JobKey, Long> expected_s = new HashMap<>();

    /** Records a start on a shrunk estimate with this expected end. */
    public void shrunk(final JobKey job, final Instant end) {
        shrunkEnds_s.put(job, end.getEpochSecond());
    }

    /** Records that other jobs were preempted for this one. */
    public void addBeneficiary(final JobKey job) {
        beneficiaries.add(job);
    }

    /** Sets the job that holds the first reservation; null if there is none. */
    public void head(final @Nullable JobKey job) {
        head = job;
    }

    /** Replaces all reservations. */
    public void setReservations(final List<Reservation> current) {
        reservations.clear();
        current.stream()
                .filter(each -> each.shadow().isForeseeable())
                .forEach(each -> reservations.put(
                        each.head().job(), new EarlierReservation(each.shadow().second(), each.nodes())));
    }

    /** Adds a reservation of an earlier process; its nodes are not known. */
    public void addReservation(final JobKey job, final Instant start) {
        reservations.put(job, new EarlierReservation(start.getEpochSecond(), List.of()));
    }

    public void classified(final JobKey job, final String jobClass) {
        classes.put(job, jobClass);
    }

    /** Sets the expected run time of a job. */
    public void expected(final JobKey job, final Duration run) {
        expected_s.put(job, run.toSeconds());
    }

    /** Removes everything about a job except its class and its expected run time. */
    public void forget(final JobKey job) {
        shrunkEnds_s.remove(job);
        beneficiaries.remove(job);
        reservations.remove(job);
        head = job.equals(head) ? null : head;
    }

    /** Jobs with retained state that a full update has to check. */
    Set<JobKey> jobs() {
        final Set<JobKey> all = new HashSet<>(classes.keySet());
        all.addAll(expected_s.keySet());
        all.addAll(shrunkEnds_s.keySet());
        all.addAll(beneficiaries);
        return all;
    }

    /** Removes what no longer applies. @param assumed the job as it is assumed to be now; null if it has left */
    void update(final JobKey job, final @Nullable JobObserved assumed) {
        if (assumed == null || assumed.state().isWaiting()) {
            shrunkEnds_s.remove(job);
        }
        if (assumed == null || !assumed.state().isWaiting()) {
            beneficiaries.remove(job);
            reservations.remove(job);
        }
        if (assumed == null) {
            classes.remove(job);
            expected_s.remove(job);
        }
    }

    OptionalLong shrunkEnd_s(final JobKey job) {
        final Long end_s = shrunkEnds_s.get(job);
        return end_s == null ? OptionalLong.empty() : OptionalLong.of(end_s);
    }

    /** Jobs that run on a shrunk estimate. */
    Set<JobKey> shrunk() {
        return shrunkEnds_s.keySet();
    }

    boolean isBeneficiary(final JobKey job) {
        return beneficiaries.contains(job);
    }

    @Nullable
    JobKey head() {
        return head;
    }

    boolean isHead(final JobKey job) {
        return job.equals(head);
    }

    Set<JobKey> beneficiaries() {
        return Set.copyOf(beneficiaries);
    }

    Map<JobKey, EarlierReservation> reservations() {
        return Map.copyOf(reservations);
    }

    /** 0 if no run time was published. */
    long expected_s(final JobKey job) {
        return expected_s.getOrDefault(job, 0L);
    }

    String classOf(final JobKey job) {
        return classes.getOrDefault(job, "");
    }
}
