package io.millrace.backfill.domain;

import io.millrace.decide.RetryPolicy;
import io.millrace.model.Backoff;
import java.time.Duration;

/**
 * Settings for executing a schedule on a live cluster.
 *
 * @param validity how long a start command may wait for its agent
 * @param staleAfter age of the newest revision after which no job is started
 * @param retry when to retry after a refusal or failure
 */
public record StartSettings(Duration validity, Duration staleAfter, RetryPolicy retry) {

    public static final StartSettings DEFAULT = new StartSettings(
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            new RetryPolicy(new Backoff(Duration.ofSeconds(15), Duration.ofMinutes(10))));
}
