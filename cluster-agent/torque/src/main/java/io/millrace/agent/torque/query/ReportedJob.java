package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job of an observation: a job, or the waiting tasks of an array together.
 *
 * @param job the job itself, or the task that starts next
 * @param tasks the waiting tasks, lowest index first; empty for a single job
 */
public record ReportedJob(TorqueJob job, List<TorqueJob> tasks) {

    public ReportedJob {
        tasks = List.copyOf(tasks);
    }

    static ReportedJob of(final TorqueJob job) {
        return new ReportedJob(job, List.of());
    }

    /** The next task is the first one that can start; tasks beyond the slot limit or with a later start time cannot. */
    static ReportedJob of(final List<TorqueJob> tasks, final Instant now) {
        return new ReportedJob(
                tasks.stream()
                        .filter(task -> JobMapper.isStartable(task, now))
                        .findFirst()
                        .orElse(tasks.getFirst()),
                tasks);
    }

    boolean isArray() {
        return !tasks.isEmpty();
    }

    /** All jobs that a command for this job applies to. */
    public List<TorqueJob> all() {
        return isArray() ? tasks : List.of(job);
    }

    public JobKey key(final ClusterId cluster) {
        return isArray() ? keyOfArray(job, cluster) : job.key(cluster);
    }

    static JobKey keyOfArray(final TorqueJob task, final ClusterId cluster) {
        return new JobKey(new JobId(cluster, id(task).array().toString()), task.submitted());
    }

    static boolean isTask(final TorqueJob job) {
        return PbsId.in(job.localId()).filter(PbsId::isSubjob).isPresent();
    }

    public static int index(final TorqueJob task) {
        return Integer.parseInt(String.valueOf(id(task).brackets()));
    }

    private static PbsId id(final TorqueJob task) {
        return PbsId.in(task.localId()).orElseThrow();
    }

    @Nullable
    ArrayTasks array() {
        final ArrayTasks one = JobMapper.array(job);
        return one == null || !isArray()
                ? one
                : new ArrayTasks(
                        one.array(),
                        ArrayIndices.write(
                                tasks.stream().map(ReportedJob::index).toList()),
                        tasks.size(),
                        one.maxConcurrent());
    }
}
