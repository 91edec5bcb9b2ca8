package io.millrace.agent.lsf;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * The agent's word about one job.
 *
 * @param at when it was written
 * @param tasks of an array whose waiting tasks are held together, these; empty for a job of its own
 */
record JobNote(Kind kind, Instant at, String tasks) {

    JobNote(final Kind word, final Instant at) {
        this(word, at, "");
    }

    enum Kind {
        /** Its submission hold was lifted: a hold that it has now is somebody else's. */
        RELEASED,
        /** Held by the agent, at the gate. */
        ENTRY,
        /** Held by the agent in an administrator's name. */
        OPERATOR,
        /** Held by the agent in its owner's name. */
        USER,
        /** Put back by the agent; it is to wait without a hold. */
        REQUEUED,
        /** Saved by the agent, to go on under another id. */
        CHECKPOINTING
    }

    /** After so long an agent that died while it parked a job will not come back to it. */
    private static final Duration PARKING = Duration.ofMinutes(15);

    /** Whether it is just being saved, so that its end is none. */
    boolean isCheckpointing(final Instant now) {
        return kind == Kind.CHECKPOINTING && now.isBefore(at.plus(PARKING));
    }

    static Optional<JobNote> read(final String line) {
        final String[] part = line.strip().split(" ");
        if (part.length < 2 || part.length > 3 || !part[1].matches("\\d{1,18}")) {
            return Optional.empty();
        }
        for (final Kind word : Kind.values()) {
            if (word.name().toLowerCase(Locale.ROOT).equals(part[0])) {
                return Optional.of(new JobNote(
                        word, Instant.ofEpochSecond(Long.parseLong(part[1])), part.length == 3 ? part[2] : ""));
            }
        }
        return Optional.empty();
    }

    String line() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + at.getEpochSecond() + (tasks.isEmpty() ? "" : " " + tasks)
                + "\n";
    }
}
