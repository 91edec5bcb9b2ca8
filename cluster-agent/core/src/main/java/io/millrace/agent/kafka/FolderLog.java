package io.millrace.agent.kafka;

import io.millrace.agent.AgentLog;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.decide.ClusterView;
import io.millrace.log.EventCodec;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.Event;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.protocol.EventType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The log of one agent process in a folder instead of a broker: the files {@code commands} and {@code outcomes}, one event as JSON per line.
 * The other process writes the commands and reads the outcomes. Observations are not kept: the next agent process observes again.
 */
public final class FolderLog implements AgentLog {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final Path commands;
    private final Path outcomes;
    private final ClusterId cluster;
    private final Semaphore woken = new Semaphore(0);
    private int position;

    public FolderLog(final Path folder, final ClusterId cluster) {
        this.commands = folder.resolve("commands");
        this.outcomes = folder.resolve("outcomes");
        this.cluster = cluster;
    }

    // ---- the other process

    public void issue(final Command command) {
        append(commands, List.of(command));
    }

    public List<Outcome> outcomes() {
        return read(outcomes, EventType.OUTCOME).stream()
                .map(Outcome.class::cast)
                .toList();
    }

    // ---- the agent

    @Override
    public ReplayedState open() {
        final Map<CommandId, Instant> begun = new HashMap<>();
        final AnsweredCommands answered = new AnsweredCommands();
        for (final Outcome outcome : outcomes()) {
            if (outcome.isAnswer()) {
                answered.add(outcome.command(), outcome.answeredAt());
                begun.remove(outcome.command());
            } else {
                begun.put(outcome.command(), outcome.answeredAt());
            }
        }
        position = 0;
        return new ReplayedState(new ClusterView(cluster), begun, answered, Map.of(), null);
    }

    @Override
    public List<Incoming> poll(final Duration patience) {
        final Instant end = Instant.now().plus(patience);
        List<Incoming> in = next();
        while (in.isEmpty() && Instant.now().isBefore(end) && !isWoken()) {
            in = next();
        }
        return in;
    }

    private List<Incoming> next() {
        final List<Event> all = read(commands, EventType.COMMAND);
        final List<Incoming> in = new ArrayList<>();
        for (; position < all.size(); position++) {
            in.add(new Incoming.CommandReceived((Command) all.get(position), position, position + 1L));
        }
        return in;
    }

    private boolean isWoken() {
        try {
            return woken.tryAcquire(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void wake() {
        woken.release();
    }

    @Override
    public void commit(final List<Entry> entries) {
        append(
                outcomes,
                entries.stream()
                        .flatMap(entry -> entry instanceof Entry.Put put && put.event() instanceof Outcome outcome
                                ? Stream.of(outcome)
                                : Stream.empty())
                        .toList());
    }

    @Override
    public void close() {
        // Every line is complete in its file already.
    }

    // ---- files

    private static synchronized void append(final Path file, final List<? extends Event> events) {
        final StringBuilder lines = new StringBuilder();
        events.forEach(event -> lines.append(new String(EventCodec.json(event), StandardCharsets.UTF_8))
                .append('\n'));
        try {
            Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line without its end is still being written. */
    private static List<Event> read(final Path file, final EventType type) {
        try {
            if (!Files.exists(file)) {
                return List.of();
            }
            final String text = Files.readString(file);
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(line -> EventCodec.parse(line.getBytes(StandardCharsets.UTF_8), type))
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
