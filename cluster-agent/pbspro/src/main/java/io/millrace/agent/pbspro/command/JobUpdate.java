package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Changes properties of jobs. */
public record JobUpdate(PbsSite site, Runner runner, JobLookup jobs, QueueMoves moves) implements Altering {

    @Override
    public Answer<Accepted> setWalltime(final JobKey job, final Duration walltime) {
        return jobs.find(job)
                .then(seen ->
                        runner.run(PbsCommand.alterResource(site, "walltime", PbsDuration.write(walltime), seen.id())));
    }

    @Override
    public Answer<Accepted> setPartition(final JobKey job, final PartitionName partition) {
        return moves.set(job, partition);
    }

    @Override
    public Answer<Accepted> alterPending(final JobKey job, final @Nullable String name, final @Nullable Integer cores) {
        return jobs.find(job).then(seen -> {
            if (!seen.isWaiting()) {
                return jobs.wrongState(seen, "is not pending");
            }
            if (cores == null) {
                return runner.run(PbsCommand.alter(site, name, null, seen.id()));
            }
            return ResizedSelect.of(seen.object().get("Resource_List.select", ""), cores)
                    .then(select -> runner.run(PbsCommand.alter(site, name, select, seen.id())));
        });
    }
}
