package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.ChangeCommand;
import io.millrace.agent.slurm.command.ControlFile;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.ArrayThrottles;
import io.millrace.agent.slurm.query.JobListing;
import io.millrace.agent.slurm.query.JobObservation;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.NodeQuery;
import io.millrace.agent.slurm.query.PartitionQuery;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.StablePriorities;
import io.millrace.agent.slurm.query.VersionQuery;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.ReadJobs;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Observes jobs, nodes and partitions. Under directed control, it first holds the jobs that lack the entry hold. */
final class ClusterObserver implements Observing {

    private final SlurmSite site;
    private final Runner runner;
    private final Clock clock;
    private final Supplier<String> nonces;
    private final StablePriorities priorities = new StablePriorities();
    private final ArrayThrottles throttles = new ArrayThrottles();

    ClusterObserver(final SlurmSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.nonces = nonces;
    }

    @Override
    public String version() {
        return switch (runner.run(new VersionQuery(site))) {
            case Answer.Ok<String> ok -> ok.value();
            case Answer.Trouble<String> trouble -> "slurm, unknown version: " + trouble.reason();
        };
    }

    @Override
    public Answer<Observation> observe() {
        final Instant at = clock.instant();
        return runner.run(new ControlFile.Read(site))
                .then(control -> queue(control)
                        .then(jobs -> runner.run(new NodeQuery(site, nonces.get()))
                                .then(nodes -> runner.run(new PartitionQuery(site))
                                        .map(partitions ->
                                                observation(at, control, read(jobs, at), nodes, partitions)))));
    }

    private Observation observation(
            final Instant at,
            final Control control,
            final ReadJobs read,
            final List<NodeObserved> nodes,
            final List<PartitionObserved> partitions) {
        return new Observation(at, control, priorities.stabilize(read.jobs()), nodes, partitions, read.unreadable());
    }

    /** The queue. Under directed control, jobs that lack the entry hold are held first. */
    private Answer<List<QueuedJob>> queue(final Control control) {
        final JobListing listing = new JobListing(site, runner, nonces);
        return listing.queue().then(jobs -> {
            final List<ChangeCommand> commands =
                    control == Control.DIRECTED ? EntryHolds.missing(site, jobs) : List.of();
            if (commands.isEmpty()) {
                return Answer.ok(jobs);
            }
            // A command that fails now, for example because the job has just ended, is retried at the next observation.
            EntryHolds.execute(runner, commands);
            return listing.queue();
        });
    }

    private ReadJobs read(final List<QueuedJob> jobs, final Instant at) {
        final ReadJobs read = ReadJobs.of(
                jobs.stream().filter(job -> !JobStates.isEnded(job)).toList(),
                QueuedJob::localId,
                job -> JobObservation.of(site.cluster(), job, at));
        final Set<String> merged =
                jobs.stream().filter(QueuedJob::merged).map(QueuedJob::localId).collect(Collectors.toSet());
        return new ReadJobs(throttles.complete(read.jobs(), merged), read.unreadable());
    }
}
