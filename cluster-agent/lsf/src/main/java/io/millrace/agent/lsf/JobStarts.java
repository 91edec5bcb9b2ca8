package io.millrace.agent.lsf;

import io.millrace.agent.lsf.command.CommandExecutor;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfVersion;
import io.millrace.agent.lsf.observe.ClusterTopology;
import io.millrace.agent.lsf.observe.HostSnapshot;
import io.millrace.agent.lsf.observe.JobLookup;
import io.millrace.agent.lsf.observe.JobObservation;
import io.millrace.agent.lsf.query.JobRequest;
import io.millrace.agent.lsf.query.LsfHost;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Relocation;
import io.millrace.agent.wlm.SingleStarts;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.agent.wlm.capability.ArrayStarting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.StartRule;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Starts jobs with {@code brun}. brun ignores the gate, free capacity, dependencies and begin times, so all of these are checked here, and
 * the hosts are selected here.
 */
final class JobStarts implements Starting, ArrayStarting, Moving {

    /** Most of the time of a brun is its start and its login at mbatchd, which then serves one after the other. */
    private static final int TOGETHER = 4;

    private final CommandExecutor executor;
    private final JobLookup lookup;
    private final HoldCommands holds;
    private final ClusterTopology topology;
    private final Supplier<Answer<LsfFeatures>> features;
    private final Clock clock;

    JobStarts(
            final CommandExecutor executor,
            final JobLookup lookup,
            final HoldCommands holds,
            final ClusterTopology topology,
            final Supplier<Answer<LsfFeatures>> features,
            final Clock clock) {
        this.executor = executor;
        this.lookup = lookup;
        this.holds = holds;
        this.topology = topology;
        this.features = features;
        this.clock = clock;
    }

    @Override
    public StartRule startRule() {
        return features.get().get().version().isLsf() ? StartRule.PARTS_OF_NODES : StartRule.FILLS_NODES;
    }

    @Override
    public Answer<Accepted> start(final JobKey key) {
        return start(key, Answer::ok);
    }

    /** Starts a job in another queue. The job is switched while it is held, and switched back if it cannot start there. */
    @Override
    public Answer<Accepted> start(final JobKey key, final PartitionName to) {
        return start(
                key,
                found -> topology.queues().then(queues -> {
                    final @Nullable LsfQueue other = JobLookup.queueNamed(to.value(), queues);
                    return other == null
                            ? Answer.trouble(
                                    Answer.Kind.REJECTED,
                                    "queue '" + to + "' not found; " + key.id() + " still waits in queue "
                                            + found.currentQueue())
                            : Answer.ok(found.inQueue(other));
                }));
    }

    /**
     * Starts tasks of a group of pending array tasks one by one, because each {@code brun} names the hosts of one task. Hosts and queues are
     * queried once for all tasks; each task is looked up, because {@code brun} runs a task again that its owner has just cancelled.
     */
    @Override
    public Answer<StartedTasks> start(final JobKey array, final String indices) {
        return startable(array).then(found -> {
            final ArrayTasks tasks = found.job().groupedTasks();
            final String waiting = tasks == null ? "" : ArrayIndices.both(indices, tasks.indices());
            return waiting.isEmpty()
                    ? lookup.wrongState(found, "has no pending tasks " + indices)
                    : mayStart(found)
                            .then(now -> hosts().then(hosts -> {
                                final TaskHosts left = new TaskHosts(found, hosts);
                                return SingleStarts.of(
                                        indices, waiting, TOGETHER, index -> startTask(array, index, found, left));
                            }));
        });
    }

    private Answer<Accepted> startTask(
            final JobKey array, final int index, final JobLookup.FoundJob group, final TaskHosts left) {
        final JobKey task = task(array, array.id().local() + "[" + index + "]");
        final List<String> hosts = left.take();
        if (hosts.isEmpty()) {
            return noRoom(group, left.version());
        }
        return withNote(array, task, () -> lookup.stillWaits(task, group).then(found -> run(task, found, hosts)));
    }

    /** @param where selects the queue */
    private Answer<Accepted> start(
            final JobKey key, final Function<JobLookup.FoundJob, Answer<JobLookup.FoundJob>> where) {
        return startable(key)
                .then(found -> found.job().groupedTasks() == null
                        ? where.apply(found).then(startThere -> check(key, startThere))
                        : startTask(key, found.job().nextTaskId(), where));
    }

    private Answer<JobLookup.FoundJob> startable(final JobKey key) {
        return lookup.find(key).then(found -> switch (found.state()) {
            case JobState.Held held
            when held.by() != HoldKind.ENTRY ->
                lookup.wrongState(found, "is held by " + held.by().holder());
            case JobState.Held held -> Answer.ok(found);
            case JobState.Queued queued -> Answer.ok(found);
            case JobState.Running r -> lookup.wrongState(found, "is already running");
            case JobState.Suspended s -> lookup.wrongState(found, "is suspended; resume it instead");
            case JobState.Completing c -> lookup.wrongState(found, "is completing");
            case JobState.Unsettled u -> lookup.wrongState(found, "has ended");
            case JobState.Unknown u -> lookup.wrongState(found, "is in unknown state " + u.code());
        });
    }

    /** Starts a task of a group of pending array tasks; the task is then a separate job. */
    private Answer<Accepted> startTask(
            final JobKey array, final String id, final Function<JobLookup.FoundJob, Answer<JobLookup.FoundJob>> where) {
        final JobKey task = task(array, id);
        return withNote(array, task, () -> lookup.find(task).then(where).then(alone -> check(task, alone)));
    }

    private static JobKey task(final JobKey array, final String id) {
        return new JobKey(new JobId(array.cluster(), id), array.submittedAt());
    }

