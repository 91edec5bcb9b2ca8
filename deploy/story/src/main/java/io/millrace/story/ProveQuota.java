package io.millrace.story;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells the story of two users on each cluster of a running stack of real Slurm: {@code ProveQuota SITE_PROPERTIES}; exit code 0 if every
 * promise was kept, 1 if not. {@code ./millrace prove quota} brings that stack up: one cluster where Millrace decides, one where Slurm does.
 */
public final class ProveQuota {

    private ProveQuota() {}

    public static void main(final String[] arguments) {
        if (arguments.length != 1) {
            System.err.println("usage: ProveQuota SITE_PROPERTIES");
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
        final String first = site.clusters().getFirst().name();
        operator.millrace(first, "mgquota", List.of("clusters"))
                .orThrow()
                .lines()
                .forEach(show::plain);
        final Views views = new Views(new Api(site, operator.tokenFile()));
        final List<Verdict> verdicts = new ArrayList<>();
        final List<String> figures = new ArrayList<>();
        for (final Site.Cluster cluster : site.clusters()) {
            final QuotaStory story = new QuotaStory(cluster, alice, bob, new Board(views, show), views, show);
            verdicts.addAll(
                    story.tell(cluster.name().equals(first) ? Optional.of(new SavingVictim(alice)) : Optional.empty()));
            figures.addAll(story.figures());
        }
        show.verdicts(verdicts);
        show.plain("");
        show.plain(QuotaStory.heading());
        figures.forEach(show::plain);
        return verdicts;
    }
}
