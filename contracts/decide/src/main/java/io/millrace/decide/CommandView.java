package io.millrace.decide;

import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one cluster and their answers. An unanswered command counts as done until it expires, so nothing is issued or
 * promised twice; one that was done counts as done until a revision includes it. Of the issuer that uses the view also the answers are
 * remembered, and which commands have begun, without a time limit: a make step or a copy may take hours. Of the other issuers' commands
 * it is only remembered whether they were done, because an answer takes much memory.
 */
public final class CommandView {

    /** How long answers are kept: the longest validity of a command. */
    public static final Duration RETENTION = Duration.ofHours(1);

    /** Offset of a command that was decided but not yet read back from the log. */
    public static final long NOT_YET_KNOWN = Long.MAX_VALUE;

    private record Subject(String action, String name) {

        static Subject of(final Outcome answer) {
            return new Subject(answer.action(), answer.subject());
        }

        static Subject of(final Action action) {
            return new Subject(action.name(), action.subject());
        }
    }

    private record Answered(Instant at, boolean isDone) {}

    private record Entry(Command command, long offset) {}

    /** The issuer's commands on one subject. */
    private static final class Tries {
        private final Deque<Outcome> answers = new ArrayDeque<>(1);
        private @Nullable Outcome begun;
        /** Number of the newest command. */
        private int newest;

        private Instant touched = Instant.MIN;

        void touch(final CommandId id, final Instant at) {
            newest = Math.max(newest, Command.triesOf(id));
            touched = at.isAfter(touched) ? at : touched;
        }

        boolean isOutdated(final Instant horizon) {
            answers.removeIf(answer -> answer.answeredAt().isBefore(horizon));
            return answers.isEmpty() && begun == null && touched.isBefore(horizon);
        }

        CommandStatus status(final Outcome answer) {
            return new CommandStatus.Answered(
                    answer,
                    answers.size(),
                    answers.getFirst().answeredAt().plus(RETENTION).plusMillis(1));
        }
    }

    /** @param own its subject, if it is a command of the issuer */
    private record Remembered(
            Instant at, CommandId command, @Nullable Subject own) {}

    private final Map<CommandId, Entry> unanswered = new LinkedHashMap<>();
    private final Map<CommandId, Entry> doneNotIncluded = new LinkedHashMap<>();
    private final Map<CommandId, Answered> answered = new HashMap<>();
    private final Map<Subject, Tries> own = new HashMap<>();
    private final Queue<Remembered> oldestFirst = new PriorityQueue<>(Comparator.comparing(Remembered::at));
    private final Issuer issuer;
    private long included;
    /** No remembered command expires before. */
    private Instant noneExpiresBefore = Instant.MAX;

    /** @param issuer whose answers are remembered */
    public CommandView(final Issuer issuer) {
        this.issuer = issuer;
    }

    /**
     * Applies a command of the log, or one just decided.
     *
     * @param issued the script of a job that it submits is not kept
     * @param offset its offset on {@code millrace.commands}, or {@link #NOT_YET_KNOWN}
     */
    public void apply(final Command issued, final long offset) {
        final Command command = issued.withoutTexts();
        noneExpiresBefore = Stream.of(noneExpiresBefore, command.validUntil(), retainedUntil(command))
                .min(Comparator.naturalOrder())
                .orElseThrow();
        if (command.issuer() == issuer) {
            touch(command.id(), command.issuedAt(), Subject.of(command.action()));
        }
        final Answered answer = answered.get(command.id());
        if (answer != null) {
            // Topics are read in no common order: after a restart the answer may come before its command.
            if (answer.isDone) {
                doneNotIncluded.merge(
                        command.id(),
                        new Entry(command, offset),
                        (old, fresh) -> new Entry(command, Math.min(old.offset, fresh.offset)));
                doneNotIncluded.values().removeIf(entry -> entry.offset < included);
            }
        } else {
            unanswered.merge(
                    command.id(),
                    new Entry(command, offset),
                    (old, fresh) -> new Entry(command, Math.min(old.offset, fresh.offset)));
        }
    }

