package io.millrace.backfill;

import io.millrace.decide.Changes;
import io.millrace.decide.FollowedCluster;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanClosed;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Use case: plans the starts of every cluster of a partition. It receives events of the log and returns new commands and plans. Not
 * thread-safe: one deciding loop owns it.
 */
public final class PlanStarts {

    private final PlannerSettings settings;
    private final RunTimeLearner past = new RunTimeLearner();
    private final Map<ClusterId, DirectedCluster> clusters = new TreeMap<>();
    private boolean hasDecided;

    public PlanStarts(final PlannerSettings settings) {
        this.settings = settings;
    }

    /** The views of a cluster. */
    public FollowedCluster followed(final ClusterId cluster) {
        return cluster(cluster).followed();
    }

    /** Sets the entitlement of a job; null if it has none. */
    public void entitled(final JobKey job, final @Nullable Entitlement entitlement) {
        cluster(job.cluster()).view().entitled(job, entitlement);
    }

    /**
     * Sets the class of a job to the first of its classes, and its expected run time. What is removed is kept until the job ends.
     */
    public void classified(final Classified classified) {
        if (!(classified.job() instanceof JobKey job)) {
            return;
        }
        if (!classified.classes().isEmpty()) {
            cluster(job.cluster()).view().classified(job, classified.classes().getFirst());
            past.classified(job, classified.classes().getFirst());
        }
        if (classified.estimate() != null) {
            cluster(job.cluster())
                    .view()
                    .expected(job, settings.policy().estimate().of(classified.estimate()));
        }
    }

    public void ended(final RunEnded end) {
        if (!hasDecided) {
            past.preemptedEarlier(end);
        }
        past.ended(end);
    }

    /** Takes a plan of backfill-service while the log is replayed; ignored after the first decision. Null is a tombstone. */
    public void replayed(final JobKey job, final @Nullable Plan plan) {
        if (!hasDecided) {
            cluster(job.cluster()).replayed(job, plan);
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

    /** When a decision may become due without any event; empty if none will. */
    public Optional<Instant> replanAt() {
        return clusters.values().stream()
                .flatMap(cluster -> cluster.replanAt().stream())
                .min(Comparator.naturalOrder());
    }

    private DirectedCluster cluster(final ClusterId id) {
        return clusters.computeIfAbsent(id, name -> new DirectedCluster(name, settings));
    }
}
