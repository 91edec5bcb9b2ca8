package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Relocation;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Starts jobs by {@code brun}. It looks at nothing: not at the gate, not at what is free, not at dependencies or begin times. So all of
 * that is looked at here, and the hosts are named.
 */
final class JobStarts {

    private final CommandExecutor orders;
    private final JobLookup looks;
    private final JobHolds holds;
    private final ClusterTopology surroundings;
    private final Supplier<Answer<LsfFeatures>> means;
    private final Clock clock;

    JobStarts(
            final CommandExecutor orders,
            final JobLookup looks,
            final JobHolds holds,
            final ClusterTopology surroundings,
            final Supplier<Answer<LsfFeatures>> means,
            final Clock clock) {
        this.orders = orders;
        this.looks = looks;
        this.holds = holds;
        this.surroundings = surroundings;
        this.means = means;
        this.clock = clock;
    }

    Answer<Accepted> start(final JobKey key) {
        return start(key, Answer::ok);
    }

    /** Switched as it is held; what cannot start there is switched back. */
    Answer<Accepted> start(final JobKey key, final PartitionName to) {
        return start(
                key,
                seen -> surroundings.queues().then(queues -> {
                    final @Nullable LsfQueue other = JobLookup.queueNamed(to.value(), queues);
                    return other == null
                            ? Answer.trouble(
                                    Answer.Kind.REJECTED,
                                    "LSF has no queue '" + to + "'; " + key.id() + " waits in queue " + seen.currentQueue()
                                            + " as before")
                            : Answer.ok(seen.inQueue(other));
                }));
    }

    /** @param where in which queue */
    private Answer<Accepted> start(final JobKey key, final Function<JobLookup.FoundJob, Answer<JobLookup.FoundJob>> where) {
        return looks.find(key).then(seen -> switch (seen.state()) {
            case JobState.Held held
            when held.by() != HoldKind.ENTRY -> looks.wrongState(seen, "is held by " + held.by() + ", not at the gate");
            case JobState.Held held -> next(key, seen, where);
            case JobState.Queued queued -> next(key, seen, where);
            case JobState.Running r -> looks.wrongState(seen, "runs already");
            case JobState.Suspended s -> looks.wrongState(seen, "is suspended; resume it");
            case JobState.Completing c -> looks.wrongState(seen, "is just leaving its hosts");
            case JobState.Unsettled u -> looks.wrongState(seen, "has ended");
            case JobState.Unknown u -> looks.wrongState(seen, "is in a state unknown here: " + u.code());
        });
    }

    /** Of tasks that wait together the first one: from now on it is a job of its own. */
    private Answer<Accepted> next(
            final JobKey key, final JobLookup.FoundJob seen, final Function<JobLookup.FoundJob, Answer<JobLookup.FoundJob>> where) {
        if (seen.job().groupedTasks() == null) {
            return where.apply(seen).then(there -> check(key, there));
        }
        final JobKey task = new JobKey(new JobId(key.cluster(), seen.job().nextTaskId()), key.submittedAt());
        holds.copyNoteToTask(key, task);
        final Answer<Accepted> started = looks.find(task).then(where).then(alone -> check(task, alone));
        if (started instanceof Answer.Trouble<Accepted> trouble && JobHolds.isRefusal(trouble.kind())) {
            holds.dropTaskNote(task);
        }
        return started;
    }

    private Answer<Accepted> check(final JobKey key, final JobLookup.FoundJob seen) {
        if (JobObservation.beginsLater(seen.job(), clock.instant())) {
            return looks.wrongState(seen, "is not to begin before " + seen.job().notBefore() + ", its owner says");
        }
        if (seen.job().hasUnmetDependency()) {
            return looks.wrongState(
                    seen, "waits for other jobs: " + seen.job().request().dependency());
        }
        return means.get()
                .then(known -> surroundings.hosts(known.version()).then(nodes -> {
                    final List<String> hosts = choose(seen, nodes, known.version());
                    return hosts.isEmpty()
                            ? looks.wrongState(
                                    seen,
                                    "needs " + seen.job().request().resources().cores()
                                            + " slots, and no hosts of queue '"
                                            + seen.targetQueue() + "' have so many free as it wants them")
                            : there(key, seen, hosts);
                }));
    }

    private static List<String> choose(final JobLookup.FoundJob seen, final HostSnapshot nodes, final LsfVersion version) {
        final JobRequest request = seen.job().request();
        final Set<String> asked = request.placement().nodes().stream()
                .map(node -> node.value().replaceAll("[+!].*$", ""))
                .flatMap(name -> nodes.groups().getOrDefault(name, Set.of(name)).stream())
                .collect(Collectors.toSet());
        final Set<String> allowed = seen.queue() == null
                ? nodes.hosts().stream().map(LsfHost::name).collect(Collectors.toSet())
                : nodes.hostNames(seen.queue());
        return HostSelection.of(
                request.resources().cores(),
                request.placement().coresPerNode(),
                asked,
                allowed,
                nodes,
                version.isLsf());
    }

    private Answer<Accepted> there(final JobKey key, final JobLookup.FoundJob seen, final List<String> hosts) {
        return seen.targetQueue().equals(seen.currentQueue())
                ? run(key, seen, hosts)
                : new Relocation(key.id(), PartitionName.of(seen.currentQueue()), PartitionName.of(seen.targetQueue()))
                        .carryOut(
                                () -> orders.run(
                                        "bswitch", seen.targetQueue(), seen.job().commandId()),
                                () -> run(key, seen, hosts),
                                () -> orders.run(
                                        "bswitch", seen.currentQueue(), seen.job().commandId()));
    }

    /** A job under our hold waits again first; should brun refuse then, it waits at the gate, or for its turn. */
    private Answer<Accepted> run(final JobKey key, final JobLookup.FoundJob seen, final List<String> hosts) {
        final Answer<Accepted> free = seen.job().status().equals("PSUSP")
                ? holds.release(key, key.id().local())
                : Answer.ok(new Accepted("it is under no hold"));
        return free.then(done -> orders.run(
                        "brun", "-m", String.join(" ", hosts), key.id().local()))
                .map(done -> {
                    holds.noteRelease(key);
                    return new Accepted(key + " started on " + String.join(" ", hosts));
                });
    }
}
