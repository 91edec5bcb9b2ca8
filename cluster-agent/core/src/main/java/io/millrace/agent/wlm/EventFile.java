package io.millrace.agent.wlm;

import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A file to which the workload manager appends a line for each event.
 *
 * @param name for operators, e.g. {@code lsb.events}
 * @param at the path at an instant, because some workload managers start a new file each day
 * @param isEvent whether a line may mean that the state of the cluster has changed; true for unknown lines
 * @param grant one sentence: how to give the agent read permission
 */
public record EventFile(String name, Function<Instant, Path> at, Predicate<String> isEvent, String grant) {

    /** A file with a fixed path, where every line is an event. */
    public static EventFile of(final String name, final Path path, final String grant) {
        return new EventFile(name, now -> path, line -> true, grant);
    }
}
