package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.WaitingJob;
import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts the start of waiting jobs, of an array the start of its next task. A projection starts the jobs and all waiting tasks in order,
 * none before the job ahead of it, and lets each run for its whole limit; cores are counted regardless of their nodes. It takes
 * O((R + Q) log (R + Q)) steps for R running and Q waiting jobs.
 */
public final class QueueForecast {

    private final Schedule schedule;
    private final @Nullable Reservation head;
    /** Reserved starts, where reservations are made over time. */
    private final Map<JobKey, Long> reserved_s = new HashMap<>();

    private final Map<PartitionName, Integer> partitions = new HashMap<>();
    private final StartBlockers blockers;
    private final long now_s;

    private QueueForecast(
            final QueueSnapshot queue,
            final BackfillPolicy policy,
            final Schedule schedule,
            final Map<JobKey, JobKey> displacedBy,
            final long now_s) {
        this.schedule = schedule;
        this.head = schedule.reservation();
        this.now_s = now_s;
        final int coresUp = queue.idleCores()
                + queue.running().stream().mapToInt(RunningJob::cores).sum();
        this.blockers = new StartBlockers(schedule.free(), coresUp, head, displacedBy);
        if (policy.reservesOverTime(queue)) {
            schedule.reservations()
                    .forEach(each ->
                            reserved_s.put(each.head().job(), each.shadow().second()));
        }
    }

    /**
     * @param queue the input of the pass
     * @param schedule its result
     * @param displacedBy the displacing job by job that lost its reservation to guaranteed work
     * @param jobs how many jobs to forecast, from the first in order
     */
    public static List<JobForecast> of(
            final QueueSnapshot queue,
            final BackfillPolicy policy,
            final Schedule schedule,
            final Map<JobKey, JobKey> displacedBy,
            final long now_s,
            final int jobs) {
        return new QueueForecast(queue, policy, schedule, displacedBy, now_s).first(jobs, queue.running());
    }

    private List<JobForecast> first(final int jobs, final List<RunningJob> running) {
        final List<JobForecast> all = new ArrayList<>(jobs);
        if (jobs == 0) {
            return all;
        }
        final QueueProjection projection = projection(running);
        long at_s = now_s;
        for (final WaitingJob waiting : schedule.waiting().subList(0, jobs)) {
            final QueuedJob job = waiting.job();
            final QueueProjection.Starts starts = projection.start(
                    job.cores(), job.waiting(), number(job.partition()), at_s, notBefore_s(job), job.walltime_s());
            at_s = starts.last_s();
            final long start_s = start_s(job, starts.first_s());
            all.add(new JobForecast(
                    job,
                    all.size() + 1,
                    start_s >= ShadowTime.NEVER ? null : new ShadowTime(start_s),
                    waiting.isBeneficiary(),
                    isReserved(job),
                    blockers.of(job),
                    blockers));
        }
        return all;
    }

    /** The running jobs and those that have just been started. */
    private QueueProjection projection(final List<RunningJob> running) {
        final FreeCapacity left = schedule.free();
        final int[] free = new int[left.partitions().size() + 1];
        left.partitions().forEach((name, cores) -> {
            free[partitions.size()] = cores;
            partitions.put(name, partitions.size());
        });
        free[partitions.size()] = left.idle();
        final QueueProjection projection = new QueueProjection(free);
        running.forEach(job -> projection.release(job.endSeenFrom(now_s), job.cores(), number(job.partition())));
        for (final Start started : schedule.starts()) {
            final QueuedJob job = started.job();
            projection.release(job.endIfStartedAt(now_s), job.cores(), number(job.partition()));
        }
        return projection;
    }

    private int number(final PartitionName name) {
        return partitions.isEmpty() ? -1 : partitions.getOrDefault(name, -1);
    }

    private boolean isHead(final QueuedJob job) {
        return blockers.isHead(job);
    }

    private boolean isReserved(final QueuedJob job) {
        return isHead(job)
                || !reserved_s.isEmpty() && reserved_s.getOrDefault(job.job(), ShadowTime.NEVER) < ShadowTime.NEVER;
    }

    private long notBefore_s(final QueuedJob job) {
        return head != null && isHead(job) && head.shadow().isForeseeable()
                ? head.shadow().second()
                : Long.MIN_VALUE;
    }

    private long start_s(final QueuedJob job, final long projected_s) {
        final Long reserved = reserved_s.isEmpty() ? null : reserved_s.get(job.job());
        if (reserved != null) {
            return reserved;
        }
        return head == null || !isHead(job) || projected_s >= ShadowTime.NEVER
                ? projected_s
                : head.shadow().second();
    }
}
