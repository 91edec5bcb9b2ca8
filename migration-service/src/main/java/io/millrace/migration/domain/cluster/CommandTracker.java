package io.millrace.migration.domain.cluster;

import io.millrace.decide.CommandView;
import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The commands that migration-service issued to one cluster, and their answers.
 *
 * <p>Unlike {@link CommandView} it tracks commands that an agent executes for as long as they run (a make step may take hours), and it
 * never reuses an id: an agent executes each id at most once, so a reused id would never be answered. Ids count on from the newest
 * remembered one; if none is remembered, they start from the age of the attempt in hours.
 */
public final class CommandTracker {

    private record Subject(String action, String subject) {}

    private static final class Entry {
        private final Deque<Outcome> answers = new ArrayDeque<>();
        private @Nullable Command open;
        private @Nullable CommandId running;
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

    /** More than the possible tries in one hour. */
    private static final int IDS_PER_HOUR = 100_000;

    private static final int LAST_HOUR = 9_998;

    private record Due(Instant at, Subject subject) {}

    private final Map<Subject, Entry> entries = new HashMap<>();
    /** When entries must be looked at again. */
    private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparing(Due::at));

    void issued(final Command command) {
        if (command.issuer() != Issuer.MIGRATION) {
            return;
        }
        final Subject subject =
                new Subject(command.action().name(), command.action().subject());
        final Entry entry = entry(subject);
        entry.touch(command.id(), command.issuedAt());
        due.add(new Due(command.validUntil(), subject));
        due.add(new Due(command.issuedAt().plus(CommandView.RETENTION), subject));
        if (!entry.isAnswered(command.id())) {
            entry.open = command;
        }
    }

    void answered(final Outcome outcome) {
        if (outcome.issuer() != Issuer.MIGRATION) {
            return;
        }
        final Subject subject = new Subject(outcome.action(), outcome.subject());
        final Entry entry = entry(subject);
        entry.touch(outcome.command(), outcome.answeredAt());
        due.add(new Due(outcome.answeredAt().plus(CommandView.RETENTION), subject));
        if (entry.isAnswered(outcome.command())) {
            return;
        }
        if (!outcome.isAnswer()) {
            entry.running = outcome.command();
            return;
        }
        entry.answers.addLast(outcome);
        if (entry.open != null && entry.open.id().equals(outcome.command())) {
            entry.open = null;
        }
        if (outcome.command().equals(entry.running)) {
            entry.running = null;
        }
    }

    CommandStatus status(final Action action) {
        final Entry entry = entries.get(new Subject(action.name(), action.subject()));
        if (entry == null) {
            return new CommandStatus.NotIssued();
        }
        if (entry.running != null) {
            return new CommandStatus.Pending(Optional.empty());
        }
        if (entry.open != null) {
            return new CommandStatus.Pending(Optional.of(entry.open.validUntil().plusMillis(1)));
        }
        return entry.answers.isEmpty()
                ? new CommandStatus.NotIssued()
                : new CommandStatus.Answered(
                        entry.answers.getLast(),
                        entry.answers.size(),
                        entry.answers
                                .getFirst()
                                .answeredAt()
                                .plus(CommandView.RETENTION)
                                .plusMillis(1));
    }

    /**
     * The id of the next command: that of the last one if it expired unanswered, else one that was never used.
     *
     * @param anchor a fixed instant of the subject before its first command
     */
    CommandId nextId(final Action action, final Instant anchor, final Instant now) {
        final Entry entry = entries.get(new Subject(action.name(), action.subject()));
        if (entry == null || entry.newest < 0) {
            final long hours = Math.clamp(Duration.between(anchor, now).toHours(), 0, LAST_HOUR);
            return Command.idOf(Issuer.MIGRATION, action, (int) hours * IDS_PER_HOUR);
        }
        final CommandId last = Command.idOf(Issuer.MIGRATION, action, entry.newest);
        return entry.isAnswered(last) ? Command.idOf(Issuer.MIGRATION, action, entry.newest + 1) : last;
    }

    /** Drops commands that expired before they began, and everything older than the retention time. Costs what is due, not what is known. */
    void forgetBefore(final Instant now) {
        for (Due next = due.peek(); next != null && next.at().isBefore(now); next = due.peek()) {
            final Subject subject = due.remove().subject();
            entries.computeIfPresent(subject, (s, entry) -> isOutdated(entry, now) ? null : entry);
        }
    }

    private static boolean isOutdated(final Entry entry, final Instant now) {
        final Instant horizon = now.minus(CommandView.RETENTION);
        if (entry.open != null && entry.open.validUntil().isBefore(now)) {
            entry.open = null;
        }
        entry.answers.removeIf(answer -> answer.answeredAt().isBefore(horizon));
        return entry.open == null
                && entry.running == null
                && entry.answers.isEmpty()
                && entry.touched.isBefore(horizon);
    }

    private Entry entry(final Subject subject) {
        return entries.computeIfAbsent(subject, s -> new Entry());
    }
}
