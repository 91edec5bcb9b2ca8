package io.millrace.migration.domain.attempt;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.model.JobKey;
import io.millrace.model.TransferId;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.GlobalJobState.Downloading;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Uploading;
import io.millrace.model.transfer.TransferState;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The next step of a placed job, from its state and the log: a fact to apply, a command to issue, or an event to wait for. */
public final class JobSteps {

    private final MigrationPolicy policy;
    private final TargetClusters clusters;
    private final Function<TransferId, @Nullable TransferState> transfers;

    public JobSteps(
            final MigrationPolicy policy,
            final TargetClusters clusters,
            final Function<TransferId, @Nullable TransferState> transfers) {
        this.policy = policy;
        this.clusters = clusters;
        this.transfers = transfers;
    }

    public NextStep next(final GlobalJob job, final Instant now) {
        final Optional<NextStep> leaving = job.attempt() == null
                ? Optional.empty()
                : new Evacuation(policy, clusters.of(job.attempt().cluster()), now).step(job);
        if (leaving.isPresent()) {
            return leaving.get();
        }
        return switch (job.state()) {
            case Uploading u -> uploading(job, u);
            case Making m -> new AttemptSteps(policy, clusters, job, now).make();
            case Submitted s -> submitted(job, s, now);
            case Downloading d -> downloading(d);
            case GlobalJobState.Waiting w -> NextStep.nothing();
            case GlobalJobState.End e -> NextStep.nothing();
            case GlobalJobState.Aborted a -> NextStep.nothing();
            case GlobalJobState.Stopped s -> NextStep.nothing();
        };
    }

    /** What the end of the current local job means: a withdrawal that took effect, or the end of the run. */
    public JobFact over(final GlobalJob job, final JobKey local, final RunOutcome outcome, final Instant now) {
        return outcome instanceof RunOutcome.Cancelled
                        && job.state() instanceof Submitted submitted
                        && submitted.withdrawal() != null
                        && local.equals(submitted.localJob())
                        && new AttemptSteps(policy, clusters, job, now).isWithdrawnBy(local, submitted.withdrawal())
                ? new JobFact.Withdrawn(local)
                : new JobFact.RunFinished(local, outcome);
    }

    private NextStep uploading(final GlobalJob job, final Uploading uploading) {
        return switch (transfers.apply(uploading.transfer())) {
            case null -> NextStep.nothing();
            case TransferState.Verified v -> NextStep.learn(new JobFact.Uploaded());
            case TransferState.Failed f ->
                NextStep.learn(new JobFact.AttemptFailed(f.reason(), mayTryAgain(job, policy)));
            case TransferState.Cancelled d ->
                NextStep.learn(new JobFact.AttemptFailed(d.reason(), mayTryAgain(job, policy)));
            case TransferState.Held h -> heldBy(h);
            case TransferState.Planned p -> waitsFor(p);
            case TransferState.Copying c -> NextStep.nothing();
        };
    }

    private NextStep downloading(final Downloading downloading) {
        return switch (transfers.apply(downloading.transfer())) {
            case null -> NextStep.nothing();
            case TransferState.Verified v -> NextStep.learn(new JobFact.ResultsReturned());
            case TransferState.Failed f -> NextStep.learn(new JobFact.ResultsLost(f.reason()));
            case TransferState.Cancelled d -> NextStep.learn(new JobFact.ResultsLost(d.reason()));
            case TransferState.Held h -> heldBy(h);
            case TransferState.Planned p -> waitsFor(p);
            case TransferState.Copying c -> NextStep.nothing();
        };
    }

    private static NextStep heldBy(final TransferState.Held held) {
        return NextStep.blocked(VetoCode.TRANSFER_HELD.veto(held.reason()));
    }

    private static NextStep waitsFor(final TransferState.Planned planned) {
        return NextStep.blocked(
                NoRoom.code(planned).orElse(VetoCode.TRANSFER_QUEUED).veto(planned.reason()));
    }

    private NextStep submitted(final GlobalJob job, final Submitted submitted, final Instant now) {
        final AttemptSteps asking = new AttemptSteps(policy, clusters, job, now);
        if (submitted.localJob() == null) {
            return asking.submit(submitted.attempt());
        }
        if (job.stop() != null) {
            return asking.cancel(submitted.localJob(), job.stop().reason());
        }
        if (submitted.withdrawal() != null) {
            return asking.withdraw(submitted.localJob(), submitted.withdrawal());
        }
        if (job.hold() != null) {
            return submitted.released()
                    ? asking.hold(submitted.localJob(), job.hold())
                    : asking.keepHeld(submitted.localJob());
        }
        return submitted.released()
                ? asking.unlessHeldSince(submitted.localJob())
                : asking.release(submitted.localJob());
    }

    /** Whether another attempt may follow if the current one fails. Attempts that were moved do not count. */
    static boolean mayTryAgain(final GlobalJob job, final MigrationPolicy policy) {
        final long failed = job.attempts().stream()
                .filter(attempt -> attempt.end() == null || attempt.hasEnded(AttemptEnd.Cause.FAILED))
                .count();
        return failed < policy.maxAttempts();
    }
}
