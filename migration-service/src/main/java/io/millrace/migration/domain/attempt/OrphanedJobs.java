package io.millrace.migration.domain.attempt;

import io.millrace.decide.CommandStatus;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.cluster.CommandRequest;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.GlobalJobs;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
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
 *
 * <p>Also the jobs of attempts that were replaced because their cluster was fenced: they are cancelled in every state (ADR 28).
 */
public final class OrphanedJobs {

    private final MigrationPolicy policy;
    private final GlobalJobs jobs;

    public OrphanedJobs(final MigrationPolicy policy, final GlobalJobs jobs) {
        this.policy = policy;
        this.jobs = jobs;
    }

    /** The cancel commands to issue now. */
    public List<CommandRequest> due(final TargetCluster cluster, final Instant now) {
        if (cluster.unavailability(policy, now).isPresent()) {
            return List.of();
        }
        final List<CommandRequest> cancels = new ArrayList<>();
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
        cluster.heldTagged().forEach((local, tag) -> {
            final Set<JobKey> onRecord = jobs.localsOf(tag.job());
            if (onRecord != null && !onRecord.contains(local) && !isAwaited(tag)) {
                stray.accept(tag, local);
            }
        });
        if (cluster.isReplaced()) {
            cluster.tagged().forEach((tag, locals) -> {
                if (jobs.isReplaced(tag)) {
                    locals.stream().filter(local -> isLeft(cluster, local)).forEach(local -> stray.accept(tag, local));
                }
            });
        }
    }

    private static boolean isLeft(final TargetCluster cluster, final JobKey local) {
        final JobObserved observed = cluster.job(local);
        return observed != null && !(observed.state() instanceof JobState.Unsettled);
    }

    /** Whether no job of a replaced attempt is on the cluster. */
    public boolean isClear(final TargetCluster cluster) {
        return cluster.tagged().entrySet().stream()
                .filter(entry -> jobs.isReplaced(entry.getKey()))
                .noneMatch(entry -> entry.getValue().stream().anyMatch(local -> isLeft(cluster, local)));
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
            case CommandStatus.Unknown n -> true;
            case CommandStatus.Pending u -> false;
            case CommandStatus.Answered a ->
                !policy.nextTry(a.outcome().answeredAt(), a.tries()).isAfter(now);
        };
    }

    private static CommandRequest cancel(final AttemptId tag, final JobKey local) {
        return new CommandRequest(
                new Action.Cancel(local),
                local.submittedAt(),
                List.of(),
                local + " carries the tag of " + tag + " but is not its recorded local job");
    }
}
