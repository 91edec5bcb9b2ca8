package io.millrace.migration.domain;

import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.view.CommandView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * This service's own orders to one cluster and what was answered.
 *
 * <p>Beyond {@link CommandView} it knows what was begun, for as long as that takes (a make step may run for hours), and it never brings
 * an id back: an agent carries out no id twice in its life, so an id whose answer is forgotten here would never be answered again. Ids
 * therefore count on from the newest one within the memory, and from the age of the attempt in hours where nothing is remembered.
 */
final class CommandTracker {

    private record Subject(String action, String subject) {}

    private static final class Page {
        private final Deque<Outcome> answers = new ArrayDeque<>();
        private @Nullable Command open;
        private @Nullable CommandId begun;
        private int newest = -1;
        private Instant touched = Instant.MIN;

        boolean isAnswered(final CommandId id) {
            return answers.stream().anyMatch(answer -> answer.command().equals(id));
        }

        void touch(final CommandId id, final Instant at) {
            newest = Math.max(newest, Command.triesOf(id));
            touched = at.isAfter(touched) ? at : touched;
        }
    }

    /** More than the tries of an hour can be. */
    private static final int IDS_PER_HOUR = 100_000;

    private static final int LAST_HOUR = 9_998;

    private final Map<Subject, Page> pages = new HashMap<>();

    void issued(final Command command) {
        if (command.issuer() != Issuer.MIGRATION) {
            return;
        }
        final Page page = page(command.action().name(), command.action().subject());
        page.touch(command.id(), command.issuedAt());
        if (!page.isAnswered(command.id())) {
            page.open = command;
        }
    }

    void answered(final Outcome outcome) {
        if (outcome.issuer() != Issuer.MIGRATION) {
            return;
        }
        final Page page = page(outcome.action(), outcome.subject());
        page.touch(outcome.command(), outcome.answeredAt());
        if (page.isAnswered(outcome.command())) {
            return;
        }
        if (!outcome.isAnswer()) {
            page.begun = outcome.command();
            return;
        }
        page.answers.addLast(outcome);
        if (page.open != null && page.open.id().equals(outcome.command())) {
            page.open = null;
        }
        if (outcome.command().equals(page.begun)) {
            page.begun = null;
        }
    }

    CommandStatus status(final Action action) {
        final Page page = pages.get(new Subject(action.name(), action.subject()));
        if (page == null) {
            return new CommandStatus.NotIssued();
        }
        if (page.begun != null) {
            return new CommandStatus.Pending(Optional.empty());
        }
        if (page.open != null) {
            return new CommandStatus.Pending(Optional.of(page.open.validUntil().plusMillis(1)));
        }
        return page.answers.isEmpty()
                ? new CommandStatus.NotIssued()
                : new CommandStatus.Answered(
                        page.answers.getLast(),
                        page.answers.size(),
                        page.answers
                                .getFirst()
                                .answeredAt()
                                .plus(CommandView.RETENTION)
                                .plusMillis(1));
    }

    /**
     * The id of the next order: the same as the last one if that expired unanswered, else one that was never used.
     *
     * @param anchor an instant of the subject that never changes and lies before its first order
     */
    CommandId nextId(final Action action, final Instant anchor, final Instant now) {
        final Page page = pages.get(new Subject(action.name(), action.subject()));
        if (page == null || page.newest < 0) {
            final long hours = Math.clamp(Duration.between(anchor, now).toHours(), 0, LAST_HOUR);
            return Command.idOf(Issuer.MIGRATION, action, (int) hours * IDS_PER_HOUR);
        }
        final CommandId last = Command.idOf(Issuer.MIGRATION, action, page.newest);
        return page.isAnswered(last) ? Command.idOf(Issuer.MIGRATION, action, page.newest + 1) : last;
    }

    /** Drops orders that expired unbegun, and what lies farther back than the memory. */
    void forgetBefore(final Instant now) {
        final Instant horizon = now.minus(CommandView.RETENTION);
        pages.values().removeIf(page -> {
            if (page.open != null && page.open.validUntil().isBefore(now)) {
                page.open = null;
            }
            page.answers.removeIf(answer -> answer.answeredAt().isBefore(horizon));
            return page.open == null && page.begun == null && page.answers.isEmpty() && page.touched.isBefore(horizon);
        });
    }

    private Page page(final String action, final String subject) {
        return pages.computeIfAbsent(new Subject(action, subject), s -> new Page());
    }
}
