package io.millrace.quota.kafka;

import io.millrace.log.Decider;
import io.millrace.log.Read;
import io.millrace.log.Say;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaGroup;
import io.millrace.model.policy.Request.QuotaAsked;
import io.millrace.model.protocol.Topic;
import io.millrace.quota.KeepQuotas;
import java.time.Instant;
import java.util.List;

/** Brings requests to {@link KeepQuotas}, and quotas to the log. */
public final class QuotaDecider implements Decider {

    private final KeepQuotas quotas;

    public QuotaDecider(final KeepQuotas quotas) {
        this.quotas = quotas;
    }

    @Override
    public void apply(final Read read) {
        if (read.topic() == Topic.QUOTAS && read.event() instanceof Quota quota) {
            quotas.replayed(quota);
        } else if (read.topic() == Topic.QUOTAS && read.event() instanceof QuotaGroup group) {
            quotas.replayed(group);
        } else if (read.topic() == Topic.QUOTAS && read.isTombstone()) {
            quotas.replayedRemoval(read.key());
        } else if (read.event() instanceof QuotaAsked asked) {
            quotas.asked(asked);
        }
    }

    @Override
    public List<Say> decide(final Instant now) {
        return Say.of(quotas.decide(now));
    }
}
