package io.millrace.lab.campaigns.plane;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.story.Pause;
import io.millrace.story.RestClient;
import io.millrace.story.Site;
import io.millrace.story.SiteUser;
import io.millrace.story.StackParts;
import io.millrace.story.Texts;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Measures the control plane on a running stack of embedded clusters: submissions per second and their latency, ended jobs per second,
 * and what each part costs for each job. {@code ./millrace bench plane} and {@code ./millrace bench submit} start the stack.
 *
 * <p>Arguments: {@code site.properties}, {@code plane}, {@code submit} or {@code tls}, the number of jobs, for {@code plane} and {@code tls} the
 * number of connections and of rounds, for {@code tls} the https URL of submit-service and the file of its authority.
 */
public final class MeasurePlane {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final List<Integer> CONNECTIONS = List.of(1, 10, 40, 400);
    private static final List<String> DECIDING = List.of("quota", "classifier", "backfill", "migration", "transfer");
    private static final String JOB =
            "{\"command\":[\"/bin/true\"],\"cores\":1,\"walltime\":\"5\",\"source\":\"%s\",\"target\":\"%s\",\"directory\":\"%s\"}";
    private static final int DIRECTORIES = 500;
    private static final int WARM_UP_JOBS = 20;
    private static final Duration SETTLED = Duration.ofSeconds(2);
    private static final int ACCEPTED = 1_000_000;
    private static final int PAGES = 100;
    private static final int BATCHES = 5;
    private static final int BATCH_JOBS = 1000;

    private final Site site;
    private final StackParts stack;
    private final RestClient api;
    /** Jobs that run where they are submitted. */
    private final SubmissionLoad load;
    /** Jobs that must run on another cluster. */
    private final Optional<SubmissionLoad> loadElsewhere;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private MeasurePlane(final Path properties) {
        this.site = Site.read(properties);
        this.stack = new StackParts(properties, site);
        final SiteUser alice = site.user("alice");
        alice.logIn();
        site.user("operator").logIn();
        this.api = new RestClient(site, site.user("operator").tokenFile());
        final String token = Texts.read(alice.tokenFile()).strip();
        final List<Path> directories = directories(alice);
        final List<String> clusters =
                site.clusters().stream().map(Site.Cluster::name).toList();
        this.load = new SubmissionLoad(site, token, jobs(directories, clusters, 0));
        this.loadElsewhere = clusters.size() == 1
                ? Optional.empty()
                : Optional.of(new SubmissionLoad(site, token, jobs(directories, clusters, 1)));
    }

    /** A job in each directory, its source one cluster after the other, its target this many clusters further. */
    private static List<String> jobs(final List<Path> directories, final List<String> clusters, final int distance) {
        return IntStream.range(0, directories.size())
                .mapToObj(number -> JOB.formatted(
                        clusters.get(number % clusters.size()),
                        clusters.get((number + distance) % clusters.size()),
                        directories.get(number)))
                .toList();
    }

    /** A copy to another cluster covers everything in the directory of its job, so the jobs do not share one. */
    private static List<Path> directories(final SiteUser user) {
        final List<Path> directories = IntStream.range(0, DIRECTORIES)
                .mapToObj(number -> user.home().resolve("bench/" + number))
                .toList();
        directories.forEach(directory -> user.write(directory.resolve("input"), "42\n"));
        return directories;
    }

    public static void main(final String[] arguments) {
        final MeasurePlane bench = new MeasurePlane(Path.of(arguments[0]));
        bench.warmUp();
        if (arguments[1].equals("plane")) {
            new PlaneRounds(bench.stack, bench.load, bench.loadElsewhere, bench::awaitEnds, bench.out)
                    .run(
                            Integer.parseInt(arguments[2]),
                            Integer.parseInt(arguments[3]),
                            Integer.parseInt(arguments[4]));
        } else if (arguments[1].equals("tls")) {
            bench.tls(
                    Integer.parseInt(arguments[2]),
                    Integer.parseInt(arguments[3]),
                    Integer.parseInt(arguments[4]),
                    bench.load.to(URI.create(arguments[5]), CertificateAuthority.of(Path.of(arguments[6]))));
        } else {
            bench.submit(Integer.parseInt(arguments[2]));
        }
    }

