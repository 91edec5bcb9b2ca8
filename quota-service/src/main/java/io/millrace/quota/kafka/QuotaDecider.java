package io.millrace.quota.kafka;

import io.millrace.decide.Changes;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.Decider;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.Request.BudgetRequested;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.quota.UpdateBudgets;
import io.millrace.quota.UpdatePriorityRules;
import io.millrace.quota.UpdateQuotas;
import java.time.Instant;
import java.util.List;

/** Passes requests to {@link UpdateQuotas}, {@link UpdatePriorityRules} and {@link UpdateBudgets}, and their changes to the log. */
public final class QuotaDecider implements Decider {

    private final UpdateQuotas quotas;
    private final UpdatePriorityRules priority;
    private final UpdateBudgets budgets;

    public QuotaDecider(final UpdateQuotas quotas, final UpdatePriorityRules priority, final UpdateBudgets budgets) {
        this.quotas = quotas;
        this.budgets = budgets;
        this.priority = priority;
    }

    @Override
    public void apply(final LogRecord read) {
        if (read.topic() == Topic.QUOTAS && read.event() instanceof Quota quota) {
            quotas.replayed(quota);
        } else if (read.topic() == Topic.QUOTAS && read.event() instanceof QuotaGroup group) {
            quotas.replayed(group);
        } else if (read.topic() == Topic.QUOTAS && read.event() instanceof PriorityRulesSet set) {
            priority.replayed(set);
        } else if (read.event() instanceof PriorityRulesRequested request) {
            priority.requested(request);
        } else if (read.topic() == Topic.QUOTAS && read.event() instanceof BudgetSet set) {
            budgets.replayed(set);
        } else if (read.event() instanceof BudgetRequested request) {
            budgets.requested(request);
        } else if (read.topic() == Topic.QUOTAS && read.isTombstone() && BudgetSet.isKey(read.key())) {
            budgets.replayedRemoval(read.key());
        } else if (read.topic() == Topic.QUOTAS && read.isTombstone()) {
            quotas.replayedRemoval(read.key());
        } else if (read.event() instanceof QuotaRequested request) {
            quotas.requested(request);
        }
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        final Changes changes = quotas.decide(now);
        priority.decide(now, changes);
        budgets.decide(now, changes);
        return OutgoingEvent.of(changes);
    }
}
