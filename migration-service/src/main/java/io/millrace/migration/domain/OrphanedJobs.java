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
 * Local jobs that carry the tag of an attempt but are not the recorded local job of it: a submit took effect twice, or after the attempt
 * failed. They were submitted held and never released, so they have not run; they are cancelled while still held.
 */
public final class OrphanedJobs {

    private final MigrationPolicy policy;
    private final GlobalJobs jobs;

    public OrphanedJobs(final MigrationPolicy policy, final GlobalJobs jobs) {
        this.policy = policy;
        this.jobs = jobs;
    }

    /** The cancel commands to issue now. */
    public List<NextStep.Issue> due(final TargetCluster cluster, final Instant now) {
        if (cluster.unavailability(policy, now).isPresent()) {
            return List.of();
        }
        final List<NextStep.Issue> cancels = new ArrayList<>();
        forEach(cluster, (tag, local) -> {
            if (isDue(cluster, local, now)) {
                cancels.add(cancel(tag, local));
            }
        });
        return cancels;
    }

    public boolean existOn(final TargetCluster cluster) {
        final List<JobKey> found = new ArrayList<>();
        forEach(cluster, (tag, local) -> found.add(local));
        return !found.isEmpty();
    }

    private void forEach(final TargetCluster cluster, final BiConsumer<AttemptId, JobKey> stray) {
        cluster.tagged().forEach((tag, locals) -> {
            final Set<JobKey> onRecord = jobs.localsOf(tag.job());
            if (onRecord != null && !isAwaited(tag)) {
                locals.stream()
                        .filter(local -> !onRecord.contains(local) && cluster.hasSubmissionHold(local))
                        .forEach(local -> stray.accept(tag, local));
            }
        });
    }

    /** Whether the attempt waits for its local job: then the first one to appear is adopted, not cancelled. */
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

    private boolean isDue(final TargetCluster cluster, final JobKey local, final Instant now) {
        return switch (cluster.status(new Action.Cancel(local))) {
            case CommandStatus.NotIssued n -> true;
            case CommandStatus.Pending u -> false;
            case CommandStatus.Answered a ->
                !(a.outcome().result() instanceof Result.Done)
                        && !policy.nextTry(a.outcome().answeredAt(), a.tries()).isAfter(now);
        };
    }

    private static NextStep.Issue cancel(final AttemptId tag, final JobKey local) {
        return new NextStep.Issue(
                new Action.Cancel(local),
                local.submittedAt(),
                List.of(),
                local + " carries the tag of " + tag + " but is not its recorded local job");
    }
}
