package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.attempt.TransferTimes;
import io.millrace.migration.domain.cluster.CommandStatus;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.PlacedJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.Withdrawal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Which waiting attempts move to another cluster: those that the plan of their cluster starts late, and that would end clearly earlier on
 * a cluster that can start them now (ADR 28). The capacity there is promised to the job until its attempt is withdrawn.
 */
public final class Rescheduling {

    /** So many placed jobs of a cluster are considered per round, each in turn. */
    private static final int CONSIDERED = 200;

    /** An attempt to be withdrawn. */
    public record Move(GlobalJob job, Withdrawal withdrawal) {}

    private record Target(TargetCluster cluster, Instant end) {}

    private final MigrationPolicy policy;
    private final TargetClusters clusters;
    private final PlacedJobs placed;
    private final UnpromisedCapacity idle;
    private final TargetChoice targets;
    private final TransferTimes transfers;
    private final Map<ClusterId, GlobalJobId> considered = new HashMap<>();

    Rescheduling(
            final MigrationPolicy policy,
            final TargetClusters clusters,
            final PlacedJobs placed,
            final UnpromisedCapacity idle,
            final TargetChoice targets,
            final TransferTimes transfers) {
        this.policy = policy;
        this.clusters = clusters;
        this.placed = placed;
        this.idle = idle;
        this.targets = targets;
        this.transfers = transfers;
    }

    /** The moves that begin now. */
    public List<Move> of(final Instant now) {
        final List<TargetCluster> open = clusters.all().stream()
                .filter(cluster -> cluster.closure().isEmpty()
                        && cluster.unavailability(policy, now).isEmpty()
                        && idle.of(cluster).cores() > 0)
                .toList();
        final List<Move> moves = new ArrayList<>();
        if (policy.moves().max() == 0 || open.isEmpty()) {
            return moves;
        }
        for (final TargetCluster from : clusters.all()) {
            if (from.hasPredictions() && from.unavailability(policy, now).isEmpty()) {
                next(from.id()).forEach(job -> move(job, from, open, now).ifPresent(moves::add));
            }
        }
        return moves;
    }

    private List<GlobalJob> next(final ClusterId cluster) {
        final List<GlobalJob> some = placed.after(considered.get(cluster), cluster, CONSIDERED);
        if (some.size() < CONSIDERED) {
            considered.remove(cluster);
        } else {
            considered.put(cluster, some.getLast().id());
        }
        return some;
    }

    private Optional<Move> move(
            final GlobalJob job, final TargetCluster from, final List<TargetCluster> open, final Instant now) {
        if (!(job.state() instanceof Submitted submitted) || !mayMove(job, submitted, now)) {
            return Optional.empty();
        }
        final JobKey local = Objects.requireNonNull(submitted.localJob());
        final JobObserved observed = from.job(local);
        final Optional<Instant> predicted = from.predictedStart(local);
        if (observed == null
                || predicted.isEmpty()
                || !observed.isStartable()
                || keepsCheckpoint(job, observed)
                || isRefusedRecently(from, local, now)) {
            return Optional.empty();
        }
        final boolean bringsFiles = observed.restarts() > 0
                && job.submission().spec().checkpoint() instanceof CheckpointMethod.Application
                && !from.id().equals(job.submission().source());
        final Instant arrived = bringsFiles
                ? now.plus(transfers.expected(from.id(), job.submission().source()))
                : now;
        final Duration wait = Duration.between(now, predicted.get());
        final Instant end = predicted.get().plus(length(job, from.id()));
        return open.stream()
                .filter(to -> to != from
                        && job.submission().requested().allows(to.id())
                        && targets.veto(job, to, now).isEmpty())
                .map(to -> new Target(to, end(job, to.id(), arrived)))
                .min(Comparator.comparing(Target::end))
                .filter(to -> policy.moves().allows(moves(job), wait, Duration.between(to.end(), end)))
                .map(to -> begin(
                        job, to, from.id() + " is predicted to start it at " + predicted.get(), bringsFiles, now));
    }

    private Move begin(
            final GlobalJob job, final Target to, final String wait, final boolean bringsFiles, final Instant now) {
        idle.of(to.cluster()).promise(job.submission());
        final ClusterId target = to.cluster().id();
        final AttemptEnd end = new AttemptEnd(
                AttemptEnd.Cause.MOVED, wait + "; " + target + " can start it now, with its end at " + to.end());
        return new Move(job, new Withdrawal(end, now, target, bringsFiles));
    }

    private boolean mayMove(final GlobalJob job, final Submitted submitted, final Instant now) {
        final Attempt attempt = Objects.requireNonNull(job.attempt());
        return submitted.localJob() != null
                && submitted.released()
                && submitted.withdrawal() == null
                && job.stop() == null
                && job.hold() == null
                && job.submission().target() == null
                && moves(job) < policy.moves().max()
                && !attempt.startedAt().plus(policy.queueAfter()).isAfter(now);
    }

    private static long moves(final GlobalJob job) {
        return job.attempts().stream()
                .filter(attempt -> attempt.hasEnded(AttemptEnd.Cause.MOVED))
                .count();
    }

    /** A checkpoint of the workload manager stays on its cluster, so its job does, too. */
    private static boolean keepsCheckpoint(final GlobalJob job, final JobObserved observed) {
        return observed.restarts() > 0
                && switch (job.submission().spec().checkpoint()) {
                    case CheckpointMethod.Native n -> true;
                    case CheckpointMethod.Application a -> false;
                    case CheckpointMethod.None n -> false;
                };
    }

    private boolean isRefusedRecently(final TargetCluster from, final JobKey local, final Instant now) {
        return from.status(new Action.Cancel(local)) instanceof CommandStatus.Answered answered
                && answered.outcome()
                        .answeredAt()
                        .plus(policy.moves().minGain())
                        .isAfter(now);
    }

    private Instant end(final GlobalJob job, final ClusterId to, final Instant arrived) {
        return arrived.plus(transfers.expected(job.submission().source(), to)).plus(length(job, to));
    }

    private Duration length(final GlobalJob job, final ClusterId cluster) {
        final JobSpec spec = job.submission().spec();
        return Duration.ofSeconds((long) (spec.walltime().toSeconds() * policy.runTimeFactor(cluster)));
    }
}
