package io.millrace.model.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import java.time.Instant;

/**
 * The accounts of a cluster are closed up to the end of a period: no later entry of {@code millrace.ledger} is booked in it or in an earlier
 * period of its kind. Published again after a restart; a repetition changes nothing.
 *
 * @param cluster the cluster
 * @param period the last closed one: {@code 2026-W46}, {@code 2026-10}, {@code 2025}
 * @param periodEnd the first instant behind it, by the site's calendar
 * @param closedAt when it was closed
 */
public record LedgerClosed(ClusterId cluster, String period, Instant periodEnd, Instant closedAt) implements Event {

    @Override
    public String key() {
        return cluster + "/" + period;
    }
}
