package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.util.List;
import java.util.function.Supplier;

/** Finds a job by its key, because Slurm reuses job ids. */
public final class JobLookup {

    private final SlurmSite site;
    private final JobListing listing;

    public JobLookup(final SlurmSite site, final Runner runner, final Supplier<String> nonces) {
        this.site = site;
        this.listing = new JobListing(site, runner, nonces);
    }

    public Answer<List<QueuedJob>> rows(final List<String> ids) {
        return listing.of(ids);
    }

    /** The unfinished job with this key, never another job that reuses its id. */
    public Answer<QueuedJob> current(final JobKey key) {
        return rows(List.of(key.id().local())).then(rows -> {
            for (final QueuedJob row : rows) {
                if (row.key(site.cluster()).equals(key)) {
                    return usable(row);
                }
            }
            return Answer.trouble(
                    Answer.Kind.NO_SUCH_JOB, "job " + key.id() + ", submitted at " + key.submittedAt() + ", not found");
        });
    }

    private Answer<QueuedJob> usable(final QueuedJob row) {
        if (JobStates.isEnded(row)) {
            return wrongState(row, "has ended: " + row.cell("state"));
        }
        return Answer.ok(row);
    }

    /**
     * The id for a command that applies to a job in any state. This includes an array without pending tasks, for which no row has the
     * array's key.
     */
    public Answer<String> wholeJobId(final JobKey key) {
        return rows(List.of(key.id().local())).then(rows -> {
            final boolean array = rows.stream()
                    .anyMatch(row -> row.cell("arrayjobid").equals(key.id().local())
                            && !row.cell("jobarrayid").equals(key.id().local())
                            && !TargetId.isHeterogeneous(row)
                            && row.submitted().equals(key.submittedAt())
                            && !JobStates.isEnded(row));
            return array ? Answer.ok(key.id().local()) : current(key).map(row -> TargetId.of(row));
        });
    }

    public <T> Answer<T> wrongState(final QueuedJob job, final String reason) {
        return Answer.trouble(
                Answer.Kind.WRONG_STATE, "job " + new JobId(site.cluster(), job.localId()) + " " + reason);
    }
}
