package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Starts jobs by {@code brun}. It looks at nothing: not at the gate, not at what is free, not at dependencies or begin times. So all of
 * that is looked at here, and the hosts are named.
 */
final class Starts {

    private final Orders orders;
    private final Looks looks;
    private final Holds holds;
    private final Surroundings surroundings;
    private final Supplier<Answer<Means>> means;
    private final Clock clock;

    Starts(
            final Orders orders,
            final Looks looks,
            final Holds holds,
            final Surroundings surroundings,
            final Supplier<Answer<Means>> means,
            final Clock clock) {
        this.orders = orders;
        this.looks = looks;
        this.holds = holds;
        this.surroundings = surroundings;
        this.means = means;
        this.clock = clock;
    }

    Answer<Accepted> start(final JobKey key) {
        return looks.at(key).then(seen -> switch (seen.state()) {
            case JobState.Held held
            when held.by() != HoldKind.ENTRY -> looks.wrong(seen, "is held by " + held.by() + ", not at the gate");
            case JobState.Held held -> next(key, seen);
            case JobState.Queued queued -> next(key, seen);
            case JobState.Running r -> looks.wrong(seen, "runs already");
            case JobState.Suspended s -> looks.wrong(seen, "is suspended; resume it");
            case JobState.Completing c -> looks.wrong(seen, "is just leaving its hosts");
            case JobState.Unsettled u -> looks.wrong(seen, "has ended");
            case JobState.Unknown u -> looks.wrong(seen, "is in a state unknown here: " + u.code());
        });
    }

    /** Of tasks that wait together the first one: from now on it is a job of its own. */
    private Answer<Accepted> next(final JobKey key, final Looks.Seen seen) {
        if (seen.job().together() == null) {
            return check(key, seen);
        }
        final JobKey task = new JobKey(new JobId(key.cluster(), seen.job().next()), key.submitted());
        holds.setApart(key, task);
        final Answer<Accepted> started = looks.at(task).then(alone -> check(task, alone));
        if (started instanceof Answer.Trouble<Accepted> trouble && Holds.isRefusal(trouble.kind())) {
            holds.setBack(task);
        }
        return started;
    }

    private Answer<Accepted> check(final JobKey key, final Looks.Seen seen) {
        if (JobPicture.beginsLater(seen.job(), clock.instant())) {
            return looks.wrong(seen, "is not to begin before " + seen.job().notBefore() + ", its owner says");
        }
        if (seen.job().waitsForOthers()) {
            return looks.wrong(
                    seen, "waits for other jobs: " + seen.job().request().dependency());
        }
        return means.get()
                .then(known -> surroundings.hosts(known.version()).then(nodes -> {
                    final List<String> hosts = choose(seen, nodes, known.version());
                    return hosts.isEmpty()
                            ? looks.wrong(
                                    seen,
                                    "needs " + seen.job().request().resources().cores()
                                            + " slots, and no hosts of queue '"
                                            + seen.job().heading().queue() + "' have so many free as it wants them")
                            : run(key, seen, hosts);
                }));
    }

    private static List<String> choose(final Looks.Seen seen, final NodePicture nodes, final Version version) {
        final Request request = seen.job().request();
        final Set<String> asked = request.placement().nodes().stream()
                .map(node -> node.value().replaceAll("[+!].*$", ""))
                .flatMap(name -> nodes.groups().getOrDefault(name, Set.of(name)).stream())
                .collect(Collectors.toSet());
        final Set<String> allowed = seen.queue() == null
                ? nodes.hosts().stream().map(Host::name).collect(Collectors.toSet())
                : nodes.names(seen.queue());
        return HostChoice.of(
                request.resources().cores(),
                request.placement().coresPerNode(),
                asked,
                allowed,
                nodes,
                version.isLsf());
    }

    /** A job under our hold waits again first; should brun refuse then, it waits at the gate, or for its turn. */
    private Answer<Accepted> run(final JobKey key, final Looks.Seen seen, final List<String> hosts) {
        final Answer<Accepted> free = seen.job().status().equals("PSUSP")
                ? holds.lift(key, key.id().local())
                : Answer.ok(new Accepted("it is under no hold"));
        return free.then(done -> orders.give(
                        "brun", "-m", String.join(" ", hosts), key.id().local()))
                .map(done -> {
                    holds.released(key);
                    return new Accepted(key + " started on " + String.join(" ", hosts));
                });
    }
}
