package io.millrace.migration.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Submitted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Local jobs that carry the tag of an attempt and are not the one on record: a submit that took effect twice, or after it was given up.
 * Submitted held and never released, they have not run; they are cancelled while still held.
 */
final class Strays {

    private final Policy policy;
    private final Jobs jobs;

    Strays(final Policy policy, final Jobs jobs) {
        this.policy = policy;
        this.jobs = jobs;
    }

    /** The cancels to give now. */
    List<Next.Order> due(final Cluster cluster, final Instant now) {
        if (cluster.silence(policy, now).isPresent()) {
            return List.of();
        }
        final List<Next.Order> cancels = new ArrayList<>();
        forEach(cluster, (tag, local) -> {
            if (isDue(cluster, local, now)) {
                cancels.add(cancel(tag, local));
            }
        });
        return cancels;
    }

    boolean isAny(final Cluster cluster) {
        final List<JobKey> found = new ArrayList<>();
        forEach(cluster, (tag, local) -> found.add(local));
        return !found.isEmpty();
    }

    private void forEach(final Cluster cluster, final BiConsumer<AttemptId, JobKey> stray) {
        cluster.tagged().forEach((tag, locals) -> {
            final Set<JobKey> onRecord = jobs.localsOf(tag.job());
            if (onRecord != null && !isAwaited(tag)) {
                locals.stream()
                        .filter(local -> !onRecord.contains(local) && cluster.isHeldByUs(local))
                        .forEach(local -> stray.accept(tag, local));
            }
        });
    }

    /** The attempt waits for its local job: the first that shows up is taken, not cancelled. */
    private boolean isAwaited(final AttemptId tag) {
        final Optional<GlobalJob> job = jobs.find(tag.job());
        if (job.isEmpty()) {
            return false;
        }
        final Attempt current = job.get().attempt();
        return current != null
                && current.number() == tag.number()
                && job.get().state() instanceof Submitted submitted
                && submitted.localJob() == null;
    }

    private boolean isDue(final Cluster cluster, final JobKey local, final Instant now) {
        return switch (cluster.standing(new Action.Cancel(local))) {
            case Standing.NotOrdered n -> true;
            case Standing.UnderWay u -> false;
            case Standing.Answered a ->
                !(a.outcome().result() instanceof Result.Done)
                        && !policy.nextTry(a.outcome().answeredAt(), a.tries()).isAfter(now);
        };
    }

    private static Next.Order cancel(final AttemptId tag, final JobKey local) {
        return new Next.Order(
                new Action.Cancel(local),
                local.submittedAt(),
                List.of(),
                local + " carries the tag of " + tag + " but is not the job on record");
    }
}
