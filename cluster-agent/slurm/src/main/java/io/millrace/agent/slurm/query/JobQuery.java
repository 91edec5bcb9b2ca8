package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.DelimitedTable;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code squeue}: jobs with all fields that the adapter reads, in one query. {@link JobListing} separates the tasks that squeue merges.
 *
 * @param ids local ids; empty means all jobs
 * @param withEnded whether to include ended jobs that slurmctld still keeps (MinJobAge)
 * @param nonce an unguessable string, so no job field can contain it
 */
public record JobQuery(SlurmSite site, List<String> ids, boolean withEnded, String nonce)
        implements QueryCommand<List<QueuedJob>> {

    public static JobQuery queue(final SlurmSite site, final String nonce) {
        return new JobQuery(site, List.of(), false, nonce);
    }

    public static JobQuery all(final SlurmSite site, final String nonce) {
        return new JobQuery(site, List.of(), true, nonce);
    }

    public static JobQuery of(final SlurmSite site, final Collection<String> ids, final String nonce) {
        return new JobQuery(site, List.copyOf(ids), true, nonce);
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of("squeue", "--noheader", "--all", "--noconvert"));
        if (withEnded) {
            argv.add("--states=all");
        }
        if (!ids.isEmpty()) {
            argv.add("--jobs=" + String.join(",", ids));
        }
        argv.add("--Format=" + DelimitedTable.format(QueuedJob.FIELDS, nonce));
        return argv;
    }

    @Override
    public Answer<List<QueuedJob>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return isUnknownJob(result)
                    ? Answer.ok(List.of())
                    : SlurmErrors.of("squeue", result, Answer.Kind.UNREADABLE);
        }
        try {
            return Answer.ok(rows(result.outputText()));
        } catch (final IllegalArgumentException e) {
            return SlurmErrors.unreadable("squeue", e, result);
        }
    }

    /** squeue fails on a single unknown id, but omits unknown ids from a list of several. */
    static boolean isUnknownJob(final CommandResult result) {
        return result.errorText().contains("Invalid job id specified");
    }

    private List<QueuedJob> rows(final String output) {
        final Map<String, QueuedJob> jobs = new LinkedHashMap<>();
        for (final List<String> cells : DelimitedTable.rows(output, QueuedJob.FIELDS.size(), nonce)) {
            final QueuedJob job = new QueuedJob(cells).validated();
            jobs.merge(job.rowKey(), job, QueuedJob::withComponent);
        }
        return List.copyOf(jobs.values());
    }
}
