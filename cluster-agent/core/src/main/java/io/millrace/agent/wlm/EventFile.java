package io.millrace.agent.wlm;

import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A file that gets a line whenever something happens at a workload manager.
 *
 * @param name as operators call it, e.g. {@code lsb.events}
 * @param at which file it is at this instant: some begin a new one each day
 * @param isEvent whether a line may mean that the picture has changed; a line it does not know does
 * @param grant how to let the agent read it, one sentence
 */
public record EventFile(String name, Function<Instant, Path> at, Predicate<String> isEvent, String grant) {

    /** One that stays where it is, and each line of which isEvent. */
    public static EventFile of(final String name, final Path path, final String grant) {
        return new EventFile(name, now -> path, line -> true, grant);
    }
}
