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

/**
 * Local jobs that carry the tag of an attempt and are not the one on record: a submit that took effect twice, or after it was given up.
 * Submitted held and never released, they have not run; they are cancelled while still held.
 */
final class Strays {

    record Stray(Cluster cluster, Next.Order next) {}

    private final Policy policy;
    private final Jobs jobs;

    Strays(final Policy policy, final Jobs jobs) {
        this.policy = policy;
        this.jobs = jobs;
    }

    List<Stray> of(final Cluster cluster, final Instant now) {
        if (cluster.silence(policy, now).isPresent()) {
            return List.of();
        }
        final List<Stray> found = new ArrayList<>();
        cluster.tagged().forEach((tag, locals) -> {
            final Set<JobKey> onRecord = jobs.localsOf(tag.job());
            if (onRecord == null || isAwaited(tag)) {
                return;
            }
            for (final JobKey local : locals) {
                if (!onRecord.contains(local) && cluster.isHeldByUs(local) && isDue(cluster, local, now)) {
                    found.add(new Stray(cluster, cancel(tag, local)));
                }
            }
        });
        return found;
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
                && submitted.local() == null;
    }

    private boolean isDue(final Cluster cluster, final JobKey local, final Instant now) {
        return switch (cluster.standing(new Action.Cancel(local))) {
            case Standing.NotOrdered n -> true;
            case Standing.UnderWay u -> false;
            case Standing.Answered a ->
                !(a.outcome().result() instanceof Result.Done)
                        && !policy.nextTry(a.outcome().at(), a.tries()).isAfter(now);
        };
    }

    private static Next.Order cancel(final AttemptId tag, final JobKey local) {
        return new Next.Order(
                new Action.Cancel(local), List.of(), local + " carries the tag of " + tag + " but is not the job on record");
    }
}
