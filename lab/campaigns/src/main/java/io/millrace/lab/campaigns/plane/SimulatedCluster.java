package io.millrace.lab.campaigns.plane;

import io.millrace.log.OutgoingEvent;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A full directed cluster and what its agent publishes: one job runs on each node, the others wait for their start by backfill-service. Jobs
 * run until {@link #endOldest}.
 */
final class SimulatedCluster {

    private static final PartitionName MAIN = PartitionName.of("main");
    private static final Resources NODE = new Resources(8, 1, 32_768, 0);
    private static final Resources BUSY = Resources.NONE;
    private static final Resources JOB = new Resources(8, 1, 0, 0);
    private static final int USERS = 200;
    private static final int LONGEST_HOURS = 24;
    private static final Set<Capability> OFFERED =
            EnumSet.of(Capability.START, Capability.HOLD, Capability.TRANSFER, Capability.ACCOUNTING);

    private final ClusterId id;
    private final RandomGenerator random;
    private final List<NodeName> nodes = new ArrayList<>();
    private final Map<JobKey, JobObserved> jobs = new HashMap<>();
    private final Deque<JobKey> running = new ArrayDeque<>();
    private final Deque<NodeName> idle = new ArrayDeque<>();
    private int numbers;
    private long revision;
    private long commandsIncluded;

    /** @param random of the owners and walltimes of jobs */
    SimulatedCluster(final ClusterId id, final int nodes, final RandomGenerator random) {
        this.id = id;
        this.random = random;
        for (int i = 0; i < nodes; i++) {
            this.nodes.add(NodeName.of("n" + i));
        }
    }

    ClusterId id() {
        return id;
    }

    /** All that the agent publishes first: nodes, partition, running jobs and this number of waiting ones. */
    List<OutgoingEvent> fill(final int waiting, final Instant now) {
        final List<OutgoingEvent> news = new ArrayList<>();
        final Duration longest = Duration.ofHours(LONGEST_HOURS);
        news.add(OutgoingEvent.put(new PartitionObserved(
                id, MAIN, true, true, nodes.size() * NODE.cores(), longest, PartitionLimits.NONE, Access.EVERYBODY)));
        final Instant first = now.minusSeconds(nodes.size() + (long) waiting);
        for (final NodeName node : nodes) {
            news.add(node(node, BUSY));
            final JobObserved job = local(first.plusSeconds(numbers));
            news.add(put(job.in(new JobState.Running(now, List.of(node)))));
            running.add(job.job());
        }
        for (int i = 0; i < waiting; i++) {
            news.add(put(local(first.plusSeconds(numbers))));
        }
        return news;
    }

    private JobObserved local(final Instant submitted) {
        return waiting(
                key(submitted),
                "job",
                UserName.of("u" + random.nextInt(USERS)),
                Duration.ofHours(1 + random.nextInt(LONGEST_HOURS)));
    }

    private JobKey key(final Instant submitted) {
        return new JobKey(new JobId(id, Integer.toString(++numbers)), submitted);
    }

    private static JobObserved waiting(
            final JobKey key, final String name, final UserName owner, final Duration walltime) {
        return new JobObserved(
                key,
                name,
                owner,
                null,
                MAIN,
                new JobState.Held(HoldKind.ENTRY),
                null,
                JOB,
                walltime,
                Eligibility.since(key.submittedAt()),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    /** The job that has run longest ends. */
    List<OutgoingEvent> endOldest(final Instant now) {
        final JobObserved job = Objects.requireNonNull(jobs.remove(running.remove()));
        final JobState.Running run = (JobState.Running) job.state();
        final NodeName node = run.nodes().getFirst();
        idle.add(node);
        return List.of(
                OutgoingEvent.put(RunEnded.of(job, 1, run.startedAt(), now, new RunOutcome.Exited(0), 0, "simulated")),
                OutgoingEvent.remove(Topic.CLUSTER_STATE, JobObserved.keyOf(job.job()), id),
                node(node, NODE));
    }

    /** Receives a command; the marker that follows includes it. */
    OutgoingEvent begin(final Command command, final long offset, final Instant now) {
        commandsIncluded = offset + 1;
        return outcome(command, new Result.Begun(), now);
    }

    /**
     * Executes a command.
     *
     * @param changes receives what the next revision contains
     * @return its answer
     */
    OutgoingEvent execute(final Command command, final Instant now, final List<OutgoingEvent> changes) {
        return outcome(
                command,
                switch (command.action()) {
                    case Action.Start start -> start(start, now, changes);
                    case Action.Submit submit -> submit(submit, now, changes);
                    case Action.Release release -> release(release, changes);
                    default ->
                        new Result.Refused(Refusal.UNSUPPORTED, command.action().name() + " is not simulated");
                },
                now);
    }

    private Result start(final Action.Start start, final Instant now, final List<OutgoingEvent> changes) {
        final JobObserved job = jobs.get(start.job());
        if (job == null || !job.isStartable() || idle.isEmpty()) {
            return new Result.Refused(Refusal.STALE, "it does not wait, or no node is idle");
        }
        final NodeName node = idle.remove();
        running.add(start.job());
        changes.add(node(node, BUSY));
        changes.add(put(job.in(new JobState.Running(now, List.of(node)))));
        return new Result.Done(null, "started");
    }

    private Result submit(final Action.Submit submit, final Instant now, final List<OutgoingEvent> changes) {
        final JobObserved job = waiting(
                key(now), submit.spec().name(), submit.owner(), submit.spec().walltime());
        changes.add(put(new JobObserved(
                job.job(),
                job.name(),
                job.owner(),
                null,
                MAIN,
                new JobState.Held(HoldKind.SUBMISSION),
                null,
                JOB,
                job.walltime(),
                job.eligibility(),
                submit.attempt(),
                0,
                0,
                job.checkpoint(),
                job.detail())));
        return new Result.Done(job.job(), "held");
    }

    private Result release(final Action.Release release, final List<OutgoingEvent> changes) {
        final JobObserved job = jobs.get(release.job());
        if (job == null) {
            return new Result.Refused(Refusal.STALE, "it does not wait");
        }
        changes.add(put(job.in(new JobState.Held(HoldKind.ENTRY))));
        return new Result.Done(null, "released");
    }

    private OutgoingEvent put(final JobObserved job) {
        jobs.put(job.job(), job);
        return OutgoingEvent.put(job);
    }

    private OutgoingEvent node(final NodeName node, final Resources free) {
        return OutgoingEvent.put(
                new NodeObserved(id, node, NodeObserved.Availability.UP, NODE, free, null, List.of(), List.of(MAIN)));
    }

    private OutgoingEvent outcome(final Command command, final Result result, final Instant now) {
        return OutgoingEvent.put(command.outcome(result, now));
    }

    /** The marker that closes a revision. */
    OutgoingEvent marker(final Instant now) {
        return OutgoingEvent.put(new RevisionClosed(
                id,
                ++revision,
                now,
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "simulated",
                NODE.times(nodes.size()),
                NODE.times(idle.size()),
                OFFERED,
                commandsIncluded,
                "/staging",
                null,
                Map.of()));
    }
}
