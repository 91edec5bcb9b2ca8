package io.millrace.agent.wlm;

import io.millrace.agent.domain.Run;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunEnded;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An ended job as recorded by accounting, complete enough to publish its end even if it was never observed in the queue.
 *
 * @param attempt the tag of a global job's placement; null for a job that a user submitted directly to the cluster
 * @param walltime its walltime limit; null: unlimited
 * @param runs its ended runs, oldest first; the last run ended the job
 */
public record EndedJob(
        JobKey job,
        String name,
        @Nullable AttemptId attempt,
        UserName owner,
        @Nullable ProjectName project,
        PartitionName partition,
        Resources resources,
        @Nullable Duration walltime,
        List<Run> runs) {

    public EndedJob {
        runs = List.copyOf(runs);
    }

    public EndedJob with(final List<Run> others) {
        return new EndedJob(job, name, attempt, owner, project, partition, resources, walltime, others);
    }

    /** The end of one of its runs, with the names of the workload manager. */
    public RunEnded end(final Run run) {
        return new RunEnded(
                        job,
                        name,
                        attempt,
                        owner,
                        project,
                        partition,
                        resources,
                        walltime,
                        run.run(),
                        run.started(),
                        run.ended(),
                        run.outcome(),
                        0,
                        run.source(),
                        null)
                .withUsage(run.used());
    }
}
