package io.millrace.agent.command;

import io.millrace.agent.action.AgentAction;
import io.millrace.model.CommandId;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands that take long, each on a virtual thread, so that they do not block the next command.
 *
 * <p>Results wait here for the agent's thread, which alone writes to Kafka. No result is lost while Kafka is unavailable.
 */
public final class BackgroundCommands implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundCommands.class);

    /** A command that has ended, and its result. */
    record Finished(Command command, Result result) {}

    /** The execution of one command. It is interrupted when the agent stops, and its result is then discarded. */
    interface Work {
        Result run() throws InterruptedException;
    }

    private final Map<CommandId, Thread> running = new ConcurrentHashMap<>();
    private final Map<CommandId, Command> executing = new ConcurrentHashMap<>();
    private final Queue<Finished> finished = new ConcurrentLinkedQueue<>();
    private final Queue<CommandId> settled = new ConcurrentLinkedQueue<>();
    private final Runnable wake;
    private volatile boolean closed;

    /** @param wake called when a command has ended */
    public BackgroundCommands(final Runnable wake) {
        this.wake = wake;
    }

    void start(final Command command, final Work work) {
        final Thread thread = Thread.ofVirtual().name("command " + command.id()).unstarted(() -> run(command, work));
        running.put(command.id(), thread);
        executing.put(command.id(), command);
        thread.start();
    }

    /**
     * Executes a command on a thread of its own and waits for its result at most this long. Then it continues as a background command, and
     * the answer is {@code Begun}.
     *
     * @param work empty if it is unknown whether the command took effect; then its result is that of {@code unknown}
     */
    Optional<Result> within(
            final Duration patience, final Command command, final Supplier<Optional<Result>> work, final Work unknown) {
        final FutureTask<Optional<Result>> task = new FutureTask<>(work::get);
        Thread.ofPlatform().daemon().name("command " + command.id()).start(task);
        try {
            return task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final TimeoutException e) {
            start(command, () -> {
                final Optional<Result> result = await(task);
                return result.isPresent() ? result.get() : unknown.run();
            });
            return Optional.of(new Result.Begun());
        } catch (final ExecutionException e) {
            throw new IllegalStateException("command " + command.id() + " failed in the agent", e.getCause());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Optional<Result> await(final FutureTask<Optional<Result>> task) throws InterruptedException {
        try {
            return task.get();
        } catch (final ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void run(final Command command, final Work work) {
        try {
            finish(command, work.run());
        } catch (final InterruptedException e) {
            LOG.info(
                    "command {} was interrupted because the agent stops; it will be recovered after restart",
                    command.id());
        } catch (final RuntimeException e) {
            LOG.error("command {} failed in the agent", command.id(), e);
            finish(
                    command,
                    new Result.Unclear(
                            "internal error in the agent (" + e + "); check the agent's log and the state of the job"));
        }
    }

    private void finish(final Command command, final Result result) {
        executing.remove(command.id());
        if (!closed) {
            finished.add(new Finished(command, result));
            wake.run();
        }
    }

    /** Whether the command was started here and its result is not in Kafka yet. */
    boolean isRunning(final CommandId command) {
        return running.containsKey(command);
    }

    /** Whether a command that changes the queue is being executed at this moment. Copies and make steps do not count. */
    public boolean isChangingQueue() {
        return executing.values().stream()
                .anyMatch(command -> AgentAction.of(command.action()).changesQueue());
    }

    /** The command continues, but what it changes is over: neither other commands nor a switch of control wait for its answer. */
    public void settle(final CommandId command) {
        if (executing.remove(command) != null) {
            settled.add(command);
            wake.run();
        }
    }

    /** Removes and returns the commands that have been settled since the last call. */
    List<CommandId> takeSettled() {
        return Stream.generate(settled::poll).takeWhile(Objects::nonNull).toList();
    }

    public boolean hasFinished() {
        return !finished.isEmpty();
    }

    /** Results that are not in Kafka yet; call {@link #acknowledge} when they are. */
    List<Finished> finished() {
        return new ArrayList<>(finished);
    }

    void acknowledge(final Finished result) {
        finished.remove(result);
        running.remove(result.command().id());
    }

    @Override
    public void close() {
        closed = true;
        running.values().forEach(Thread::interrupt);
    }
}
