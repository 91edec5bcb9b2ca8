package io.millrace.agent.torque.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.pbs.PbsSize;
import io.millrace.agent.pbs.StartCheck;
import io.millrace.agent.torque.query.JobLookup;
import io.millrace.agent.torque.query.JobMapper;
import io.millrace.agent.torque.query.JobStates;
import io.millrace.agent.torque.query.NodeQuery;
import io.millrace.agent.torque.query.QueueQuery;
import io.millrace.agent.torque.query.TorqueFeatures;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueNode;
import io.millrace.agent.torque.query.TorqueQueue;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Relocation;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved.Availability;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Starts a job on hosts with enough free capacity. */
public final class JobStarts {

    private final TorqueSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final HoldCommands holds;
    private final Clock clock;

    public JobStarts(
            final TorqueSite site,
            final Runner runner,
            final JobLookup jobs,
            final HoldCommands holds,
            final Clock clock) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
        this.clock = clock;
    }

    public Answer<Accepted> start(final JobKey key, final Control control, final TorqueFeatures features) {
        return startable(key, control).then(job -> startNow(job, features));
    }

    /** Moves the held job to another queue and starts it there; moves it back if the start fails. */
    public Answer<Accepted> start(
            final JobKey key, final PartitionName to, final Control control, final TorqueFeatures features) {
        return startable(key, control).then(job -> {
            if (job.queue().equals(to.value())) {
                return startNow(job, features);
            }
            return to.value().indexOf('@') < 0
                    ? new Relocation(new JobId(site.cluster(), job.localId()), PartitionName.of(job.queue()), to)
                            .execute(
                                    () -> runner.run(TorqueCommand.move(site, to.value(), job.localId())),
                                    () -> start(key, control, features),
                                    () -> runner.run(TorqueCommand.move(site, job.queue(), job.localId())))
                    : Answer.trouble(
                            Answer.Kind.REJECTED,
                            "'" + to + "' is a queue of another server; use a queue of this server");
        });
    }

    private Answer<TorqueJob> startable(final JobKey key, final Control control) {
        return jobs.find(key)
                .then(job -> StartCheck.refusal(JobStates.of(job, control))
                        .<Answer<TorqueJob>>map(refusal -> jobs.wrongState(job, refusal))
                        .orElseGet(() -> eligible(job)));
    }

    private Answer<TorqueJob> eligible(final TorqueJob job) {
        if (!job.dependencies().isEmpty()) {
            return jobs.wrongState(job, "depends on " + String.join(", ", job.dependencies()));
        }
        if (!JobMapper.isStartable(job, clock.instant())) {
            return jobs.wrongState(
                    job,
                    JobMapper.waitsForArraySlot(job)
                            ? "waits for an array slot"
                            : "was requested to start not before " + job.instant("Execution_Time"));
        }
        return Answer.ok(job);
    }

    private Answer<Accepted> startNow(final TorqueJob job, final TorqueFeatures features) {
        return hosts(job, features).then(hosts -> holds.liftOwnHold(job).then(free -> run(job, hosts)));
    }

    private Answer<String> hosts(final TorqueJob job, final TorqueFeatures features) {
        return runner.run(new NodeQuery(site, features.xml()))
                .then(nodes -> runner.run(new QueueQuery(site)).then(queues -> {
                    final List<TorqueNode> hosts = allowed(job, nodes, queues);
                    final Optional<String> chosen = HostSelection.choose(
                            job.nodeSpec(),
                            job.allowsAnyNodes(),
                            PbsSize.mib(job.object().get("Resource_List.mem")),
                            hosts.stream().map(JobStarts::freeNode).toList());
                    return chosen.<Answer<String>>map(Answer::ok)
                            .orElseGet(() -> jobs.trouble(
                                    Answer.Kind.DOES_NOT_FIT,
                                    job,
                                    "does not fit now: requested nodes=" + job.nodeSpec() + ", free cores: "
                                            + free(hosts) + "; retry when enough are free"));
                }));
    }

    /** The available nodes of the job's queue. */
    private static List<TorqueNode> allowed(
            final TorqueJob job, final List<PbsObject> nodes, final List<PbsObject> queues) {
        final Optional<TorqueQueue> queue = queues.stream()
                .filter(one -> one.name().equals(job.queue()))
                .map(TorqueQueue::new)
                .findFirst();
        return nodes.stream()
                .map(TorqueNode::new)
                .filter(node -> node.availability() == Availability.UP)
                .filter(node -> queue.isEmpty() || queue.get().contains(node))
                .toList();
    }

    private static HostSelection.FreeNode freeNode(final TorqueNode node) {
        final Set<String> properties = new HashSet<>(node.properties());
        properties.add(node.object().name());
        return new HostSelection.FreeNode(
                node.object().name(), properties, node.freeCores(), node.freeGpus(), node.memory_mib());
    }

    private static String free(final List<TorqueNode> hosts) {
        return hosts.isEmpty()
                ? "none, no node is available"
                : hosts.stream()
                        .map(host -> host.freeCores() + " on " + host.object().name())
                        .limit(20)
                        .collect(Collectors.joining(", "));
    }

    /** Starts a released job. If it does not start, holds it again. Under native control the local scheduler may be faster. */
    private Answer<Accepted> run(final TorqueJob job, final String hosts) {
        return switch (runner.run(TorqueCommand.run(site, hosts, job.localId()))) {
            case Answer.Ok<Accepted> ok -> ok;
            case Answer.Trouble<Accepted> trouble
            when isRunning(job) -> Answer.ok(new Accepted("the scheduler of the cluster started " + job.localId()));
            case Answer.Trouble<Accepted> trouble ->
                job.mark().isEmpty() || trouble.kind() == Answer.Kind.TIMEOUT || trouble.kind() == Answer.Kind.DOWN
                        ? trouble
                        : holds.holdAgain(job).then(held -> trouble);
        };
    }

    private boolean isRunning(final TorqueJob job) {
        return jobs.find(job.key(site.cluster())) instanceof Answer.Ok<TorqueJob> now
                && JobStates.of(now.value(), Control.NATIVE) instanceof JobState.Running;
    }
}
