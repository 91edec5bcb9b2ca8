package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.DelimitedTable;
import io.millrace.agent.wlm.Answer;
import java.util.List;

/**
 * {@code squeue --array}: the unfinished array tasks that slurmctld keeps as jobs of their own, because they have run or were changed one by
 * one. Their rows have a job id that is not the array's.
 *
 * @param arrays ids of arrays
 */
record SplitTasksQuery(SlurmSite site, List<String> arrays, String nonce)
        implements QueryCommand<List<SplitTasksQuery.SplitTask>> {

    private static final List<String> FIELDS = List.of("jobid", "arrayjobid", "jobarrayid");

    /**
     * A task that is a job of its own.
     *
     * @param job id of this job
     * @param jobArrayId such as {@code 12_7}
     */
    record SplitTask(String job, String jobArrayId) {}

    @Override
    public List<String> argv() {
        return List.of(
                "squeue",
                "--noheader",
                "--all",
                "--array",
                "--jobs=" + String.join(",", arrays),
                "--Format=" + DelimitedTable.format(FIELDS, nonce));
    }

    @Override
    public Answer<List<SplitTask>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return JobQuery.isUnknownJob(result)
                    ? Answer.ok(List.of())
                    : SlurmErrors.of("squeue", result, Answer.Kind.UNREADABLE);
        }
        try {
            return Answer.ok(DelimitedTable.rows(result.outputText(), FIELDS.size(), nonce).stream()
                    .filter(row -> !row.get(0).equals(row.get(1)))
                    .map(row -> new SplitTask(row.get(0), row.get(2)))
                    .toList());
        } catch (final IllegalArgumentException e) {
            return SlurmErrors.unreadable("squeue", e, result);
        }
    }
}
