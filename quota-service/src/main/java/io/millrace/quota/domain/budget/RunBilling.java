package io.millrace.quota.domain.budget;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.LedgerEntry.Kind;
import io.millrace.model.quota.LedgerEntry.Posting;
import io.millrace.model.quota.ProcessorTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Computes the ledger entry of an ended run. The same run, tariff and closed periods give the same entry. */
final class RunBilling {

    private final Tariff tariff;
    private final ClosedPeriods periods;

    RunBilling(final Tariff tariff, final ClosedPeriods periods) {
        this.tariff = tariff;
        this.periods = periods;
    }

    /**
     * the run is charged in the periods in which it ended. Q-51: if one of them is closed, it is charged in the current periods.
     * Empty if it never ran or costs nothing.
     *
     * @param classes of the job
     * @param now time of the booking
     */
    Optional<LedgerEntry> of(final RunEnded end, final List<String> classes, final Instant now) {
        final Instant started = end.startedAt();
        if (started == null) {
            return Optional.empty();
        }
        final long ran_s = Math.max(0, Duration.between(started, end.endedAt()).toSeconds());
        final JobRate rate = tariff.rate(end.cluster(), classes);
        final ProcessorTime charge = rate.cost(end.resources(), ran_s);
        if (charge.isNone()) {
            return Optional.empty();
        }
        final String user = account(end.owner(), end.project());
        final List<Posting> postings = new ArrayList<>();
        postings.add(new Posting(Kind.CHARGE, user, "cluster/" + end.cluster(), charge));
        final ProcessorTime refund = refund(end, rate, ran_s);
        if (!refund.isNone()) {
            postings.add(new Posting(Kind.REFUND, "loss/" + end.cluster(), user, refund));
        }
        final boolean late = periods.isClosed(end.endedAt(), now);
        return Optional.of(new LedgerEntry(
                end.job(),
                end.run(),
                end.owner(),
                end.project(),
                end.endedAt(),
                periods.periods(late ? now : end.endedAt()),
                rate.cluster_permille(),
                postings,
                rate.surcharge(),
                late ? now : null));
    }

    /** the work lost because of a preemption or a node failure, up to the charge of the run. */
    private ProcessorTime refund(final RunEnded end, final JobRate rate, final long ran_s) {
        final int cores = end.resources().cores();
        if (cores == 0 || !isRefunded(end.outcome())) {
            return ProcessorTime.NONE;
        }
        final long lost_s = Math.clamp(end.lostCoreSeconds() / cores, 0, ran_s);
        return rate.cost(end.resources(), lost_s);
    }

    private static boolean isRefunded(final RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Requeued r -> true;
            case RunOutcome.Checkpointed c -> true;
            case RunOutcome.Continued c -> true;
            case RunOutcome.NodeFailed n -> true;
            case RunOutcome.Preempted p -> true;
            case RunOutcome.Exited e -> false;
            case RunOutcome.Signalled s -> false;
            case RunOutcome.Cancelled c -> false;
            case RunOutcome.TimedOut t -> false;
            case RunOutcome.OutOfMemory o -> false;
            case RunOutcome.Unknown u -> false;
        };
    }

    private static String account(final UserName user, final @Nullable ProjectName project) {
        return "use/" + user + "/" + (project == null ? "-" : project);
    }
}
