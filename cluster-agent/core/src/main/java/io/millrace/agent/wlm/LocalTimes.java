package io.millrace.agent.wlm;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;

/** Times of a log that names no offset. At the end of summer time, the local times of one hour occur twice. */
public final class LocalTimes {

    private LocalTimes() {}

    /**
     * The time, or the second occurrence of its local time if the first one precedes something that happened earlier.
     *
     * @param time the first occurrence, which is what {@link java.time.LocalDateTime#atZone} returns
     * @param earlier a time that cannot be later, e.g. the start of a run whose end is {@code time}
     */
    public static Instant notBefore(final Instant time, final Instant earlier, final ZoneId zone) {
        final ZoneOffsetTransition next = zone.getRules().nextTransition(time);
        if (!time.isBefore(earlier) || next == null || !next.isOverlap()) {
            return time;
        }
        final boolean occursTwice =
                !time.isBefore(next.getInstant().plus(next.getDuration())); // negative at an overlap
        final Instant second = time.minus(next.getDuration());
        return occursTwice && !second.isBefore(earlier) ? second : time;
    }
}
