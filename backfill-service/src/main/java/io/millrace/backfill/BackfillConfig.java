package io.millrace.backfill;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.Order;
import io.millrace.backfill.domain.StartRules;
import io.millrace.model.view.Retry;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The settings of backfill-service. */
@ConfigMapping(prefix = "millrace.backfill")
public interface BackfillConfig {

    /** Who comes first: priority (guaranteed work before borrowed work, then by submission) or fcfs (submission alone). */
    @WithDefault("priority")
    Order order();

    /** How many waiting jobs hold a reservation: 1 is EASY backfill, 0 strict order without backfill. */
    @WithDefault("1")
    int reservations();

    /** How long a start may wait for its agent; at most an hour. */
    @WithDefault("1m")
    Duration startValidity();

    /** A cluster whose newest revision is older than this is silent: nothing is started there. */
    @WithDefault("2m")
    Duration silentAfter();

    /** Pause after a start that failed; doubles with each further failure. */
    @WithDefault("15s")
    Duration firstPause();

    /** The longest such pause. */
    @WithDefault("10m")
    Duration longestPause();

    default BackfillPolicy policy() {
        return new BackfillPolicy(order(), reservations());
    }

    default StartRules rules() {
        return new StartRules(startValidity(), silentAfter(), new Retry(firstPause(), longestPause()));
    }
}
