package io.millrace.quota.domain;

import io.millrace.model.view.Retry;
import java.time.Duration;

/**
 * The knobs.
 *
 * @param order whom to take first
 * @param validity how long a reclaim may wait for its agent
 * @param freshness a cluster whose newest revision is older than this is silent: nothing is taken there
 * @param retry when to try again after an answer that was not "done"
 */
public record QuotaPolicy(VictimOrder order, Duration validity, Duration freshness, Retry retry) {

    public static final QuotaPolicy DEFAULT = new QuotaPolicy(
            VictimOrder.NEWEST_FIRST,
            Duration.ofMinutes(2),
            Duration.ofMinutes(2),
            new Retry(Duration.ofSeconds(30), Duration.ofMinutes(15)));
}
