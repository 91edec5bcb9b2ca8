package io.millrace.agent.torque.accounting;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsNames;
import io.millrace.agent.torque.query.JobQuery;
import io.millrace.agent.torque.query.JobVariables;
import io.millrace.agent.torque.query.TorqueFeatures;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.AttemptFinding.Found;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Finds the jobs of an attempt: in the queue by their variables, and those that have left it in the registry. */
public final class AttemptLookup {

    private final TorqueSite site;
    private final Runner runner;
    private final AttemptRegistry tags;
    private final Supplier<Answer<TorqueFeatures>> features;

    public AttemptLookup(
            final TorqueSite site,
            final Runner runner,
            final AttemptRegistry tags,
            final Supplier<Answer<TorqueFeatures>> features) {
        this.site = site;
        this.runner = runner;
        this.tags = tags;
        this.features = features;
    }

    public Answer<List<Found>> find(final AttemptId attempt, final UserName owner) {
        return features.get()
                .then(known -> runner.run(JobQuery.all(site, known)))
                .map(queue -> found(attempt, owner, queue));
    }

    private List<Found> found(final AttemptId attempt, final UserName owner, final List<TorqueJob> queue) {
        final Map<JobKey, Found> found = new LinkedHashMap<>();
        tags.jobs(attempt, owner).forEach(key -> found.put(key, new Found(key, true)));
        for (final TorqueJob job : queue) {
            if (attempt.equals(JobVariables.attempt(job.variables())) && owner.equals(PbsNames.user(job.object()))) {
                final JobKey key = job.key(site.cluster());
                found.put(key, new Found(key, job.isCompleted()));
            }
        }
        return Found.oldestFirst(found.values());
    }
}
