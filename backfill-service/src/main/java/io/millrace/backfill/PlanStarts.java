package io.millrace.backfill;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.view.Changes;
import io.millrace.model.view.FollowedCluster;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Use case: plans the starts of every cluster of a partition. Told what stands on the log, it says what is new. Not thread-safe: one
 * deciding loop owns it.
 */
public final class PlanStarts {

    private final PlannerSettings rules;
    private final RunTimeLearner past = new RunTimeLearner();
    private final Map<ClusterId, DirectedCluster> clusters = new TreeMap<>();
    private boolean hasDecided;

    public PlanStarts(final PlannerSettings rules) {
        this.rules = rules;
    }

    /** The cluster as it is followed on the log. */
    public FollowedCluster followed(final ClusterId cluster) {
        return cluster(cluster).followed();
    }

    /** Takes the right of a job; null if it has none any more. */
    public void entitled(final JobKey job, final @Nullable Entitlement entitlement) {
        cluster(job.cluster()).entitled(job, entitlement);
    }

    /** Takes the classes of a job; the first one counts. A class that is taken off is kept for the job's end. */
    public void classified(final Classified classified) {
        if (classified.job() instanceof JobKey job && !classified.classes().isEmpty()) {
            cluster(job.cluster()).classified(job, classified.classes().getFirst());
            past.classified(job, classified.classes().getFirst());
        }
    }

    public void ended(final RunEnded end) {
        if (!hasDecided) {
            past.cutBefore(end);
        }
        past.ended(end);
    }

    /** Takes a plan of ours while the log is replayed; later we know better than our echo. Null is a tombstone. */
    public void replayed(final ClusterId cluster, final String key, final @Nullable Plan plan) {
        if (!hasDecided) {
            cluster(cluster).replayed(key, plan);
        }
    }

    public void replayed(final PlanClosed closed) {
        if (!hasDecided) {
            cluster(closed.cluster()).replayed(closed);
        }
    }

    public Changes decide(final Instant now) {
        hasDecided = true;
        final Changes changes = new Changes();
        clusters.values().forEach(cluster -> cluster.decide(past.runTimes(), now, changes));
        return changes;
    }

    /** Makes the next decision from scratch; it should be the same. For tests and measurements. */
    void forgetBooks() {
        clusters.values().forEach(DirectedCluster::forgetBooks);
    }

    public Optional<Instant> lookAgain() {
        return clusters.values().stream()
                .flatMap(cluster -> cluster.lookAgain().stream())
                .min(Comparator.naturalOrder());
    }

    private DirectedCluster cluster(final ClusterId id) {
        return clusters.computeIfAbsent(id, name -> new DirectedCluster(name, rules));
    }
}
