package io.millrace.story;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Tells the story on a running stack: {@code Demo SITE_PROPERTIES}; exit code 0 if every promise was kept, 1 if not. */
public final class Demo {

    private Demo() {}

    public static void main(final String[] arguments) {
        if (arguments.length != 1) {
            System.err.println("usage: Demo SITE_PROPERTIES (written by ./millrace up or demo)");
            System.exit(2);
        }
        final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        final Show show = new Show(out, System.getenv("MILLRACE_TERMINAL") != null);
        System.exit(tell(Site.read(Path.of(arguments[0])), show).stream().allMatch(Verdict::kept) ? 0 : 1);
    }

    static List<Verdict> tell(final Site site, final Show show) {
        final Person operator = site.person("operator");
        final Person alice = site.person("alice");
        final Person bob = site.person("bob");
        List.of(operator, alice, bob).forEach(Person::logIn);
        final Views views = new Views(new Api(site, operator.tokenFile()));
        final Story story = new Story(alice, bob, new Board(views, show), views, show);
        final List<Verdict> verdicts = story.tell();
        show.verdicts(verdicts);
        show.plain("");
        story.table().forEach(show::plain);
        return verdicts;
    }
}
