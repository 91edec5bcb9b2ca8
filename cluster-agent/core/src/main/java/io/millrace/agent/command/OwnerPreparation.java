package io.millrace.agent.command;

import io.millrace.agent.AgentLog.Incoming.CommandReceived;
import io.millrace.agent.action.PreparedOwners;
import io.millrace.model.CommandId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what submissions need of their owners before they are begun: the directory and the login umask. A profile that sleeps, or a file
 * system that does not answer, delays only the submissions of its owner, because each owner has one place and a thread of its own.
 *
 * <p>A submission that is ready is validated and begun as any other command. After a crash it is read again, because it was not begun.
 */
final class OwnerPreparation {

    private static final Logger LOG = LoggerFactory.getLogger(OwnerPreparation.class);

    /** A burst is begun in groups of this size at most. */
    private static final int TOGETHER = 20;

    /** After a program that took long, the owner's submissions are executed one at a time, beside the agent's thread. */
    private static final Duration SLOW = Duration.ofMinutes(1);

    private final PreparedOwners owners;
    private final Runnable wake;
    private final Clock clock;
    private final Map<UserName, Place> places = new HashMap<>();
    private final Set<CommandId> preparing = ConcurrentHashMap.newKeySet();
    private final List<CommandReceived> ready = new ArrayList<>();

    /** The submissions of one owner. */
    private static final class Place {
        private final Deque<CommandReceived> waiting = new ArrayDeque<>();
        private boolean atWork;
        private int executing;
        private Instant slowUntil = Instant.MIN;
    }

    /** @param wake called when submissions are ready */
    OwnerPreparation(final PreparedOwners owners, final Runnable wake, final Clock clock) {
        this.owners = owners;
        this.wake = wake;
        this.clock = clock;
    }

    /** Whether the command waits here. */
    boolean isPreparing(final CommandId command) {
        return preparing.contains(command);
    }

    synchronized void start(final CommandReceived received) {
        preparing.add(received.command().id());
        final UserName owner = submit(received).owner();
        places.computeIfAbsent(owner, name -> new Place()).waiting.add(received);
        goOn(owner);
    }

    synchronized boolean hasReady() {
        return ready.stream().anyMatch(received -> isFree(submit(received).owner()));
    }

    /** The submissions that are ready, one of each slow owner; each is returned once. */
    synchronized List<CommandReceived> ready() {
        final Set<UserName> slow = new HashSet<>();
        final List<CommandReceived> now = ready.stream()
                .filter(received -> {
                    final UserName owner = submit(received).owner();
                    return isFree(owner) && (!isSlow(owner) || slow.add(owner));
                })
                .toList();
        ready.removeAll(now);
        now.forEach(received -> preparing.remove(received.command().id()));
        return now;
    }

    /** A slow owner's next submission waits until the one before it has ended. */
    private boolean isFree(final UserName owner) {
        final Place place = places.get(owner);
        return place == null || place.executing == 0 || !isSlow(owner);
    }

    /** Whether a program with this owner's rights took long recently. */
    synchronized boolean isSlow(final UserName owner) {
        final Place place = places.get(owner);
        return place != null && place.slowUntil.isAfter(clock.instant());
    }

    /** A submission of this owner is being executed. */
    synchronized void occupy(final UserName owner) {
        places.computeIfAbsent(owner, name -> new Place()).executing++;
    }

    /** A program with this owner's rights did not end in time. */
    synchronized void tookLong(final UserName owner) {
        places.computeIfAbsent(owner, name -> new Place()).slowUntil =
                clock.instant().plus(SLOW);
    }

    /** The execution has ended. */
    synchronized void free(final UserName owner) {
        places.computeIfAbsent(owner, name -> new Place()).executing--;
        places.values()
                .removeIf(old -> old.waiting.isEmpty()
                        && !old.atWork
                        && old.executing == 0
                        && !old.slowUntil.isAfter(clock.instant()));
        if (!ready.isEmpty()) {
            wake.run();
        }
    }

    private void goOn(final UserName owner) {
        final Place place = places.get(owner);
        if (place == null || place.atWork || place.waiting.isEmpty()) {
            return;
        }
        final List<CommandReceived> group = new ArrayList<>();
        while (group.size() < TOGETHER && !place.waiting.isEmpty()) {
            group.add(place.waiting.remove());
        }
        place.atWork = true;
        Thread.ofPlatform().daemon().name("owner " + owner).start(() -> prepare(owner, group));
    }

    private void prepare(final UserName owner, final List<CommandReceived> group) {
        try {
            owners.checkDirectories(group.stream().map(OwnerPreparation::submit).toList());
        } catch (final RuntimeException e) {
            LOG.error("the directories of {} submissions could not be checked together", group.size(), e);
        }
        for (final CommandReceived received : group) {
            owners.prepare(received.command().id(), submit(received));
            synchronized (this) {
                ready.add(received);
            }
            wake.run();
        }
        synchronized (this) {
            final Place place = places.get(owner);
            if (place != null) {
                place.atWork = false;
            }
            goOn(owner);
        }
    }

    private static Action.Submit submit(final CommandReceived received) {
        final Command command = received.command();
        return (Action.Submit) command.action();
    }
}
