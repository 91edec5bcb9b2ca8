package io.millrace.agent.command;

import io.millrace.model.CommandId;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What takes long, each on a virtual thread of its own, so that it never blocks the next command. Results wait here for the agent's
 * thread, which alone writes the log: a log that is away for a while loses none of them.
 */
public final class BackgroundCommands implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundCommands.class);

    /** What became of a command. */
    record Finished(Command command, Result result) {}

    /** Long work; its thread is interrupted when the agent ends, and then what it returns is not heard. */
    interface Work {
        Result run() throws InterruptedException;
    }

    private final Map<CommandId, Thread> running = new ConcurrentHashMap<>();
    private final Queue<Finished> finished = new ConcurrentLinkedQueue<>();
    private final Runnable wake;
    private volatile boolean closed;

    /** @param wake called when something is finished */
    public BackgroundCommands(final Runnable wake) {
        this.wake = wake;
    }

    void start(final Command command, final Work work) {
        final Thread thread = Thread.ofVirtual().name("command " + command.id()).unstarted(() -> run(command, work));
        running.put(command.id(), thread);
        thread.start();
    }

    private void run(final Command command, final Work work) {
        try {
            finish(command, work.run());
        } catch (final InterruptedException e) {
            LOG.info("{} is left as it is; the next life of this agent will look after it", command.id());
        } catch (final RuntimeException e) {
            LOG.error("{} broke off", command.id(), e);
            finish(
                    command,
                    new Result.Unclear("the agent broke off in the midst of it (" + e + "); see its log, and the job"));
        }
    }

    private void finish(final Command command, final Result result) {
        if (!closed) {
            finished.add(new Finished(command, result));
            wake.run();
        }
    }

    boolean isRunning(final CommandId command) {
        return running.containsKey(command);
    }

    public boolean hasFinished() {
        return !finished.isEmpty();
    }

    /** Results that do not stand on the log yet; call {@link #said} when they do. */
    List<Finished> finished() {
        return new ArrayList<>(finished);
    }

    void said(final Finished result) {
        finished.remove(result);
        running.remove(result.command().id());
    }

    @Override
    public void close() {
        closed = true;
        running.values().forEach(Thread::interrupt);
    }
}
