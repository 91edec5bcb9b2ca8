package io.millrace.submit.domain.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** How up to date the decisions of a service are: as its oldest loop. */
public record ServiceProgress(String service, LoopReading oldest) {

    /** Loops record progress at least every 30 s. A restart with a full replay may take longer. */
    private static final Duration STALLED_AFTER = Duration.ofMinutes(1);

    public static ServiceProgress of(final String service, final Collection<LoopReading> loops) {
        return new ServiceProgress(
                service,
                loops.stream().max(Comparator.comparing(LoopReading::age)).orElseThrow());
    }

    public @Nullable Instant decidedAt() {
        return oldest.decidedAt();
    }

    /** Age of the last decision when it was read, or how long the service could have recorded one if that is less. */
    public Duration age() {
        return oldest.age();
    }

    /** Whether it should have recorded progress when it was last read, and had not. */
    public boolean isStalled() {
        return age().compareTo(STALLED_AFTER) > 0;
    }

    /** What an operator has to know about a stalled service. */
    public String stall() {
        final Instant decidedAt = decidedAt();
        return service + " has not decided "
                + (decidedAt == null ? "yet" : "since " + decidedAt.truncatedTo(ChronoUnit.SECONDS))
                + ": see its log and /q/health/ready";
    }
}
