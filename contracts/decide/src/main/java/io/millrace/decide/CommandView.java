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
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one cluster and their answers. An unanswered command counts as done until it expires, so nothing is issued or
 * promised twice; one that was done counts as done until a revision includes it. Answers are remembered for one issuer. Of the other
 * issuers' commands it is only remembered whether they were done, because an answer takes much memory.
 */
public final class CommandView {

    /** How long answers are kept: the longest validity of a command. */
    public static final Duration RETENTION = Duration.ofHours(1);

    /** Offset of a command that was decided but not yet read back from the log. */
    public static final long NOT_YET_KNOWN = Long.MAX_VALUE;

    private record Try(String action, String subject) {

        static Try of(final Outcome answer) {
            return new Try(answer.action(), answer.subject());
        }

        static Try of(final Action action) {
            return new Try(action.name(), action.subject());
        }
    }

    /** @param own the answer, if it is remembered */
    private record Answered(
            CommandId command,
            Instant at,
            boolean isDone,
            @Nullable Outcome own) {}

    private record Entry(Command command, long offset) {}

    private final Map<CommandId, Entry> unanswered = new LinkedHashMap<>();
    private final Map<CommandId, Entry> doneNotIncluded = new LinkedHashMap<>();
    private final Map<CommandId, Answered> answered = new HashMap<>();
    /** The same, oldest first. */
    private final Queue<Answered> byAge = new PriorityQueue<>(Comparator.comparing(Answered::at));

    private final Map<Try, Deque<Outcome>> own = new HashMap<>();
    private final Issuer issuer;
    private long included;

    /** @param issuer whose answers are remembered */
    public CommandView(final Issuer issuer) {
        this.issuer = issuer;
    }
    /** No remembered command expires before. */
    private Instant noneExpiresBefore = Instant.MAX;

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

    /** Applies an outcome. {@code Begun} leaves the command open; a repeated answer has no effect. */
    public void apply(final Outcome outcome) {
        if (!outcome.isAnswer() || answered.containsKey(outcome.command())) {
            return;
        }
        final boolean done = outcome.result() instanceof Result.Done;
        final boolean isOwn = outcome.issuer() == issuer;
        final Answered answer = new Answered(outcome.command(), outcome.answeredAt(), done, isOwn ? outcome : null);
        answered.put(answer.command, answer);
        byAge.add(answer);
        if (isOwn) {
            own.computeIfAbsent(Try.of(outcome), t -> new ArrayDeque<>(1)).addLast(outcome);
        }
        final Entry entry = unanswered.remove(outcome.command());
        if (entry != null && done && entry.offset >= included) {
            doneNotIncluded.put(outcome.command(), entry);
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
        for (Answered oldest = byAge.peek(); oldest != null && oldest.at.isBefore(horizon); oldest = byAge.peek()) {
            forget(byAge.remove());
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

    private void forget(final Answered answer) {
        answered.remove(answer.command);
        final Outcome outcome = answer.own;
        if (outcome != null) {
            own.computeIfPresent(Try.of(outcome), (t, tries) -> {
                tries.remove(outcome);
                return tries.isEmpty() ? null : tries;
            });
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
        return unanswered.containsKey(Command.idOf(issuer, action, tries(action)));
    }

    /**
     * How often the issuer was answered on this action and subject: the next command's number of tries. It counts on from the newest
     * answers within {@link #RETENTION}, so that dropping the oldest does not reuse an id with a remembered answer.
     */
    public int tries(final Action action) {
        final Deque<Outcome> tries = own.get(Try.of(action));
        return tries == null
                ? 0
                : tries.stream()
                        .mapToInt(answer -> Command.triesOf(answer.command()) + 1)
                        .reduce(tries.size(), Math::max);
    }

    /** How many of the newest answers in a row were not "done": what a decider measures its patience by. */
    public int setbacks(final Action action) {
        final Deque<Outcome> tries = own.get(Try.of(action));
        int setbacks = 0;
        for (final Outcome answer : tries == null ? List.<Outcome>of() : tries) {
            setbacks = answer.result() instanceof Result.Done ? 0 : setbacks + 1;
        }
        return setbacks;
    }

    /** When actions of this name were carried out for the issuer, as far back as {@link #RETENTION}; any order. */
    public List<Instant> doneSince(final String action, final Instant since) {
        final List<Instant> done = new ArrayList<>();
        own.forEach((tried, outcomes) -> {
            if (tried.action.equals(action)) {
                outcomes.stream()
                        .filter(answer -> answer.result() instanceof Result.Done
                                && !answer.answeredAt().isBefore(since))
                        .forEach(answer -> done.add(answer.answeredAt()));
            }
        });
        return done;
    }

    /** The newest answer to the issuer on this action and subject. */
    public Optional<Outcome> lastAnswer(final Action action) {
        return Optional.ofNullable(own.get(Try.of(action))).map(Deque::peekLast);
    }
}
