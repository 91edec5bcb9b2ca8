package io.millrace.agent.domain;

import io.millrace.decide.CommandView;
import io.millrace.model.CommandId;
import io.millrace.model.command.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commands that were answered, also before restarts of the agent, and when.
 *
 * <p>A command that is in the log twice was issued before its answer. Deciders forget answers after {@link CommandView#RETENTION} and
 * count attempts from zero again. Therefore an id with an issue time well after its answer is a new decision, for example when a job
 * is preempted hours after its start and must be started again.
 */
public final class AnsweredCommands {

    /** Half of the memory of the deciders; the other half allows for clock differences. */
    static final Duration NEW_AFTER = CommandView.RETENTION.dividedBy(2);

    /** Longer than commands are replayed. */
    private static final Duration KEPT = Duration.ofHours(25);

    private final Map<CommandId, Instant> when = new LinkedHashMap<>();

    /** Records an answer. */
    public void add(final CommandId command, final Instant at) {
        when.remove(command);
        when.put(command, at);
        forgetBefore(at.minus(KEPT));
    }

    public void addAll(final AnsweredCommands others) {
        others.when.forEach(this::add);
    }

    /** Whether this decision was answered. */
    public boolean covers(final Command command) {
        final @Nullable Instant at = when.get(command.id());
        return at != null && !command.issuedAt().isAfter(at.plus(NEW_AFTER));
    }

    /** Whether any decision under this id was answered. */
    public boolean contains(final CommandId command) {
        return when.containsKey(command);
    }

    /** Entries are in the order of their answers, oldest first. */
    private void forgetBefore(final Instant horizon) {
        final Iterator<Instant> oldest = when.values().iterator();
        while (oldest.hasNext() && oldest.next().isBefore(horizon)) {
            oldest.remove();
        }
    }
}
