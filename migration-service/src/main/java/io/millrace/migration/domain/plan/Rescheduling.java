package io.millrace.migration.domain.plan;

import io.millrace.decide.CommandStatus;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.attempt.TransferTimes;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.PlacedJobs;
import io.millrace.migration.domain.view.UnpromisedCapacity;
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
    private final Map<ClusterId, GlobalJobId> considered = new HashMap<>();

    public Rescheduling(final MigrationPolicy policy) {
        this.policy = policy;
    }

    /** The moves that begin now. */
    public List<Move> of(final PlacementPass pass, final Instant now) {
        final PlanView view = pass.view();
        final List<Move> moves = new ArrayList<>();
        final List<TargetCluster> planned = view.clusters().all().stream()
                .filter(from -> from.hasPredictions()
                        && from.unavailability(policy, now).isEmpty())
                .toList();
        if (policy.moves().max() == 0 || planned.isEmpty()) {
            return moves;
        }
        final UnpromisedCapacity idle = pass.targets().idle();
        final List<TargetCluster> open = view.clusters().all().stream()
                .filter(cluster -> cluster.closure().isEmpty()
                        && cluster.unavailability(policy, now).isEmpty()
                        && idle.of(cluster).cores() > 0)
                .toList();
        if (open.isEmpty()) {
            return moves;
        }
        for (final TargetCluster from : planned) {
            next(view.placed(), from.id())
                    .forEach(job -> move(job, from, open, pass, now).ifPresent(moves::add));
        }
        return moves;
    }

    private List<GlobalJob> next(final PlacedJobs placed, final ClusterId cluster) {
        final List<GlobalJob> some = placed.after(considered.get(cluster), cluster, CONSIDERED);
        if (some.size() < CONSIDERED) {
            considered.remove(cluster);
        } else {
            considered.put(cluster, some.getLast().id());
        }
        return some;
    }

    private Optional<Move> move(
            final GlobalJob job,
            final TargetCluster from,
            final List<TargetCluster> open,
            final PlacementPass pass,
            final Instant now) {
        final TransferTimes transfers = pass.view().transfers();
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
        final Vetoes.Answers answers = pass.targets().answers(job);
        return open.stream()
                .filter(to -> to != from
                        && job.submission().requested().allows(to.id())
                        && answers.on(to).isEmpty())
                .map(to -> new Target(to, end(job, to.id(), arrived, transfers)))
                .min(Comparator.comparing(Target::end))
                .filter(to -> policy.moves().allows(moves(job), wait, Duration.between(to.end(), end)))
                .map(to -> begin(
                        job,
                        to,
                        from.id() + " is predicted to start it at " + predicted.get(),
                        bringsFiles,
                        pass,
                        now));
    }

    private Move begin(
            final GlobalJob job,
            final Target to,
            final String wait,
            final boolean bringsFiles,
            final PlacementPass pass,
            final Instant now) {
        pass.targets().idle().promise(job, to.cluster());
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

    private Instant end(final GlobalJob job, final ClusterId to, final Instant arrived, final TransferTimes transfers) {
        return arrived.plus(transfers.expected(job.submission().source(), to)).plus(length(job, to));
    }

    private Duration length(final GlobalJob job, final ClusterId cluster) {
        final JobSpec spec = job.submission().spec();
        return Duration.ofSeconds((long) (spec.walltime().toSeconds() * policy.runTimeFactor(cluster)));
    }
}
