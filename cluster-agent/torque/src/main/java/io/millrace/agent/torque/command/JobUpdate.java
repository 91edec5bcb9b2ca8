package io.millrace.agent.torque.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.torque.query.JobStates;
import io.millrace.agent.torque.query.JobVariables;
import io.millrace.agent.torque.query.ReportedJobs;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Changes properties of jobs. */
public record JobUpdate(TorqueSite site, Runner runner, ReportedJobs reported) implements Altering {

    @Override
    public Answer<Accepted> setWalltime(final JobKey job, final Duration walltime) {
        return reported.each(
                job,
                (seen, control) ->
                        runner.run(TorqueCommand.walltime(site, PbsDuration.write(walltime), seen.localId())));
    }

    /** The cores of a job are those of its list of nodes, whose layout only its owner knows. */
    @Override
    public Answer<Accepted> alterPending(final JobKey job, final @Nullable String name, final @Nullable Integer cores) {
        if (name == null || cores != null) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    "Torque cannot change the cores of job " + job.id() + "; stop it and submit it again");
        }
        return reported.each(
                job,
                (seen, control) -> JobStates.of(seen, control).isWaiting()
                        ? runner.run(TorqueCommand.name(site, JobVariables.shortName(name), seen.localId()))
                        : reported.jobs().wrongState(seen, "is not pending"));
    }

    @Override
    public Answer<Accepted> setPartition(final JobKey job, final PartitionName partition) {
        return partition.value().indexOf('@') >= 0
                ? Answer.trouble(
                        Answer.Kind.REJECTED,
                        "'" + partition + "' is a queue of another server; use a queue of this server")
                : reported.each(
                        job,
                        (seen, control) -> JobStates.of(seen, control).isWaiting()
                                ? runner.run(TorqueCommand.move(site, partition.value(), seen.localId()))
                                : reported.jobs().wrongState(seen, "is not pending"));
    }
}
