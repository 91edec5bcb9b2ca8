package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.view.AssumedCluster;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The idle cores of each cluster that are not promised yet: the idle cores of its assumed state minus the cores of attempts that are on
 * their way there or wait in its queue. An attempt that needs more than what is left does not reduce it.
 */
final class UnpromisedCores {

    private final Map<ClusterId, List<Placement>> placed;
    private final Map<ClusterId, Integer> left = new HashMap<>();

    /** @param live all jobs that are not in a final state, oldest first */
    UnpromisedCores(final Collection<GlobalJob> live) {
        placed = live.stream()
                .flatMap(job -> placement(job).stream())
                .collect(Collectors.groupingBy(Placement::cluster));
    }

    int of(final TargetCluster cluster) {
        final Integer known = left.get(cluster.id());
        if (known != null) {
            return known;
        }
        final AssumedCluster assumed = cluster.assumed();
        final Map<JobKey, JobObserved> jobs = new HashMap<>();
        assumed.jobs().forEach(job -> jobs.put(job.job(), job));
        int idle = assumed.idleCores();
        for (final Placement placement : placed.getOrDefault(cluster.id(), List.of())) {
            if (placement.cores() <= idle && placement.isStillToStart(jobs)) {
                idle -= placement.cores();
            }
        }
        left.put(cluster.id(), idle);
        return idle;
    }

    /** Promises the cores of a placement. */
    void promise(final TargetCluster cluster, final int cores) {
        final int idle = of(cluster);
        left.put(cluster.id(), cores <= idle ? idle - cores : idle);
    }

    private static Optional<Placement> placement(final GlobalJob job) {
        final Attempt attempt = job.attempt();
        if (attempt == null || attempt.endedAt() != null || job.hold() != null) {
            return Optional.empty();
        }
        return Optional.of(new Placement(
                attempt.cluster(), job.submission().spec().resources().cores(), attempt.localJob()));
    }

    private record Placement(
            ClusterId cluster, int cores, @Nullable JobKey local) {

        boolean isStillToStart(final Map<JobKey, JobObserved> jobs) {
            final JobObserved observed = local == null ? null : jobs.get(local);
            return observed == null || observed.state().isWaiting();
        }
    }
}
