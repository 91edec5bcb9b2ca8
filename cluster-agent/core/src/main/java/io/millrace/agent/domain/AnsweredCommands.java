package io.millrace.agent.domain;

import io.millrace.model.CommandId;
import io.millrace.model.command.Command;
import io.millrace.model.view.CommandView;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commands that were answered, in any life of the agent, and when.
 *
 * <p>A command that stands on the log twice was issued before its answer. Deciders forget answers after {@link CommandView#RETENTION} and
 * count their tries from nought again; so an id that comes with an issue time well after its answer is a new decision, as when a job
 * that was started is preempted hours later and has to be started again.
 */
public final class AnsweredCommands {

    /** Half of what deciders remember: the other half is for clocks that differ. */
    static final Duration NEW_AFTER = CommandView.RETENTION.dividedBy(2);

    /** Longer than the log of commands is read back. */
    private static final Duration KEPT = Duration.ofHours(25);

    private final Map<CommandId, Instant> when = new LinkedHashMap<>();

    /** Takes an answer. */
    public void add(final CommandId command, final Instant at) {
        when.remove(command);
        when.put(command, at);
        forgetBefore(at.minus(KEPT));
    }

    public void addAll(final AnsweredCommands others) {
        others.when.forEach(this::add);
    }

    /** Whether this very decision was answered. */
    public boolean covers(final Command command) {
        final @Nullable Instant at = when.get(command.id());
        return at != null && !command.issuedAt().isAfter(at.plus(NEW_AFTER));
    }

    /** Whether any decision under this id was answered. */
    public boolean contains(final CommandId command) {
        return when.containsKey(command);
    }

    /** Ids come in the order of their answers, so the oldest stand first. */
    private void forgetBefore(final Instant horizon) {
        final Iterator<Instant> oldest = when.values().iterator();
        while (oldest.hasNext() && oldest.next().isBefore(horizon)) {
            oldest.remove();
        }
    }
}
