package io.millrace.agent.slurm.accounting;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.JobListing;
import io.millrace.agent.slurm.query.JobObservation;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.FoundAttempts;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.agent.wlm.capability.AttemptFinding.Found;
import io.millrace.model.AttemptId;
import io.millrace.model.UserName;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Finds the jobs of attempts by their tag. Several jobs may have the same tag. */
public final class AttemptLookup {

    private final SlurmSite site;
    private final Runner runner;
    private final Supplier<String> nonces;

    public AttemptLookup(final SlurmSite site, final Runner runner, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.nonces = nonces;
    }

    /** The jobs with these tags in the queue, among the ended jobs that slurmctld keeps, and in the completion log. */
    public Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
        return new JobListing(site, runner, nonces)
                .all()
                .then(rows -> runner.run(CompletionLogQuery.tagged(site, owners.keySet()))
                        // The completion log contains only uids.
                        .then(ends ->
                                UserNameQuery.names(runner, ends).map(names -> found(owners, rows, ends, names))));
    }

    private Map<AttemptId, List<Found>> found(
            final Map<AttemptId, UserName> owners,
            final List<QueuedJob> rows,
            final List<EndedRun> ends,
            final Map<String, String> names) {
        final FoundAttempts found = new FoundAttempts(owners);
        for (final EndedRun end : ends) {
            final AttemptId attempt = JobObservation.attempt(end.tag());
            if (attempt != null
                    && end.endsTheJob()
                    && end.request() != null
                    && found.includes(attempt, end.request().owner(names))) {
                found.add(attempt, end.key(site.cluster()), true);
            }
        }
        for (final QueuedJob row : rows) {
            final AttemptId attempt = JobObservation.attempt(row);
            if (attempt != null
                    && found.includes(attempt, NameMapping.user(row.cell("username"), row.cell("userid")))) {
                found.add(attempt, row.key(site.cluster()), JobStates.isEnded(row));
            }
        }
        return found.inOrder();
    }
}
