package io.millrace.agent.domain;

import io.millrace.model.CommandId;
import java.util.HashMap;
import java.util.Map;

/** The offset of the command topic up to which an observation includes the effects of commands. Thread-safe. */
public final class IncludedCommands {

    private final Map<CommandId, Long> exclude = new HashMap<>();
    private long position;

    /** Records that everything before this offset was read. */
    public synchronized void readUpTo(final long next) {
        position = Math.max(position, next);
    }

    /** Excludes a command that an observation cannot show yet. */
    public synchronized void exclude(final CommandId command, final long offset) {
        exclude.merge(command, offset, Math::min);
    }

    public synchronized void include(final CommandId command) {
        exclude.remove(command);
    }

    /** The offset for an observation that starts now. */
    public synchronized long offset() {
        return exclude.values().stream().mapToLong(Long::longValue).min().orElse(position);
    }
}
