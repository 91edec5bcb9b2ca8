package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The whole picture: one question about queues, one about jobs, one about hosts. */
final class ClusterObserver {

    /** From so many jobs on that must be asked about, it is shorter to ask about all. */
    private static final int MANY = 200;

    private final LsfSite site;
    private final JobListing listing;
    private final ClusterTopology surroundings;
    private final JobLookup looks;
    private final JobNotes notes;
    private final QueueGate gate;
    private final JobHistories histories;
    private final Clock clock;
    private final RestartCounts restarts;

    ClusterObserver(
            final LsfSite site,
            final JobListing listing,
            final ClusterTopology surroundings,
            final JobLookup looks,
            final JobNotes notes,
            final QueueGate gate,
            final JobHistories histories,
            final Clock clock) {
        this.site = site;
        this.listing = listing;
        this.surroundings = surroundings;
        this.looks = looks;
        this.notes = notes;
        this.gate = gate;
        this.histories = histories;
        this.clock = clock;
        this.restarts = new RestartCounts(site.cluster());
    }

    Answer<Observation> observe(final LsfVersion version) {
        final Instant at = clock.instant();
        return surroundings
                .queues()
                .then(queues -> listing.grouped()
                        .then(jobs -> surroundings
                                .hosts(version)
                                .map(nodes -> new Observation(
                                        at,
                                        gate.control(queues),
                                        jobs(jobs, queues, at),
                                        nodes.nodes(queues, jobs),
                                        partitions(queues, nodes)))));
    }

    private List<PartitionObserved> partitions(final List<LsfQueue> queues, final HostSnapshot nodes) {
        // Where LSF has several default queues it takes the first that suits a job.
        final @Nullable String first = queues.stream()
                .filter(LsfQueue::isDefault)
                .map(LsfQueue::name)
                .findFirst()
                .orElse(null);
        final boolean directed = gate.control(queues) == Control.DIRECTED;
        return queues.stream()
                .map(queue -> nodes.partition(queue, queue.name().equals(first), directed && gate.isClosedByAgent(queue)))
                .toList();
    }

    private List<JobObserved> jobs(final List<ListedJob> jobs, final List<LsfQueue> queues, final Instant at) {
        final Map<JobKey, JobState> live = new HashMap<>();
        final List<ListedJob> there = new ArrayList<>();
        for (final ListedJob job : jobs) {
            final JobKey key = job.key(site.cluster());
            looks.state(job, key, JobLookup.queueNamed(job.heading().queue(), queues)).ifPresent(state -> {
                live.put(key, state);
                there.add(job);
            });
        }
        restarts.update(there, jobs, at, this::history);
        there.forEach(this::note);
        listing.published(jobs);
        notes.keepOnly(jobs.stream().map(job -> job.key(site.cluster())).toList(), at);
        return there.stream().map(job -> picture(job, live, queues, at)).toList();
    }

    private JobObserved picture(
            final ListedJob job, final Map<JobKey, JobState> live, final List<LsfQueue> queues, final Instant at) {
        final JobKey key = job.key(site.cluster());
        final @Nullable LsfQueue queue = JobLookup.queueNamed(job.heading().queue(), queues);
        return JobObservation.of(
                site.cluster(),
                job,
                Objects.requireNonNull(live.get(key)),
                restarts.of(key),
                queue == null ? null : queue.defaultRunLimit() == null ? queue.runLimit() : queue.defaultRunLimit(),
                at);
    }

    /**
     * A job of ours that waits or runs without a hold has been let go, by us or by its owner: if it is held again, that is somebody
     * else's. The same holds for one that we held at the gate and that is seen without the hold.
     */
    private void note(final ListedJob job) {
        if (job.status().equals("PSUSP") || job.hasEnded()) {
            return;
        }
        final JobKey key = job.key(site.cluster());
        final @Nullable JobNote note = notes.of(key).orElse(null);
        final Instant now = clock.instant();
        final boolean letGo = note == null
                ? job.attempt() != null
                : isHold(note) && note.at().plusSeconds(30).isBefore(now) && !isStillPutBack(job, note);
        if (letGo) {
            notes.write(key, new JobNote(JobNote.Kind.RELEASED, now));
        }
    }

    private static boolean isHold(final JobNote note) {
        return switch (note.kind()) {
            case ENTRY, OPERATOR, USER -> true;
            case RELEASED, REQUEUED, CHECKPOINTING -> false;
        };
    }

    /** A job that takes long to end after brequeue still runs. */
    private static boolean isStillPutBack(final ListedJob job, final JobNote note) {
        return job.started() != null && !job.started().isAfter(note.at()) && !job.isWaiting();
    }

    /** Without an answer restarts are counted from what was seen. */
    private Map<JobKey, Integer> history(final List<ListedJob> jobs) {
        final List<JobKey> keys =
                jobs.stream().map(job -> job.key(site.cluster())).toList();
        final Answer<Map<JobKey, RunHistory>> pasts =
                keys.size() > MANY ? histories.unfinished() : histories.histories(keys, false);
        final Map<JobKey, Integer> told = new HashMap<>();
        if (pasts instanceof Answer.Ok<Map<JobKey, RunHistory>> ok) {
            ok.value().forEach((key, past) -> told.put(key, past.restarts()));
        }
        return told;
    }

    /** Jobs under a hold of ours at the gate. */
    Answer<List<ListedJob>> heldAtTheGate() {
        return listing.grouped()
                .map(jobs -> jobs.stream()
                        .filter(job -> job.status().equals("PSUSP"))
                        .filter(job -> notes.of(job.key(site.cluster()))
                                .filter(note -> note.kind() == JobNote.Kind.ENTRY)
                                .isPresent())
                        .toList());
    }
}
