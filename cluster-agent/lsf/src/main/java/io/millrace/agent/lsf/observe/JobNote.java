package io.millrace.agent.lsf.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A note of the agent about a job.
 *
 * @param at when it was written
 * @param tasks indices of the pending array tasks that are held together; empty for a single job
 */
public record JobNote(Kind kind, Instant at, String tasks) {

    public JobNote(final Kind word, final Instant at) {
        this(word, at, "");
    }

    public enum Kind {
        /** The submission hold was released: a hold that the job has now is not Millrace's. */
        RELEASED,
        /** Held by the agent at the gate (entry hold). */
        ENTRY,
        /** Held by the agent again, as after its submission. */
        SUBMISSION,
        /** Held by the agent on behalf of an operator. */
        OPERATOR,
        /** Held by the agent on behalf of the owner. */
        USER,
        /** Requeued by the agent without a hold. */
        REQUEUED,
        /** Being checkpointed by the agent, to continue under another id. */
        CHECKPOINTING
    }

    /** After this time an agent that died during a checkpoint is not expected to finish it. */
    private static final Duration CHECKPOINT_LIMIT = Duration.ofMinutes(15);

    /** Whether the job is being checkpointed, so that its end is not final. */
    public boolean isCheckpointing(final Instant now) {
        return kind == Kind.CHECKPOINTING && now.isBefore(at.plus(CHECKPOINT_LIMIT));
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
