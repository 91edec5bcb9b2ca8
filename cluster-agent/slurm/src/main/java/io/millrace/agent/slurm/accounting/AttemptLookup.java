package io.millrace.agent.slurm.accounting;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.NameMapping;
import io.millrace.agent.slurm.query.JobObservation;
import io.millrace.agent.slurm.query.JobQuery;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.AttemptFinding.Found;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Finds the jobs of an attempt by their tag. Several jobs may have the same tag. */
public final class AttemptLookup {

    private final SlurmSite site;
    private final Runner runner;
    private final Supplier<String> nonces;

    public AttemptLookup(final SlurmSite site, final Runner runner, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.nonces = nonces;
    }

    /** The jobs with this tag in the queue, among the ended jobs that slurmctld keeps, and in the completion log; oldest first. */
    public Answer<List<Found>> find(final AttemptId attempt, final UserName owner) {
        return runner.run(JobQuery.all(site, nonces.get()))
                .then(rows -> ended(attempt, owner).map(ends -> found(attempt, owner, rows, ends)));
    }

    /** The completion log contains only uids. */
    private Answer<List<EndedRun>> ended(final AttemptId attempt, final UserName owner) {
        return runner.run(CompletionLogQuery.tagged(site, attempt))
                .then(ends -> UserNameQuery.names(runner, ends)
                        .map(names -> ends.stream()
                                .filter(end -> end.request() != null
                                        && owner.equals(NameMapping.user(
                                                names.getOrDefault(end.request().uid(), ""),
                                                end.request().uid())))
                                .toList()));
    }

    private List<Found> found(
            final AttemptId attempt, final UserName owner, final List<QueuedJob> rows, final List<EndedRun> ends) {
        final Map<JobKey, Found> found = new LinkedHashMap<>();
        for (final EndedRun end : ends) {
            final JobKey key = end.key(site.cluster());
            if (end.endsTheJob()) {
                found.put(key, new Found(key, true));
            }
        }
        for (final QueuedJob row : rows) {
            if (attempt.equals(JobObservation.attempt(row))
                    && owner.equals(NameMapping.user(row.cell("username"), row.cell("userid")))) {
                final JobKey key = row.key(site.cluster());
                found.put(key, new Found(key, JobStates.isEnded(row)));
            }
        }
        return Found.oldestFirst(found.values());
    }
}
