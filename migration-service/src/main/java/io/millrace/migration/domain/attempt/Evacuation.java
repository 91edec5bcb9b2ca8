package io.millrace.migration.domain.attempt;

import io.millrace.decide.CommandStatus;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Uploading;
import io.millrace.model.job.Withdrawal;
import io.millrace.model.policy.ClusterAvailability;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How a placed job leaves a cluster that an operator drained or fenced (ADR 28).
 *
 * <p>Drained: an upload is cancelled, a waiting local job is withdrawn, a running one ends there. Fenced: if the agent still reports, the
 * local job is cancelled, also while it runs, and the next attempt follows its confirmed end. If the agent is silent, the operator's word
 * counts, but only after every command that the agent could still execute has expired.
 */
final class Evacuation {

    private final MigrationPolicy policy;
    private final TargetCluster cluster;
    private final Instant now;

    Evacuation(final MigrationPolicy policy, final TargetCluster cluster, final Instant now) {
        this.policy = policy;
        this.cluster = cluster;
        this.now = now;
    }

    /** The next step of a job that has to leave; empty if it stays for now. */
    Optional<NextStep> step(final GlobalJob job) {
        if (cluster.isFenced()) {
            return fenced(job);
        }
        return cluster.isDrained() ? drained(job) : Optional.empty();
    }

    /** A job whose files are on the cluster, or whose owner requested the cluster, waits for its return. */
    private boolean isBound(final GlobalJob job) {
        return cluster.id().equals(job.submission().source())
                || cluster.id().equals(job.submission().target());
    }

    private Optional<NextStep> fenced(final GlobalJob job) {
        if (isBound(job) && job.stop() == null) {
            return Optional.empty();
        }
        final AttemptEnd end = end(AttemptEnd.Cause.FENCED, "fenced");
        return switch (job.state()) {
            case Uploading u -> Optional.of(NextStep.learn(new JobFact.Abandoned(end)));
            case Making m -> Optional.of(abandonWhenQuiet(end));
            case Submitted s -> {
                if (cluster.unavailability(policy, now).isPresent()
                        || s.localJob() == null
                                && cluster.oldestTagged(s.attempt()).isEmpty()) {
                    yield Optional.of(abandonWhenQuiet(end));
                }
                yield s.localJob() == null || job.stop() != null || isWithdrawn(s, end)
                        ? Optional.empty()
                        : Optional.of(withdraw(end, false));
            }
            default -> Optional.empty();
        };
    }

    private static boolean isWithdrawn(final Submitted submitted, final AttemptEnd end) {
        return submitted.withdrawal() != null && submitted.withdrawal().end().cause() == end.cause();
    }

    private NextStep abandonWhenQuiet(final AttemptEnd end) {
        final Instant quiet = cluster.quietFrom();
        return quiet.isAfter(now)
                ? NextStep.blockedUntil(quiet, cluster.closure().orElseThrow())
                : NextStep.learn(new JobFact.Abandoned(end));
    }

    private Optional<NextStep> drained(final GlobalJob job) {
        final AttemptEnd end = end(AttemptEnd.Cause.DRAINED, "drained");
        return switch (job.state()) {
            case Uploading u -> Optional.of(NextStep.learn(new JobFact.Abandoned(end)));
            case Submitted s
            when s.localJob() != null && s.withdrawal() == null && job.stop() == null ->
                withdrawIfItWaits(job, s.localJob(), end);
            default -> Optional.empty();
        };
    }

    private Optional<NextStep> withdrawIfItWaits(final GlobalJob job, final JobKey local, final AttemptEnd end) {
        final JobObserved observed = cluster.job(local);
        if (observed == null || !mayBeWithdrawn(observed)) {
            return Optional.empty();
        }
        final Instant retry = retryAt(local);
        return Optional.of(retry.isAfter(now) ? NextStep.waitUntil(retry) : withdraw(end, bringsFiles(job, observed)));
    }

    /** A job that its owner or an operator holds in the workload manager is theirs to release. */
    static boolean mayBeWithdrawn(final JobObserved observed) {
        return observed.state().isWaiting()
                && !(observed.state() instanceof JobState.Held held
                        && (held.by() == HoldKind.USER || held.by() == HoldKind.OPERATOR));
    }

    /** After a refusal, the next revision shows why; the past if there was none. */
    private Instant retryAt(final JobKey local) {
        return cluster.status(new Action.Cancel(local)) instanceof CommandStatus.Answered answered
                ? answered.outcome().answeredAt().plus(policy.initialBackoff())
                : Instant.MIN;
    }

    /** Only an application that saves itself keeps its checkpoint in its directory; other checkpoints stay on their cluster. */
    static boolean bringsFiles(final GlobalJob job, final JobObserved observed) {
        return observed.restarts() > 0
                && job.submission().spec().checkpoint() instanceof CheckpointMethod.Application
                && !observed.cluster().equals(job.submission().source());
    }

    private NextStep withdraw(final AttemptEnd end, final boolean bringsFiles) {
        return NextStep.learn(new JobFact.WithdrawalDecided(new Withdrawal(end, now, null, bringsFiles)));
    }

    private AttemptEnd end(final AttemptEnd.Cause cause, final String what) {
        final ClusterAvailability decided = Objects.requireNonNull(cluster.availability());
        return new AttemptEnd(cause, cluster.id() + " is " + what + ": " + decided.reason());
    }
}
