package io.millrace.backfill.domain.live;

import io.millrace.model.Backoff;
import io.millrace.model.view.RetryPolicy;
import java.time.Duration;

/**
 * Settings for executing a schedule on a live cluster.
 *
 * @param validity how long a start command may wait for its agent
 * @param staleAfter a cluster whose newest revision is older than this is silent: nothing is started there
 * @param retry when to try again after an answer that was not "done"
 */
public record StartSettings(Duration validity, Duration staleAfter, RetryPolicy retry) {

    public static final StartSettings DEFAULT = new StartSettings(
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            new RetryPolicy(new Backoff(Duration.ofSeconds(15), Duration.ofMinutes(10))));
}
