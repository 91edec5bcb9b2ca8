package io.millrace.agent.openpbs;

import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.wlm.Indices;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ArrayTasks;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is one job to everybody else.
 *
 * @param job itself, or the task that is started next
 * @param tasks of an array that wait together, lowest index first; empty for a job of its own
 */
record ShownJob(QueuedJob job, List<QueuedJob> tasks) {

    ShownJob {
        tasks = List.copyOf(tasks);
    }

    static ShownJob of(final QueuedJob job) {
        return new ShownJob(job, List.of());
    }

    /** The first that may begin is next: tasks beyond the slot limit, or before their time, may not. */
    static ShownJob of(final List<QueuedJob> tasks, final Instant now) {
        return new ShownJob(
                tasks.stream()
                        .filter(task -> JobPicture.mayBegin(task, now))
                        .findFirst()
                        .orElse(tasks.getFirst()),
                tasks);
    }

    boolean isArray() {
        return !tasks.isEmpty();
    }

    /** Each of those that an order about it is about. */
    List<QueuedJob> all() {
        return isArray() ? tasks : List.of(job);
    }

    JobKey key(final ClusterId cluster) {
        return isArray() ? keyOfArray(job, cluster) : job.key(cluster);
    }

    static JobKey keyOfArray(final QueuedJob task, final ClusterId cluster) {
        return new JobKey(new JobId(cluster, id(task).array().toString()), task.submitted());
    }

    static boolean isTask(final QueuedJob job) {
        return PbsId.in(job.localId()).filter(PbsId::isSubjob).isPresent();
    }

    static int index(final QueuedJob task) {
        return Integer.parseInt(String.valueOf(id(task).brackets()));
    }

    private static PbsId id(final QueuedJob task) {
        return PbsId.in(task.localId()).orElseThrow();
    }

    @Nullable
    ArrayTasks array() {
        final ArrayTasks one = JobPicture.array(job);
        return one == null || !isArray()
                ? one
                : new ArrayTasks(
                        one.array(),
                        Indices.write(tasks.stream().map(ShownJob::index).toList()),
                        tasks.size(),
                        one.atOnce());
    }
}
