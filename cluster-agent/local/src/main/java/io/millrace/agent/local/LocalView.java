package io.millrace.agent.local;

import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Derives observations and idle cores from the jobs of a local cluster. Has no state. */
final class LocalView {

    static final PartitionName PARTITION = PartitionName.of("main");

    private final LocalSettings settings;

    LocalView(final LocalSettings settings) {
        this.settings = settings;
    }

    Observation observation(final Instant at, final Control control, final Collection<LocalJob> jobs) {
        final Map<String, Integer> free = free(jobs);
        final List<NodeObserved> nodes = free.entrySet().stream()
                .map(node -> new NodeObserved(
                        settings.cluster(),
                        NodeName.of(node.getKey()),
                        NodeObserved.Availability.UP,
                        new Resources(settings.coresPerNode(), 1, 0, 0),
                        new Resources(node.getValue(), node.getValue() == settings.coresPerNode() ? 1 : 0, 0, 0),
                        null,
                        List.of(),
                        List.of(PARTITION)))
                .toList();
        return new Observation(
                at,
                control,
                jobs.stream().map(this::observed).toList(),
                nodes,
                List.of(new PartitionObserved(
                        settings.cluster(),
                        PARTITION,
                        true,
                        true,
                        settings.cores(),
                        null,
                        PartitionLimits.NONE,
                        Access.EVERYBODY)));
    }

    private JobObserved observed(final LocalJob job) {
        return new JobObserved(
                job.key(),
                job.spec().name(),
                job.owner(),
                job.spec().project(),
                PARTITION,
                state(job),
                null,
                job.spec().resources(),
                job.spec().walltime(),
                eligibility(job),
                job.attempt(),
                job.restarts(),
                0,
                job.spec().checkpoint(),
                JobDetail.NONE);
    }

    /** The accounting record of an ended job. */
    EndedJob ended(final LocalJob job) {
        return new EndedJob(
                job.key(),
                job.spec().name(),
                job.attempt(),
                job.owner(),
                job.spec().project(),
                PARTITION,
                job.spec().resources(),
                job.spec().walltime(),
                job.runs());
    }

    private static Eligibility eligibility(final LocalJob job) {
        return job.state() instanceof LocalJob.Waiting waiting
                ? waiting.hold() == null || waiting.hold() == HoldKind.ENTRY
                        ? Eligibility.since(waiting.since())
                        : Eligibility.not(Eligibility.Obstacle.HOLD)
                : Eligibility.since(job.key().submittedAt());
    }

    JobState state(final LocalJob job) {
        return switch (job.state()) {
            case LocalJob.Waiting waiting ->
                waiting.hold() == null ? new JobState.Queued() : new JobState.Held(waiting.hold());
            case LocalJob.Active active -> {
                final List<NodeName> nodes = active.cores().keySet().stream()
                        .sorted()
                        .map(NodeName::of)
                        .toList();
                if (active.endReason() != null) {
                    yield new JobState.Completing();
                }
                yield active.suspended()
                        ? new JobState.Suspended(active.started(), nodes)
                        : new JobState.Running(active.started(), nodes);
            }
            case LocalJob.Ended ended -> throw new IllegalStateException("job " + job.key() + " has ended");
        };
    }

    /** Idle cores by node. */
    Map<String, Integer> free(final Collection<LocalJob> jobs) {
        final Map<String, Integer> free = new LinkedHashMap<>();
        for (int node = 1; node <= settings.nodes(); node++) {
            free.put("n" + node, settings.coresPerNode());
        }
        for (final LocalJob job : jobs) {
            if (job.state() instanceof LocalJob.Active active && !active.suspended()) {
                active.cores().forEach((node, cores) -> free.merge(node, -cores, Integer::sum));
            }
        }
        // A suspended job that is terminated resumes for a moment on cores that another job may use.
        free.replaceAll((node, cores) -> Math.max(0, cores));
        return free;
    }

    int idle(final Collection<LocalJob> jobs) {
        return free(jobs).values().stream()
                .mapToInt(cores -> Math.max(0, cores))
                .sum();
    }

    /** Whether these cores are idle. */
    boolean fits(final Map<String, Integer> cores, final Collection<LocalJob> jobs) {
        final Map<String, Integer> free = free(jobs);
        return cores.entrySet().stream().allMatch(wanted -> free.getOrDefault(wanted.getKey(), 0) >= wanted.getValue());
    }
}
