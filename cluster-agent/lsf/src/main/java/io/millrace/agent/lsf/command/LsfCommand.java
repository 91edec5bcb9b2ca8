package io.millrace.agent.lsf.command;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command that changes something: {@code bstop 12}, {@code brequeue -H 12}, {@code badmin qinact normal}.
 *
 * @param words program and arguments, the program without its directory
 */
public record LsfCommand(LsfSite site, List<String> words) implements CommandLine<Accepted> {

    public LsfCommand {
        words = List.copyOf(words);
    }

    public static LsfCommand of(final LsfSite site, final String... words) {
        return new LsfCommand(site, List.of(words));
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(words);
        argv.set(0, site.program(words.get(0)));
        return argv;
    }

    @Override
    public Map<String, String> environment() {
        return site.queryEnvironment();
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Answer<Accepted> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(new Accepted(String.join(" ", words)))
                : LsfErrors.of("'" + String.join(" ", words) + "'", result, Answer.Kind.REJECTED);
    }
}
