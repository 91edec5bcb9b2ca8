package io.millrace.agent.slurm.qos;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.DelimitedTable;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.List;

/** {@code squeue} for one row: its QoS, and whether it can be requeued. */
record JobQosQuery(SlurmSite site, QueuedJob job, String nonce) implements QueryCommand<JobQosQuery.JobQos> {

    private static final List<String> FIELDS = List.of("jobarrayid", "qos", "requeue", "batchflag");

    /** @param requeues false for jobs of {@code sbatch --no-requeue}, srun and salloc, which preemption would end */
    record JobQos(String qos, boolean requeues) {}

    @Override
    public List<String> argv() {
        return List.of(
                "squeue",
                "--noheader",
                "--all",
                "--jobs=" + job.localId(),
                "--Format=" + DelimitedTable.format(FIELDS, nonce));
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Answer<JobQos> read(final CommandResult result) {
        if (!result.succeeded()) {
            return SlurmErrors.of("squeue", result, Answer.Kind.UNREADABLE);
        }
        for (final List<String> row : DelimitedTable.rows(result.outputText(), FIELDS.size(), nonce)) {
            if (row.get(0).equals(job.cell("jobarrayid"))) {
                return Answer.ok(new JobQos(
                        row.get(1), row.get(2).equals("1") && row.get(3).equals("1")));
            }
        }
        return Answer.trouble(Answer.Kind.NO_SUCH_JOB, "job " + job.localId() + " is no longer in squeue");
    }
}
