package io.millrace.agent.lsf.observe;

import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks up a job before a command is sent for it: LSF reuses ids, and reports success for commands that have no effect. */
public final class JobLookup {

    private final JobListing listing;
    private final ClusterTopology topology;
    private final JobNotes notes;
    private final QueueGate gate;
    private final Clock clock;

    /** A live job and its state. @param queue null if LSF lists no queue with that name */
    public record FoundJob(
            ListedJob job, JobState state, @Nullable LsfQueue queue) {

        /** The same job, to be started in another queue. */
        public FoundJob inQueue(final LsfQueue other) {
            return new FoundJob(job, state, other);
        }

        /** The queue to start the job in. */
        public String targetQueue() {
            return queue == null ? currentQueue() : queue.name();
        }

        /** The queue that the job is in. */
        public String currentQueue() {
            return job.heading().queue();
        }
    }

    public JobLookup(
            final JobListing listing,
            final ClusterTopology topology,
            final JobNotes notes,
            final QueueGate gate,
            final Clock clock) {
        this.listing = listing;
        this.topology = topology;
        this.notes = notes;
        this.gate = gate;
        this.clock = clock;
    }

    public Answer<FoundJob> find(final JobKey key) {
        return listing.find(key)
                .then(job -> topology.queues().then(queues -> {
                    final @Nullable LsfQueue queue = queueNamed(job.heading().queue(), queues);
                    return state(job, key, queue)
                            .<Answer<FoundJob>>map(state -> Answer.ok(new FoundJob(job, state, queue)))
                            .orElseGet(() -> listing.wrongState(job, "has ended"));
                }));
    }

    /** A task of a group that was found before, if it waits as the group did. */
    public Answer<FoundJob> stillWaits(final JobKey task, final FoundJob group) {
        return listing.find(task)
                .then(job -> job.isWaiting()
                                && job.status().equals(group.job().status())
                                && job.heading().queue().equals(group.currentQueue())
                        ? Answer.ok(new FoundJob(job, group.state(), group.queue()))
                        : listing.wrongState(job, "does not wait as its array did"));
    }

    public Optional<JobState> state(final ListedJob job, final JobKey key, final @Nullable LsfQueue queue) {
        return JobStates.of(job, notes.of(key).orElse(null), queueState(queue), clock.instant());
    }

    private JobStates.QueueState queueState(final @Nullable LsfQueue queue) {
        if (queue == null || !queue.inactive()) {
            return JobStates.QueueState.ACTIVE;
        }
        return gate.isClosedByAgent(queue) ? JobStates.QueueState.CLOSED : JobStates.QueueState.STOPPED;
    }

    static @Nullable public LsfQueue queueNamed(final String name, final Collection<LsfQueue> queues) {
        return queues.stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    public <T> Answer<T> doesNotFit(final FoundJob found, final String reason) {
        return listing.trouble(Answer.Kind.DOES_NOT_FIT, found.job(), reason);
    }

    public <T> Answer<T> wrongState(final FoundJob found, final String reason) {
        return listing.wrongState(found.job(), reason);
    }
}