    private Tries touch(final CommandId id, final Instant at, final Subject subject) {
        final Tries tries = own.computeIfAbsent(subject, s -> new Tries());
        tries.touch(id, at);
        oldestFirst.add(new Remembered(at, id, subject));
        return tries;
    }

    /** Applies an outcome. {@code Begun} leaves the command open; a repeated answer has no effect. */
    public void apply(final Outcome outcome) {
        final boolean isOwn = outcome.issuer() == issuer;
        if (answered.containsKey(outcome.command()) || !(isOwn || outcome.isAnswer())) {
            return;
        }
        if (isOwn) {
            applyOwn(outcome);
        } else {
            oldestFirst.add(new Remembered(outcome.answeredAt(), outcome.command(), null));
        }
        if (!outcome.isAnswer()) {
            return;
        }
        final boolean done = outcome.result() instanceof Result.Done;
        answered.put(outcome.command(), new Answered(outcome.answeredAt(), done));
        final Entry entry = unanswered.remove(outcome.command());
        if (entry != null && done && entry.offset >= included) {
            doneNotIncluded.put(outcome.command(), entry);
        }
    }

    private void applyOwn(final Outcome outcome) {
        final Tries tries = touch(outcome.command(), outcome.answeredAt(), Subject.of(outcome));
        final boolean knownToHaveBegun =
                tries.begun != null && tries.begun.command().equals(outcome.command());
        if (outcome.isAnswer()) {
            tries.answers.addLast(outcome);
            tries.begun = knownToHaveBegun ? null : tries.begun;
        } else {
            tries.begun = knownToHaveBegun ? tries.begun : outcome;
        }
    }

    /** A revision of the cluster was closed that includes the effects of all commands before this offset. */
    public void included(final long commandsIncluded) {
        included = Math.max(included, commandsIncluded);
        doneNotIncluded.values().removeIf(entry -> entry.offset < included);
    }

    /**
     * Forgets what is older than the longest validity; costs what is forgotten, not what is remembered.
     *
     * @return whether a command that was assumed to take effect was forgotten
     */
    public boolean forgetBefore(final Instant now) {
        final Instant horizon = now.minus(RETENTION);
        final boolean expired = noneExpiresBefore.isBefore(now) && removeExpired(now, horizon);
        for (Remembered oldest = oldestFirst.peek();
                oldest != null && oldest.at.isBefore(horizon);
                oldest = oldestFirst.peek()) {
            forget(oldestFirst.remove(), horizon);
        }
        return expired;
    }

    private boolean removeExpired(final Instant now, final Instant horizon) {
        final boolean expired =
                unanswered.values().removeIf(entry -> entry.command.validUntil().isBefore(now));
        final boolean outdated = doneNotIncluded
                .values()
                .removeIf(entry -> entry.command.issuedAt().isBefore(horizon));
        noneExpiresBefore = Stream.concat(
                        unanswered.values().stream().map(entry -> entry.command.validUntil()),
                        doneNotIncluded.values().stream().map(entry -> retainedUntil(entry.command)))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
        return expired || outdated;
    }

    private static Instant retainedUntil(final Command command) {
        return command.issuedAt().plus(RETENTION);
    }

    private void forget(final Remembered old, final Instant horizon) {
        answered.computeIfPresent(old.command, (id, answer) -> answer.at.isBefore(horizon) ? null : answer);
        if (old.own != null) {
            own.computeIfPresent(old.own, (s, tries) -> tries.isOutdated(horizon) ? null : tries);
        }
    }

    /** Commands with an effect that no revision shows yet and that must be assumed, in the order of their issue. */
    public Collection<Command> assumed() {
        final List<Command> all = new ArrayList<>(doneNotIncluded.size() + unanswered.size());
        doneNotIncluded.values().forEach(entry -> all.add(entry.command));
        unanswered.values().stream().filter(entry -> entry.offset >= included).forEach(entry -> all.add(entry.command));
        return all;
    }

