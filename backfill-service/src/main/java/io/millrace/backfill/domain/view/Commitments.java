package io.millrace.backfill.domain.view;

import io.millrace.backfill.domain.EarlierReservation;
import io.millrace.backfill.domain.Promises;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.Start;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.policy.Plan;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the plans of backfill-service on the log commit it to: jobs that run on a shrunk estimate, jobs for which others were preempted, and
 * reservations.
 */
public final class Commitments {
    private final Map<JobKey, Long> shrunkEnds_s = new HashMap<>();
    private final Set<JobKey> beneficiaries = new HashSet<>();
    private final Map<JobKey, EarlierReservation> reservations = new HashMap<>();
    private final DisplacedReservations displaced = new DisplacedReservations();
    private @Nullable JobKey head;

    /** Applies a plan of an earlier process; the nodes of its reservation are not known. Null is a tombstone. */
    public void replayed(final JobKey job, final @Nullable Plan plan) {
        forget(job);
        if (plan == null) {
            return;
        }
        if (plan.shortenedEnd() != null) {
            shrunk(job, plan.shortenedEnd());
        }
        if (plan.isGoingFirst()) {
            beneficiaries.add(job);
        }
        if (plan.isReserved()) {
            head = job;
            if (plan.predictedStart() != null) {
                reservations.put(
                        job, new EarlierReservation(plan.predictedStart().getEpochSecond(), List.of()));
            }
        }
    }

    private void forget(final JobKey job) {
        shrunkEnds_s.remove(job);
        beneficiaries.remove(job);
        reservations.remove(job);
        head = job.equals(head) ? null : head;
    }

    /** Applies the decisions of a pass. */
    public void decided(final Schedule schedule) {
        displaced.update(
                schedule,
                key -> schedule.waiting().stream()
                        .anyMatch(job -> job.job().job().equals(key)));
        schedule.starts().stream()
                .filter(Start::isShrunk)
                .forEach(start -> shrunk(start.job().job(), Instant.ofEpochSecond(start.shrunkEnd_s())));
        schedule.preemptions()
                .forEach(preemption ->
                        beneficiaries.add(preemption.beneficiary().head().job()));
        final Reservation first = schedule.reservation();
        head = first == null ? null : first.head().job();
        reservations.clear();
        schedule.reservations().stream()
                .filter(each -> each.shadow().isForeseeable())
                .forEach(each -> reservations.put(
                        each.head().job(), new EarlierReservation(each.shadow().second(), each.nodes())));
    }

    /** Records a start on a shrunk estimate with this expected end. */
    public void shrunk(final JobKey job, final Instant end) {
        shrunkEnds_s.put(job, end.getEpochSecond());
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
    }

    /** Jobs about which something is recorded that ends with them. */
    Set<JobKey> jobs() {
        final Set<JobKey> all = new HashSet<>(shrunkEnds_s.keySet());
        all.addAll(beneficiaries);
        return all;
    }

    /** The expected end of a job that runs on a shrunk estimate. */
    public OptionalLong shrunkEnd_s(final JobKey job) {
        final Long end_s = shrunkEnds_s.get(job);
        return end_s == null ? OptionalLong.empty() : OptionalLong.of(end_s);
    }

    /** The jobs to which something is promised. */
    public Set<JobKey> promised() {
        final Set<JobKey> all = new HashSet<>(beneficiaries);
        all.addAll(reservations.keySet());
        if (head != null) {
            all.add(head);
        }
        return all;
    }

    /** Whether a reservation or the turn of a job is recorded that a restart must restore. */
    public boolean isPromised(final JobKey job) {
        return Objects.equals(job, head) || beneficiaries.contains(job) || reservations.containsKey(job);
    }

    /** What the next pass must honour; valid until something changes. */
    public Promises promises() {
        return new Promises(
                head, Collections.unmodifiableSet(beneficiaries), Collections.unmodifiableMap(reservations), true);
    }

    /** The displacing job by job that lost its reservation to guaranteed work. */
    public Map<JobKey, JobKey> displacers() {
        return displaced.displacers();
    }
}
