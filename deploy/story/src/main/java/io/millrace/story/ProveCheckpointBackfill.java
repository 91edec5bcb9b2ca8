package io.millrace.story;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Proves checkpoint backfill on a running stack whose first cluster is real Slurm: {@code ProveCheckpointBackfill SITE_PROPERTIES}; exit code
 * 0 if every promise was kept, 1 if not. {@code ./millrace prove checkpoint-backfill} brings that stack up.
 */
public final class ProveCheckpointBackfill {

    private ProveCheckpointBackfill() {}

    public static void main(final String[] arguments) {
        if (arguments.length != 1) {
            System.err.println("usage: ProveCheckpointBackfill SITE_PROPERTIES");
            System.exit(2);
        }
        final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        final Show show = new Show(out, System.getenv("MILLRACE_TERMINAL") != null);
        System.exit(prove(Site.read(Path.of(arguments[0])), show).stream().allMatch(Verdict::kept) ? 0 : 1);
    }

    private static List<Verdict> prove(final Site site, final Show show) {
        final Person operator = site.person("operator");
        final Person alice = site.person("alice");
        final Person bob = site.person("bob");
        List.of(operator, alice, bob).forEach(Person::logIn);
        final Views views = new Views(new Api(site, operator.tokenFile()));
        final CheckpointBackfill story =
                new CheckpointBackfill(site.clusters().getFirst(), alice, bob, new Board(views, show), views, show);
        final List<Verdict> verdicts = story.tell();
        show.verdicts(verdicts);
        show.plain("");
        story.times().forEach(show::plain);
        return verdicts;
    }
}
