package io.millrace.story;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A sequence of steps that is run on a running stack and ends with verdicts. */
@FunctionalInterface
public interface Scenario {

    /** The verdicts, and lines with details. */
    record Outcome(List<Verdict> verdicts, List<String> details) {}

    Outcome run(Site site, Participants participants);

    /** Runs the scenario and prints its progress, its verdicts and the details. */
    default List<Verdict> on(final Site site, final ProgressOutput output) {
        final Outcome outcome = run(site, Participants.of(site, output));
        output.verdicts(outcome.verdicts());
        output.plain("");
        outcome.details().forEach(output::plain);
        return outcome.verdicts();
    }

    /**
     * Runs the scenario as a process: {@code NAME SITE_PROPERTIES}. The exit code is 0 if every promise was kept, 1 if one was not, 2
     * for wrong arguments.
     */
    default void asProcess(final Class<?> name, final String... arguments) {
        if (arguments.length != 1) {
            System.err.println(
                    "usage: " + name.getSimpleName() + " SITE_PROPERTIES (written by ./millrace up, demo or prove)");
            System.exit(2);
        }
        final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        final ProgressOutput output = new ProgressOutput(out, System.getenv("MILLRACE_TERMINAL") != null);
        System.exit(on(Site.read(Path.of(arguments[0])), output).stream().allMatch(Verdict::kept) ? 0 : 1);
    }
}
