package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at one job before an order is given about it: ids are reused, and LSF says "done" to much. */
final class Looks {

    private final Listing listing;
    private final Surroundings surroundings;
    private final Notes notes;
    private final Gate gate;
    private final Clock clock;

    /** A live job and its state. @param queue null if LSF lists none of that name */
    record Seen(ListedJob job, JobState state, @Nullable Queue queue) {

        /** As if it were in this queue. */
        Seen in(final Queue other) {
            return new Seen(job, state, other);
        }

        /** The queue in which it is to be looked at. */
        String where() {
            return queue == null ? home() : queue.name();
        }

        /** The queue that it is in. */
        String home() {
            return job.heading().queue();
        }
    }

    Looks(
            final Listing listing,
            final Surroundings surroundings,
            final Notes notes,
            final Gate gate,
            final Clock clock) {
        this.listing = listing;
        this.surroundings = surroundings;
        this.notes = notes;
        this.gate = gate;
        this.clock = clock;
    }

    Answer<Seen> at(final JobKey key) {
        return listing.look(key)
                .then(job -> surroundings.queues().then(queues -> {
                    final @Nullable Queue queue = named(job.heading().queue(), queues);
                    return state(job, key, queue)
                            .<Answer<Seen>>map(state -> Answer.ok(new Seen(job, state, queue)))
                            .orElseGet(() -> listing.wrong(job, "has ended"));
                }));
    }

    Optional<JobState> state(final ListedJob job, final JobKey key, final @Nullable Queue queue) {
        return JobStates.of(job, notes.of(key).orElse(null), gateOf(queue), clock.instant());
    }

    private JobStates.QueueState gateOf(final @Nullable Queue queue) {
        if (queue == null || !queue.inactive()) {
            return JobStates.QueueState.ACTIVE;
        }
        return gate.isShut(queue) ? JobStates.QueueState.SHUT : JobStates.QueueState.STOPPED;
    }

    static @Nullable Queue named(final String name, final Collection<Queue> queues) {
        return queues.stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    <T> Answer<T> wrong(final Seen seen, final String because) {
        return listing.wrong(seen.job(), because);
    }
}
