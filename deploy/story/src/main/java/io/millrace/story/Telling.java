package io.millrace.story;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A story that is told on a running stack, and judged. */
@FunctionalInterface
interface Telling {

    /** How it ended, and lines for whoever wants to know more. */
    record End(List<Verdict> verdicts, List<String> lines) {}

    End tell(Site site, Cast cast);

    /** Tells it to an audience, up to its verdicts. */
    default List<Verdict> on(final Site site, final Show show) {
        final End end = tell(site, Cast.of(site, show));
        show.verdicts(end.verdicts());
        show.plain("");
        end.lines().forEach(show::plain);
        return end.verdicts();
    }

    /**
     * Tells it as a process: {@code NAME SITE_PROPERTIES}. The exit code is 0 if every promise was kept, 1 if not, 2 if it was called
     * otherwise.
     */
    default void asProcess(final Class<?> name, final String... arguments) {
        if (arguments.length != 1) {
            System.err.println(
                    "usage: " + name.getSimpleName() + " SITE_PROPERTIES (written by ./millrace up, demo or prove)");
            System.exit(2);
        }
        final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        final Show show = new Show(out, System.getenv("MILLRACE_TERMINAL") != null);
        System.exit(on(Site.read(Path.of(arguments[0])), show).stream().allMatch(Verdict::kept) ? 0 : 1);
    }
}
