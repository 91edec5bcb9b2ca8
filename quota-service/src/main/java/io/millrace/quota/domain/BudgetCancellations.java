package io.millrace.quota.domain;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.quota.domain.budget.BudgetCheck;
import io.millrace.quota.domain.view.CommandFactory;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** cancels the running jobs of a spent budget that has {@code cancel-running: true}. */
public final class BudgetCancellations {

    /** Jobs that one decision cancels at most; later decisions cancel the rest. */
    private static final int AT_ONCE = 32;

    private BudgetCancellations() {}

    public static List<Command> cancels(final QuotaView view, final QuotaPolicy policy, final Instant now) {
        final CommandFactory factory = new CommandFactory(view, policy, now);
        final List<Command> cancels = new ArrayList<>();
        if (!factory.canSend() || !view.budgets().rules().cancelRunning()) {
            return cancels;
        }
        final BudgetCheck budgetCheck =
                new BudgetCheck(view.budgets(), view.observed(), view.priority().classes(), now);
        for (final JobObserved job : view.assumed().jobs()) {
            if (cancels.size() < AT_ONCE && isTakeable(job, view)) {
                cancel(job, budgetCheck, factory).ifPresent(cancels::add);
            }
        }
        return cancels;
    }

    /** interactive jobs are never cancelled. */
    private static boolean isTakeable(final JobObserved job, final QuotaView view) {
        final JobObserved seen = view.observed().job(job.job());
        return job.state() instanceof JobState.Running
                && !job.detail().interactive()
                && seen != null
                && seen.state() instanceof JobState.Running;
    }

    private static Optional<Command> cancel(
            final JobObserved job, final BudgetCheck budgetCheck, final CommandFactory factory) {
        final Action action = new Action.Cancel(job.job());
        return factory.isPending(action) || factory.backOff(action).isPresent()
                ? Optional.empty()
                : budgetCheck
                        .cancelReason(job)
                        .map(why -> factory.command(action, List.of(new Precondition.JobRuns(job.job())), why));
    }
}
