package io.millrace.quota.kafka;

import io.millrace.log.Decider;
import io.millrace.log.Read;
import io.millrace.log.Say;
import io.millrace.model.policy.PrioritySet;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaGroup;
import io.millrace.model.policy.Request.PriorityAsked;
import io.millrace.model.policy.Request.QuotaAsked;
import io.millrace.model.protocol.Topic;
import io.millrace.model.view.Changes;
import io.millrace.quota.UpdatePriorityRules;
import io.millrace.quota.UpdateQuotas;
import java.time.Instant;
import java.util.List;

/** Brings requests to {@link UpdateQuotas} and {@link UpdatePriorityRules}, and what they set to the log. */
public final class QuotaDecider implements Decider {

    private final UpdateQuotas quotas;
    private final UpdatePriorityRules priority;

    public QuotaDecider(final UpdateQuotas quotas, final UpdatePriorityRules priority) {
        this.quotas = quotas;
        this.priority = priority;
    }

    @Override
    public void apply(final Read read) {
        if (read.topic() == Topic.QUOTAS && read.event() instanceof Quota quota) {
            quotas.replayed(quota);
        } else if (read.topic() == Topic.QUOTAS && read.event() instanceof QuotaGroup group) {
            quotas.replayed(group);
        } else if (read.topic() == Topic.QUOTAS && read.event() instanceof PrioritySet set) {
            priority.replayed(set);
        } else if (read.event() instanceof PriorityAsked asked) {
            priority.asked(asked);
        } else if (read.topic() == Topic.QUOTAS && read.isTombstone()) {
            quotas.replayedRemoval(read.key());
        } else if (read.event() instanceof QuotaAsked asked) {
            quotas.asked(asked);
        }
    }

    @Override
    public List<Say> decide(final Instant now) {
        final Changes changes = quotas.decide(now);
        priority.decide(now, changes);
        return Say.of(changes);
    }
}
