package io.millrace.agent.lsf;

import io.millrace.agent.lsf.command.InstalledFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.command.LsfVersion;
import io.millrace.agent.lsf.history.JobHistories;
import io.millrace.agent.lsf.history.RunHistory;
import io.millrace.agent.lsf.observe.ClusterTopology;
import io.millrace.agent.lsf.observe.HostSnapshot;
import io.millrace.agent.lsf.observe.JobListing;
import io.millrace.agent.lsf.observe.JobLookup;
import io.millrace.agent.lsf.observe.JobNote;
import io.millrace.agent.lsf.observe.JobNotes;
import io.millrace.agent.lsf.observe.JobObservation;
import io.millrace.agent.lsf.observe.QueueGate;
import io.millrace.agent.lsf.observe.RestartCounts;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.Tier;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes a snapshot of the cluster with one query each for queues, jobs and hosts. */
final class SnapshotReader implements Observing {

    /** From this number of jobs on, one history query for all jobs is faster. */
    private static final int MANY = 200;

    private final LsfSite site;
    private final JobListing listing;
    private final ClusterTopology topology;
    private final JobLookup lookup;
    private final JobNotes notes;
    private final QueueGate gate;
    private final JobHistories histories;
    private final Clock clock;
    private final InstalledFeatures features;
    private final RestartCounts restarts;

    SnapshotReader(
            final LsfSite site,
            final JobListing listing,
            final ClusterTopology topology,
            final JobLookup lookup,
            final JobNotes notes,
            final QueueGate gate,
            final JobHistories histories,
            final Clock clock,
            final InstalledFeatures features) {
        this.site = site;
        this.listing = listing;
        this.topology = topology;
        this.lookup = lookup;
        this.notes = notes;
        this.gate = gate;
        this.histories = histories;
        this.clock = clock;
        this.features = features;
        this.restarts = new RestartCounts(site.cluster());
    }

    @Override
    public String version() {
        features.forget(); // detected again when LSF is back: it may have been upgraded
        return features.get().get().version().toString();
    }

    @Override
    public boolean reservesMemoryPerSlot() {
        return features.get().get().memoryPerSlot();
    }

    @Override
    public Answer<Observation> observe() {
        return features.get().then(known -> observe(known.version()));
    }

    private Answer<Observation> observe(final LsfVersion version) {
        final Instant at = clock.instant();
        return topology.queues()
                .then(queues -> listing.grouped()
                        .then(listed -> topology.hosts(version)
                                .map(nodes -> new Observation(
                                        at,
                                        gate.control(queues),
                                        jobs(listed.jobs(), queues, at),
                                        nodes.nodes(queues, listed.jobs()),
                                        partitions(queues, nodes),
                                        listed.unreadable()))));
    }

    private List<PartitionObserved> partitions(final List<LsfQueue> queues, final HostSnapshot nodes) {
        // LSF uses the first default queue that suits a job.
        final @Nullable String first = queues.stream()
                .filter(LsfQueue::isDefault)
                .map(LsfQueue::name)
                .findFirst()
                .orElse(null);
        final boolean directed = gate.control(queues) == Control.DIRECTED;
        return queues.stream()
                .map(queue ->
                        nodes.partition(queue, queue.name().equals(first), directed && gate.isClosedByAgent(queue)))
                .toList();
    }

    private List<JobObserved> jobs(final List<ListedJob> jobs, final List<LsfQueue> queues, final Instant at) {
        final Map<JobKey, JobState> states = new HashMap<>();
        final List<ListedJob> inQueue = new ArrayList<>();
        for (final ListedJob job : jobs) {
            final JobKey key = job.key(site.cluster());
            lookup.state(job, key, JobLookup.queueNamed(job.heading().queue(), queues))
                    .ifPresent(state -> {
                        states.put(key, state);
                        inQueue.add(job);
                    });
        }
        restarts.update(inQueue, jobs, at, this::history);
        inQueue.forEach(this::note);
        listing.published(jobs);
        notes.keepOnly(jobs.stream().map(job -> job.key(site.cluster())).toList(), at);
        return inQueue.stream().map(job -> observed(job, states, queues, at)).toList();
    }

    private JobObserved observed(
            final ListedJob job, final Map<JobKey, JobState> states, final List<LsfQueue> queues, final Instant at) {
        final JobKey key = job.key(site.cluster());
        final @Nullable LsfQueue queue = JobLookup.queueNamed(job.heading().queue(), queues);
        final JobState state = Objects.requireNonNull(states.get(key));
        final JobObserved observed = JobObservation.of(
                site.cluster(),
                job,
                state,
                restarts.of(key),
                queue == null ? null : queue.defaultRunLimit() == null ? queue.runLimit() : queue.defaultRunLimit(),
                at);
        return observed.with(observed.detail().inTier(tier(job.heading().queue(), state)));
    }

    /** LSF preempts only jobs of the borrowed queue. A waiting job of another queue has not got its tier yet. */
    private @Nullable Tier tier(final String queue, final JobState state) {
        if (site.guaranteedQueue() == null || site.borrowedQueue() == null) {
            return null;
        }
        if (queue.equals(site.borrowedQueue())) {
            return Tier.BORROWED;
        }
        return queue.equals(site.guaranteedQueue()) || !state.isWaiting() ? Tier.GUARANTEED : null;
    }

    /**
     * Notes released holds. A job that is pending or running without a hold was released by the agent or its owner, so a later hold is not
     * Millrace's. The same applies to a job with an entry hold that is seen without it.
     */
    private void note(final ListedJob job) {
        if (job.status().equals("PSUSP") || job.hasEnded()) {
            return;
        }
        final JobKey key = job.key(site.cluster());
        final @Nullable JobNote note = notes.of(key).orElse(null);
        final Instant now = clock.instant();
        final boolean released = note == null
                ? job.attempt() != null
                : isHold(note) && note.at().plusSeconds(30).isBefore(now) && !isStillEnding(job, note);
        if (released) {
            notes.write(key, new JobNote(JobNote.Kind.RELEASED, now));
        }
    }

    private static boolean isHold(final JobNote note) {
        return switch (note.kind()) {
            case ENTRY, SUBMISSION, OPERATOR, USER -> true;
            case RELEASED, REQUEUED, CHECKPOINTING -> false;
        };
    }

    /** A job that ends slowly after brequeue is still running. */
    private static boolean isStillEnding(final ListedJob job, final JobNote note) {
        return job.started() != null && !job.started().isAfter(note.at()) && !job.isWaiting();
    }

    /** Restarts by job from the history; if LSF does not respond, restarts are counted from the snapshots. */
    private Map<JobKey, Integer> history(final List<ListedJob> jobs) {
        final List<JobKey> keys =
                jobs.stream().map(job -> job.key(site.cluster())).toList();
        final Answer<Map<JobKey, RunHistory>> pasts =
                keys.size() > MANY ? histories.unfinished() : histories.histories(keys, false);
        final Map<JobKey, Integer> restartsByJob = new HashMap<>();
        if (pasts instanceof Answer.Ok<Map<JobKey, RunHistory>> ok) {
            ok.value().forEach((key, past) -> restartsByJob.put(key, past.restarts()));
        }
        return restartsByJob;
    }

    /** Jobs with an entry hold. */
    Answer<List<ListedJob>> heldAtTheGate() {
        return listing.grouped()
                .map(listed -> listed.jobs().stream()
                        .filter(job -> job.status().equals("PSUSP"))
                        .filter(job -> notes.of(job.key(site.cluster()))
                                .filter(note -> note.kind() == JobNote.Kind.ENTRY)
                                .isPresent())
                        .toList());
    }
}
