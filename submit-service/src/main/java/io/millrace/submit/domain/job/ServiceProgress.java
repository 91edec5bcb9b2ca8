package io.millrace.submit.domain.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * How up to date the decisions of a service are.
 *
 * @param decidedAt when it had last decided on everything it had read; null: never
 * @param readSince since when the progress has been read, from the start of this service on
 * @param at when this was read from the log
 */
public record ServiceProgress(String service, @Nullable Instant decidedAt, Instant readSince, Instant at) {

    /** Services commit at least every 30 s. A restart with a full replay may take longer. */
    private static final Duration STALLED_AFTER = Duration.ofMinutes(1);

    /** Age of the last decision, or time since the start of this service if that is less: then the whole stack may be starting. */
    public Duration age() {
        return Duration.between(decidedAt == null || decidedAt.isBefore(readSince) ? readSince : decidedAt, at);
    }

    public boolean isStalled() {
        return age().compareTo(STALLED_AFTER) > 0;
    }

    /** What an operator has to know about a stalled service. */
    public String stall() {
        return service + " has not decided "
                + (decidedAt == null ? "yet" : "since " + decidedAt.truncatedTo(ChronoUnit.SECONDS))
                + ": see its log and /q/health/ready";
    }
}