    /** Commands without an answer. */
    public Collection<Command> unanswered() {
        return unanswered.values().stream().map(Entry::command).toList();
    }

    /** Whether the issuer has issued this decision and got no answer. */
    public boolean isUnanswered(final Action action) {
        final Tries tries = own.get(Subject.of(action));
        return tries != null && unanswered.containsKey(Command.idOf(issuer, action, tries.newest));
    }

    /** What is known of the issuer's commands on this action and subject. */
    public CommandStatus status(final Action action) {
        final Tries tries = own.get(Subject.of(action));
        if (tries == null) {
            return new CommandStatus.Unknown();
        }
        if (tries.begun != null) {
            return new CommandStatus.Begun(tries.begun.answeredAt());
        }
        final Entry open = unanswered.get(Command.idOf(issuer, action, tries.newest));
        if (open != null) {
            return new CommandStatus.Open(open.command.validUntil());
        }
        return tries.answers.isEmpty() ? new CommandStatus.Unknown() : tries.status(tries.answers.getLast());
    }

    /** What is known of the issuer's command with this number. */
    public CommandStatus status(final Action action, final int number) {
        final Tries tries = own.get(Subject.of(action));
        if (tries == null) {
            return new CommandStatus.Unknown();
        }
        final CommandId id = Command.idOf(issuer, action, number);
        if (tries.begun != null && tries.begun.command().equals(id)) {
            return new CommandStatus.Begun(tries.begun.answeredAt());
        }
        final Entry open = unanswered.get(id);
        return open != null
                ? new CommandStatus.Open(open.command.validUntil())
                : tries.answers.stream()
                        .filter(answer -> answer.command().equals(id))
                        .findFirst()
                        .map(tries::status)
                        .orElseGet(CommandStatus.Unknown::new);
    }

    /** The number of the issuer's newest command on this action and subject within {@link #RETENTION}. */
    public OptionalInt newest(final Action action) {
        final Tries tries = own.get(Subject.of(action));
        return tries == null ? OptionalInt.empty() : OptionalInt.of(tries.newest);
    }

    /** The id of the issuer's next command on this action and subject; see {@link #nextId(Action, int)}. */
    public CommandId nextId(final Action action) {
        return nextId(action, 0);
    }

    /**
     * The id of the issuer's next command on this action and subject: that of the newest one if it expired unanswered, else one that was
     * not used within {@link #RETENTION}.
     *
     * @param first the number to start from if no command is remembered
     */
    public CommandId nextId(final Action action, final int first) {
        final OptionalInt newest = newest(action);
        if (newest.isEmpty()) {
            return Command.idOf(issuer, action, first);
        }
        final CommandId last = Command.idOf(issuer, action, newest.getAsInt());
        return answered.containsKey(last) ? Command.idOf(issuer, action, newest.getAsInt() + 1) : last;
    }

    /** How many of the newest answers in a row were not "done": what a decider measures its patience by. */
    public int setbacks(final Action action) {
        final Tries tries = own.get(Subject.of(action));
        int setbacks = 0;
        for (final Outcome answer : tries == null ? List.<Outcome>of() : tries.answers) {
            setbacks = answer.result() instanceof Result.Done ? 0 : setbacks + 1;
        }
        return setbacks;
    }

    /** When actions of this name were carried out for the issuer, as far back as {@link #RETENTION}; any order. */
    public List<Instant> doneSince(final String action, final Instant since) {
        final List<Instant> done = new ArrayList<>();
        own.forEach((subject, tries) -> {
            if (subject.action.equals(action)) {
                tries.answers.stream()
                        .filter(answer -> answer.result() instanceof Result.Done
                                && !answer.answeredAt().isBefore(since))
                        .forEach(answer -> done.add(answer.answeredAt()));
            }
        });
        return done;
    }

    /** The newest answer to the issuer on this action and subject. */
    public Optional<Outcome> lastAnswer(final Action action) {
        return Optional.ofNullable(own.get(Subject.of(action))).map(tries -> tries.answers.peekLast());
    }
}
