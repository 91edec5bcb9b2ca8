package io.millrace.agent.domain;

import io.millrace.model.CommandId;
import java.util.HashMap;
import java.util.Map;

/** Up to which offset of the commands a picture includes their effects. Thread-safe: long commands end on their own threads. */
public final class IncludedCommands {

    private final Map<CommandId, Long> exclude = new HashMap<>();
    private long position;

    /** Everything before this offset was read. */
    public synchronized void readUpTo(final long next) {
        position = Math.max(position, next);
    }

    /** The effect of this command is not to be seen yet. */
    public synchronized void exclude(final CommandId command, final long offset) {
        exclude.merge(command, offset, Math::min);
    }

    public synchronized void include(final CommandId command) {
        exclude.remove(command);
    }

    /** What a picture that is taken from now on includes. */
    public synchronized long offset() {
        return exclude.values().stream().mapToLong(Long::longValue).min().orElse(position);
    }
}