    private Answer<Accepted> withNote(final JobKey array, final JobKey task, final Supplier<Answer<Accepted>> start) {
        holds.copyNoteToTask(array, task);
        final Answer<Accepted> started = start.get();
        if (started instanceof Answer.Trouble<Accepted> trouble
                && trouble.kind().isDefinite()) {
            holds.dropTaskNote(task);
        }
        return started;
    }

    private Answer<Accepted> check(final JobKey key, final JobLookup.FoundJob found) {
        return mayStart(found)
                .then(now -> hosts().then(free -> {
                    final List<String> hosts = new TaskHosts(found, free).take();
                    return hosts.isEmpty() ? noRoom(found, free.version()) : startThere(key, found, hosts);
                }));
    }

    private Answer<JobLookup.FoundJob> mayStart(final JobLookup.FoundJob found) {
        if (JobObservation.beginsLater(found.job(), clock.instant())) {
            return lookup.wrongState(found, "has a begin time of " + found.job().notBefore());
        }
        return found.job().hasUnmetDependency()
                ? lookup.wrongState(
                        found,
                        "has an unmet dependency: " + found.job().request().dependency())
                : Answer.ok(found);
    }

    private Answer<FreeHosts> hosts() {
        return features.get()
                .then(detected ->
                        topology.hosts(detected.version()).map(nodes -> new FreeHosts(nodes, detected.version())));
    }

    private Answer<Accepted> noRoom(final JobLookup.FoundJob found, final LsfVersion version) {
        return lookup.doesNotFit(
                found,
                "needs " + found.job().request().resources().cores() + " slots; the hosts of queue '"
                        + found.targetQueue() + "' do not have enough free capacity"
                        + (version.isLsf() ? "" : openLavaLimit(found)));
    }

    private static String openLavaLimit(final JobLookup.FoundJob found) {
        final int perHost = found.job().request().placement().coresPerNode();
        return perHost == 0
                ? "; brun of OpenLava fills each host up to its MXJ, so it starts a job on empty hosts and on a part"
                        + " of the last one"
                : "; brun of OpenLava fills each host up to its MXJ, so span[ptile=" + perHost
                        + "] starts only on empty hosts with an MXJ of " + perHost
                        + " and a last one"
                        + "; if there are none, change the request with bmod -R, or let LSF start the job under native"
                        + " control";
    }

    private record FreeHosts(HostSnapshot nodes, LsfVersion version) {}

    /** The hosts for one job, or for the tasks of a group one after the other: each takes its slots from what is left. */
    private static final class TaskHosts {

        private final JobRequest request;
        private final Set<String> requested;
        private final Set<String> allowed;
        private final LsfVersion version;
        private HostSnapshot left;

        TaskHosts(final JobLookup.FoundJob found, final FreeHosts free) {
            this.request = found.job().request();
            this.left = free.nodes();
            this.version = free.version();
            this.requested = request.placement().nodes().stream()
                    .map(node -> node.value().replaceAll("(?s)[+!].*", ""))
                    .flatMap(name -> left.groups().getOrDefault(name, Set.of(name)).stream())
                    .collect(Collectors.toSet());
            this.allowed = found.queue() == null
                    ? left.hosts().stream().map(LsfHost::name).collect(Collectors.toSet())
                    : left.hostNames(found.queue());
        }

        LsfVersion version() {
            return version;
        }

        /** The hosts for the next task; empty if there is not enough free capacity. */
        synchronized List<String> take() {
            final List<String> hosts = HostSelection.of(request, requested, allowed, left, version.isLsf());
            left = HostSelection.taken(request, hosts, left);
            return hosts;
        }
    }

    private Answer<Accepted> startThere(final JobKey key, final JobLookup.FoundJob found, final List<String> hosts) {
        return found.targetQueue().equals(found.currentQueue())
                ? run(key, found, hosts)
                : new Relocation(
                                key.id(), PartitionName.of(found.currentQueue()), PartitionName.of(found.targetQueue()))
                        .execute(
                                () -> executor.run(
                                        "bswitch",
                                        found.targetQueue(),
                                        found.job().commandId()),
                                () -> run(key, found, hosts),
                                () -> executor.run(
                                        "bswitch",
                                        found.currentQueue(),
                                        found.job().commandId()));
    }

    /**
     * Releases the hold and starts the job. If brun refuses, the job waits at the gate, or for dispatch. LSF may also start it as soon
     * as the hold is released; then brun refuses, but the job runs.
     */
    private Answer<Accepted> run(final JobKey key, final JobLookup.FoundJob found, final List<String> hosts) {
        final Answer<Accepted> released = found.job().status().equals("PSUSP")
                ? holds.release(key, key.id().local())
                : Answer.ok(new Accepted("no hold to release"));
        final Answer<Accepted> started = released.then(done -> executor.run(
                        "brun", "-m", String.join(" ", hosts), key.id().local()))
                .map(done -> new Accepted(key + " started on " + String.join(" ", hosts)));
        return unlessStartedByLsf(key, started).map(accepted -> {
            holds.noteRelease(key);
            return accepted;
        });
    }

    private Answer<Accepted> unlessStartedByLsf(final JobKey key, final Answer<Accepted> started) {
        final boolean mayRun =
                started instanceof Answer.Trouble<Accepted> trouble && trouble.kind() == Answer.Kind.WRONG_STATE;
        return mayRun
                        && lookup.find(key) instanceof Answer.Ok<JobLookup.FoundJob> now
                        && now.value().state() instanceof JobState.Running
                ? Answer.ok(new Accepted(key + " was started by LSF when its hold was released"))
                : started;
    }
}
