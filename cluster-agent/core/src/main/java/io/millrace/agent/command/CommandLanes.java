package io.millrace.agent.command;

import io.millrace.agent.exec.ParallelWork;
import io.millrace.model.CommandId;
import io.millrace.model.command.Command;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Executes commands about different jobs at the same time, and those about one job in their order. */
public final class CommandLanes {

    /** Enough to use the cores of a login node while programs of the workload manager wait for its server, which serves others, too. */
    static final int AT_ONCE = 8;

    private final int atOnce;

    public CommandLanes() {
        this(AT_ONCE);
    }

    /** @param atOnce maximum number of commands that are executed at the same time */
    CommandLanes(final int atOnce) {
        this.atOnce = atOnce;
    }

    /**
     * Returns when all commands that were started have ended.
     *
     * @param isLate asked before each command; if true, this command and those after it about the same job are not executed
     * @return the results of the commands that were executed
     */
    <T> Map<CommandId, T> execute(
            final List<Command> commands, final Function<Command, T> execute, final BooleanSupplier isLate) {
        final Map<CommandId, T> results = new ConcurrentHashMap<>();
        final Queue<List<Command>> lanes = new ConcurrentLinkedQueue<>(commands.stream()
                .collect(Collectors.groupingBy(
                        command -> command.action().subject(), LinkedHashMap::new, Collectors.toList()))
                .values());
        final int threads = Math.min(atOnce, lanes.size());
        final Runnable work = () -> {
            for (List<Command> lane = lanes.poll(); lane != null; lane = lanes.poll()) {
                for (final Command command : lane) {
                    if (isLate.getAsBoolean()) {
                        break;
                    }
                    results.put(command.id(), execute.apply(command));
                }
            }
        };
        ParallelWork.run(work, threads);
        return results;
    }
}
