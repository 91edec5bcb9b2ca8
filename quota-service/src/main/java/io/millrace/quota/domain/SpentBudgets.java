package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.quota.domain.budget.Allowance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** what runs on a spent budget ends, where the site has configured that for this budget; otherwise running jobs are left alone. */
public final class SpentBudgets {

    /** So many jobs are ended by one decision; the rest follows. */
    private static final int AT_ONCE = 32;

    private SpentBudgets() {}

    public static List<Command> cancels(final QuotaView view, final QuotaPolicy policy, final Instant now) {
        final RevisionClosed marker = Objects.requireNonNull(view.assumed().marker());
        final boolean fresh = marker.health() instanceof WlmHealth.Answering
                && Duration.between(marker.observedAt(), now).compareTo(policy.freshness()) <= 0;
        final List<Command> cancels = new ArrayList<>();
        if (!fresh || !view.budgets().rules().cancelRunning()) {
            return cancels;
        }
        final Allowance allowance =
                new Allowance(view.budgets(), view.observed(), view.priority().classes(), now);
        for (final JobObserved job : view.assumed().jobs()) {
            if (cancels.size() < AT_ONCE && isTakeable(job, view)) {
                cancel(job, allowance, view, policy, now).ifPresent(cancels::add);
            }
        }
        return cancels;
    }

    /** a job at which somebody sits is never touched. */
    private static boolean isTakeable(final JobObserved job, final QuotaView view) {
        final JobObserved seen = view.observed().job(job.job());
        return job.state() instanceof JobState.Running
                && !job.detail().interactive()
                && seen != null
                && seen.state() instanceof JobState.Running;
    }

    private static Optional<Command> cancel(
            final JobObserved job,
            final Allowance allowance,
            final QuotaView view,
            final QuotaPolicy policy,
            final Instant now) {
        final Action action = new Action.Cancel(job.job());
        final RevisionClosed marker = Objects.requireNonNull(view.assumed().marker());
        final boolean underWay = view.commands().isUnanswered(Issuer.QUOTA, action)
                || policy.retry()
                        .pause(view.commands(), Issuer.QUOTA, action, marker, now)
                        .isPresent();
        return underWay
                ? Optional.empty()
                : allowance.endsRunning(job).map(why -> command(action, job.job(), marker, why, view, policy, now));
    }

    private static Command command(
            final Action action,
            final JobKey job,
            final RevisionClosed marker,
            final String why,
            final QuotaView view,
            final QuotaPolicy policy,
            final Instant now) {
        return new Command(
                Command.idOf(Issuer.QUOTA, action, view.commands().tries(Issuer.QUOTA, action)),
                marker.cluster(),
                Issuer.QUOTA,
                marker.revision(),
                now,
                now.plus(policy.validity()),
                List.of(new Precondition.JobRuns(job)),
                action,
                why);
    }
}
