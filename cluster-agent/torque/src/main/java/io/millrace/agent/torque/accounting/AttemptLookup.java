package io.millrace.agent.torque.accounting;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsNames;
import io.millrace.agent.torque.query.JobQuery;
import io.millrace.agent.torque.query.JobVariables;
import io.millrace.agent.torque.query.TorqueFeatures;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.FoundAttempts;
import io.millrace.agent.wlm.capability.AttemptFinding.Found;
import io.millrace.model.AttemptId;
import io.millrace.model.UserName;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Finds the jobs of attempts: in the queue by their variables, and those that have left it in the registry. */
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

    public Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
        return features.get()
                .then(known -> runner.run(JobQuery.all(site, known)))
                .map(queue -> found(owners, queue));
    }

    private Map<AttemptId, List<Found>> found(final Map<AttemptId, UserName> owners, final List<TorqueJob> queue) {
        final FoundAttempts found = new FoundAttempts(owners);
        tags.jobs(owners).forEach((key, attempt) -> found.add(attempt, key, true));
        for (final TorqueJob job : queue) {
            final AttemptId attempt = JobVariables.attempt(job.variables());
            if (attempt != null && found.includes(attempt, PbsNames.user(job.object()))) {
                found.add(attempt, job.key(site.cluster()), job.isCompleted());
            }
        }
        return found.inOrder();
    }
}
