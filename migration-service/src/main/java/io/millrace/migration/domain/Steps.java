package io.millrace.migration.domain;

import io.millrace.model.TransferId;
import io.millrace.model.VetoCode;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.GlobalJobState.Downloading;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Uploading;
import io.millrace.model.transfer.TransferState;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The next step of a placed job, from its state and what the log says: a fact to learn, a command to give, or something to wait for. */
final class Steps {

    private final Policy policy;
    private final Clusters clusters;
    private final Function<TransferId, @Nullable TransferState> transfers;

    Steps(final Policy policy, final Clusters clusters, final Function<TransferId, @Nullable TransferState> transfers) {
        this.policy = policy;
        this.clusters = clusters;
        this.transfers = transfers;
    }

    Next next(final GlobalJob job, final Instant now) {
        return switch (job.state()) {
            case Uploading u -> uploading(job, u);
            case Making m -> new AttemptSteps(policy, clusters, job, now).make();
            case Submitted s -> submitted(job, s, now);
            case Downloading d -> downloading(d);
            case GlobalJobState.Waiting w -> Next.hear();
            case GlobalJobState.End e -> Next.hear();
            case GlobalJobState.Aborted a -> Next.hear();
            case GlobalJobState.Stopped s -> Next.hear();
        };
    }

    private Next uploading(final GlobalJob job, final Uploading uploading) {
        return switch (transfers.apply(uploading.transfer())) {
            case null -> Next.hear();
            case TransferState.Verified v -> Next.learn(new Fact.Arrived());
            case TransferState.Failed f -> Next.learn(new Fact.AttemptLost(f.reason(), mayTryAgain(job, policy)));
            case TransferState.Cancelled d -> Next.learn(new Fact.AttemptLost(d.reason(), mayTryAgain(job, policy)));
            case TransferState.Planned p -> waitsFor(p);
            case TransferState.Copying c -> Next.hear();
        };
    }

    private Next downloading(final Downloading downloading) {
        return switch (transfers.apply(downloading.transfer())) {
            case null -> Next.hear();
            case TransferState.Verified v -> Next.learn(new Fact.ResultsHome());
            case TransferState.Failed f -> Next.learn(new Fact.ResultsLost(f.reason()));
            case TransferState.Cancelled d -> Next.learn(new Fact.ResultsLost(d.reason()));
            case TransferState.Planned p -> waitsFor(p);
            case TransferState.Copying c -> Next.hear();
        };
    }

    private static Next waitsFor(final TransferState.Planned planned) {
        return Next.blocked(VetoCode.TRANSFER_QUEUED.veto(planned.reason()));
    }

    private Next submitted(final GlobalJob job, final Submitted submitted, final Instant now) {
        final AttemptSteps asking = new AttemptSteps(policy, clusters, job, now);
        if (submitted.localJob() == null) {
            return asking.submit(submitted.attempt());
        }
        if (job.stop() != null) {
            return asking.cancel(submitted.localJob(), job.stop().reason());
        }
        return submitted.released() ? Next.hear() : asking.release(submitted.localJob());
    }

    /** Whether a lost attempt may be followed by another one. */
    static boolean mayTryAgain(final GlobalJob job, final Policy policy) {
        return job.attempts().size() < policy.maxAttempts();
    }
}
