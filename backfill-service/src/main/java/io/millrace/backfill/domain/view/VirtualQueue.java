package io.millrace.backfill.domain.view;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.EarlierReservation;
import io.millrace.backfill.domain.Promises;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.Run;
import io.millrace.backfill.domain.RunTimeHistory;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.RunningJob.StartBasis;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.plan.BackfillPlanner;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a virtual cluster in which only cores count, and on which every decision takes effect at once: what a simulation keeps between
 * planning passes.
 */
public final class VirtualQueue {

    private final BackfillPolicy policy;
    private final RunTimeHistory history;
    private final Map<JobKey, QueuedJob> waiting = new LinkedHashMap<>();
    private final Map<JobKey, RunningJob> running = new LinkedHashMap<>();
    private final Set<JobKey> beneficiaries = new HashSet<>();
    private Map<JobKey, EarlierReservation> reservations = new HashMap<>();
    private @Nullable JobKey head;
    private int idle;
    /** Whether capacity has been released since the last pass. */
    private boolean released;

    public VirtualQueue(final int cores, final BackfillPolicy policy, final RunTimeHistory history) {
        this.idle = cores;
        this.policy = policy;
        this.history = history;
    }

    public void queue(final QueuedJob job) {
        waiting.put(job.job(), job);
    }

    /** Removes a job from the queue that has left without a start. */
    public void withdraw(final JobKey job) {
        waiting.remove(job);
        released |= reservations.remove(job) != null;
    }

    /** A running job has ended or was preempted; its cores may count as free already. */
    public void end(final JobKey job) {
        free(job);
        released = true;
    }

    private void free(final JobKey job) {
        final RunningJob ended = running.remove(job);
        idle += ended == null ? 0 : ended.cores();
    }

    /** The cores of jobs whose walltime is over count as free, as planned, although their ends have not been reported yet. */
    public void expire(final long now_s) {
        running.values().stream()
                .filter(job -> job.expectedEnd_s() <= now_s)
                .map(RunningJob::job)
                .toList()
                .forEach(this::free);
    }

    /** Adds cores to the cluster, or removes them if negative; cores that are removed must be free. */
    public void changeCores(final int by) {
        idle += by;
        released = true;
    }

    public int idleCores() {
        return idle;
    }

    public boolean isWaiting(final JobKey job) {
        return waiting.containsKey(job);
    }

    /** The job as it runs; null if it does not run. */
    public @Nullable RunningJob running(final JobKey job) {
        return running.get(job);
    }

    /** Runs one pass and carries out its decisions. */
    public Schedule decide(final long now_s) {
        running.replaceAll((key, job) -> corrected(job, now_s));
        final Promises promises = new Promises(head, beneficiaries, reservations, released);
        final QueueSnapshot queue = new QueueSnapshot(
                idle,
                waiting.values(),
                new ArrayList<>(running.values()),
                FreeNodeCapacity.of(List.of()),
                Map.of(),
                List.of(),
                Map.of(),
                promises);
        final Schedule schedule = BackfillPlanner.plan(queue, policy, history, now_s);
        released = false;
        carryOut(schedule, now_s);
        return schedule;
    }

    /** A job keeps the later end that is expected once it has exceeded its estimate. */
    private static RunningJob corrected(final RunningJob job, final long now_s) {
        final StartBasis basis = job.startBasis();
        return job.expectedEnd_s() > now_s || basis.preemptible() || job.end_s() <= now_s
                ? job
                : job.startedOn(
                        new StartBasis(basis.start_s(), Run.correctedEnd_s(basis.start_s(), job.end_s(), now_s), false),
                        job.attributes());
    }

    private void carryOut(final Schedule schedule, final long now_s) {
        schedule.starts().forEach(start -> start(start, now_s));
        schedule.preemptions().forEach(preemption -> {
            preempt(preemption.job(), preemption.keepsWork() ? now_s + checkpoint_s() : now_s);
            beneficiaries.add(preemption.beneficiary().head().job());
            history.preempted();
        });
        final Reservation first = schedule.reservation();
        head = first == null ? null : first.head().job();
        final Map<JobKey, EarlierReservation> next = new HashMap<>();
        if (policy.reservations() > 1) {
            for (final Reservation each : schedule.reservations()) {
                next.put(each.head().job(), new EarlierReservation(each.shadow().second(), List.of()));
            }
        }
        reservations = next;
    }

    private long checkpoint_s() {
        return policy.preemption() == null ? 0 : policy.preemption().checkpoint_s();
    }

    private void start(final Start start, final long now_s) {
        final QueuedJob job = start.job();
        waiting.remove(job.job());
        beneficiaries.remove(job.job());
        idle -= job.cores();
        final long end_s = start.isShrunk()
                ? start.shrunkEnd_s()
                : ShadowTime.after(now_s, history.expected_s(policy.estimate(), job));
        running.put(
                job.job(),
                new RunningJob(job.job(), job.resources(), job.partition(), job.endIfStartedAt(now_s), List.of())
                        .startedOn(new StartBasis(now_s, end_s, start.isShrunk()), job.attributes()));
    }

    /** It leaves its cores then, for the head job. */
    private void preempt(final JobKey job, final long until_s) {
        running.computeIfPresent(
                job,
                (key, victim) -> new RunningJob(key, victim.resources(), victim.partition(), until_s, List.of())
                        .startedOn(new StartBasis(victim.startBasis().start_s(), until_s, false), victim.attributes()));
    }
}
