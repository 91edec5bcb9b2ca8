package io.millrace.agent.torque;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.torque.accounting.AttemptRegistry;
import io.millrace.agent.torque.query.ClusterSnapshot;
import io.millrace.agent.torque.query.InstalledFeatures;
import io.millrace.agent.torque.query.JobQuery;
import io.millrace.agent.torque.query.NodeQuery;
import io.millrace.agent.torque.query.QueueQuery;
import io.millrace.agent.torque.query.ServerQuery;
import io.millrace.agent.torque.query.TorqueFeatures;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.torque.query.WaitingArrayTasks;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.model.AttemptId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Observes jobs, nodes and queues, and records the tags of the jobs. */
record ClusterObserver(
        TorqueSite site,
        Runner runner,
        Clock clock,
        WaitingArrayTasks tasks,
        AttemptRegistry tags,
        InstalledFeatures features)
        implements Observing {

    @Override
    public String version() {
        return features.get().map(TorqueFeatures::name).get();
    }

    @Override
    public Answer<Observation> observe() {
        final Instant at = clock.instant();
        final Answer<Observation> seen = features.get()
                .then(known -> runner.run(new ServerQuery(site))
                        .then(server -> runner.run(JobQuery.all(site, known))
                                .then(queue -> runner.run(new NodeQuery(site, known.xml()))
                                        .then(nodes -> runner.run(new QueueQuery(site))
                                                .then(queues -> observation(at, server, queue, nodes, queues))))));
        if (seen instanceof Answer.Trouble<Observation> trouble && trouble.kind() == Answer.Kind.UNREADABLE) {
            features.forget();
        }
        return seen;
    }

    private Answer<Observation> observation(
            final Instant at,
            final PbsObject server,
            final List<TorqueJob> queue,
            final List<PbsObject> nodes,
            final List<PbsObject> queues) {
        final Observation observation;
        try {
            observation = new ClusterSnapshot(site.cluster(), server, queue, nodes, queues, tasks).observation(at);
        } catch (final IllegalArgumentException e) {
            return Answer.trouble(Answer.Kind.UNREADABLE, "cannot read the output of Torque: " + e.getMessage());
        }
        observation.jobs().forEach(job -> {
            final AttemptId attempt = job.attempt();
            if (attempt != null) {
                tags.record(job.job(), attempt, job.owner());
            }
        });
        return Answer.ok(observation);
    }
}