    /** The same submissions in plain text and by TLS, in turns. */
    private void tls(final int jobs, final int connections, final int rounds, final SubmissionLoad encrypted) {
        out.println("            submissions/s   p50 ms   p99 ms   ms of submit-service each");
        for (int round = 0; round < rounds; round++) {
            measured("http", load, jobs, connections);
            measured("https", encrypted, jobs, connections);
        }
    }

    private void measured(final String kind, final SubmissionLoad submissions, final int jobs, final int connections) {
        final PlaneFigures before = PlaneFigures.read(stack);
        final SubmissionLoad.Result result = submissions.run(jobs, connections);
        final double seconds =
                PlaneFigures.read(stack).since(before).processorSeconds().getOrDefault("submit", 0.0);
        print(
                "%-10s  %13.0f %8d %8d %8.2f",
                kind, result.perSecond(), result.percentileMs(0.5), result.percentileMs(0.99), seconds * 1000 / jobs);
        awaitEnds();
    }

    private void warmUp() {
        // The first observation of a full queue takes longer than the start of the services.
        while (api.get("/clusters").path("clusters").size() < site.clusters().size()) {
            Pause.of(POLL_INTERVAL);
        }
        load.run(WARM_UP_JOBS, 2);
        awaitEnds();
    }

    private void submit(final int jobs) {
        out.println("while all services run");
        submissions(jobs);
        DECIDING.forEach(part -> stack.signal(part, "TERM"));
        while (DECIDING.stream().anyMatch(stack::isAlive)) {
            Pause.of(POLL_INTERVAL);
        }
        out.println();
        out.println("submit-service alone");
        final PlaneFigures before = PlaneFigures.read(stack);
        submissions(jobs);
        Pause.of(SETTLED);
        final PlaneFigures cost = PlaneFigures.read(stack).since(before);
        final int all = jobs * CONNECTIONS.size() + BATCHES * BATCH_JOBS;
        out.println();
        List.of("submit", StackParts.BROKER, StackParts.DATABASE)
                .forEach(part -> print(
                        "%-28s %8.2f ms per submission",
                        part, cost.processorSeconds().getOrDefault(part, 0.0) * 1000 / all));
        out.println();
        out.println("SQL statements per submission");
        cost.statements().entrySet().stream()
                .filter(figure -> figure.getValue() > 0)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(figure -> print("  %-28s %8.2f", figure.getKey(), figure.getValue() / all));
        pages();
    }

    private void submissions(final int jobs) {
        out.println("connections  submissions/s   p50 ms   p90 ms   p99 ms");
        for (final int connections : CONNECTIONS) {
            final SubmissionLoad.Result result = load.run(jobs, connections);
            print(
                    "%11d  %13.0f %8d %8d %8d",
                    connections,
                    result.perSecond(),
                    result.percentileMs(0.5),
                    result.percentileMs(0.9),
                    result.percentileMs(0.99));
        }
        final double seconds = IntStream.range(0, BATCHES)
                .mapToDouble(number -> load.batch(BATCH_JOBS))
                .sorted()
                .toArray()[BATCHES / 2];
        print("a batch of %,d jobs is accepted after %.2f s: %.0f jobs/s", BATCH_JOBS, seconds, BATCH_JOBS / seconds);
    }

    /** Pages of a read model with many accepted jobs. */
    private void pages() {
        final JsonNode newest = api.get("/jobs?limit=1").path("jobs").path(0);
        AcceptedJobs.add(stack, newest.path("user").asText(), ACCEPTED);
        out.println();
        print("pages of 100 of %,d accepted jobs      p50 ms   p99 ms", ACCEPTED);
        final String last =
                api.get("/jobs?limit=500").path("jobs").path(499).path("id").asText();
        page("first page", "");
        page("sixth page", "&after=" + last);
        page("active jobs", "&state=active");
        page("ended jobs", "&state=final");
        page("jobs of a user", "&user=" + AcceptedJobs.OWNER);
    }

    private void page(final String name, final String query) {
        final long[] times = new long[PAGES];
        for (int i = 0; i < PAGES; i++) {
            final long begin = System.nanoTime();
            api.get("/jobs?limit=100" + query);
            times[i] = System.nanoTime() - begin;
        }
        Arrays.sort(times);
        print("  %-34s %8.1f %8.1f", name, times[PAGES / 2] / 1e6, times[PAGES - 1] / 1e6);
    }

    private void awaitEnds() {
        while (!api.get("/jobs?state=active&limit=1").path("jobs").isEmpty()) {
            Pause.of(POLL_INTERVAL);
        }
    }

    private void print(final String format, final Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
