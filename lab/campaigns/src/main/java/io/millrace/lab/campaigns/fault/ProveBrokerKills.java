package io.millrace.lab.campaigns.fault;

import io.millrace.story.Pause;
import io.millrace.story.ProgressOutput;
import io.millrace.story.Scenario;
import io.millrace.story.StackParts;
import io.millrace.story.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Kills the broker, or a random one of several, again and again while users submit jobs, and measures how long each service stops: {@code
 * SITE_PROPERTIES KILLS SEED}. With one broker a stop is measured from its new start on, with several from the kill on. {@code ./millrace prove
 * broker-kills} starts the stack.
 */
public final class ProveBrokerKills {

    private static final Duration PROMISE = Duration.ofSeconds(30);
    private static final Duration ENDS = Duration.ofMinutes(10);

    private final StackParts stack;
    private final CampaignJobs jobs;
    private final ProgressOutput output;
    private final Random random;
    private final int kills;
    private final List<Duration> starts = new ArrayList<>();
    private final Map<String, List<Duration>> stops = new TreeMap<>();

    private ProveBrokerKills(
            final StackParts stack,
            final CampaignJobs jobs,
            final ProgressOutput output,
            final int kills,
            final long seed) {
        this.stack = stack;
        this.jobs = jobs;
        this.output = output;
        this.kills = kills;
        this.random = new Random(seed);
    }

    public static void main(final String... arguments) {
        final int kills = Integer.parseInt(arguments[1]);
        final long seed = Long.parseLong(arguments[2]);
        final Scenario scenario = (site, participants) -> new ProveBrokerKills(
                        new StackParts(Path.of(arguments[0]), site),
                        new CampaignJobs(site, participants.queries(), seed),
                        participants.output(),
                        kills,
                        seed)
                .run();
        scenario.asProcess(ProveBrokerKills.class, arguments[0]);
    }

    private Scenario.Outcome run() {
        final List<String> brokers = stack.brokers();
        jobs.begin();
        for (int kill = 1; kill <= kills; kill++) {
            Pause.of(Duration.ofMillis(2_000 + random.nextInt(8_000)));
            final String broker = brokers.get(random.nextInt(brokers.size()));
            // Half of the time the broker starts at once, which is when its coordinators are loaded twice.
            final Duration down = Duration.ofMillis(random.nextBoolean() ? 0 : random.nextInt(15_000));
            stack.signal(broker, "KILL");
            final CompletableFuture<Duration> start = CompletableFuture.supplyAsync(() -> startAfter(down, broker));
            final Map<String, Duration> now = new TreeMap<>();
            final List<String> ended = new ArrayList<>();
            if (brokers.size() > 1) {
                // The other brokers take over.
                merge(Recovery.since(Instant.now(), stack, stack.services()), now, ended);
            }
            starts.add(start.join());
            merge(Recovery.since(Instant.now(), stack, stack.services()), now, ended);
            now.forEach((service, stop) ->
                    stops.computeIfAbsent(service, s -> new ArrayList<>()).add(stop));
            final Map.Entry<String, Duration> longest = Collections.max(now.entrySet(), Map.Entry.comparingByValue());
            output.print("kill %d: %s started in %.1f s; the last service ready was %s after %.1f s; %d jobs accepted%s"
                    .formatted(
                            kill,
                            broker,
                            seconds(starts.getLast()),
                            longest.getKey(),
                            seconds(longest.getValue()),
                            jobs.acceptedCount(),
                            ended.isEmpty() ? "" : "; ended by themselves: " + ended));
        }
        jobs.awaitEnds(ENDS);
        final List<Verdict> verdicts = new ArrayList<>(jobs.verdicts());
        final Duration longest = stops.values().stream()
                .flatMap(List::stream)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        final String since = brokers.size() > 1 ? "a broker was killed" : "the broker";
        verdicts.add(new Verdict(
                "Every service is ready again %d s after %s".formatted(PROMISE.toSeconds(), since),
                longest.compareTo(PROMISE) <= 0,
                "%d kills, the longest stop was %.1f s".formatted(kills, seconds(longest))));
        return new Scenario.Outcome(verdicts, table());
    }

    private static void merge(final Recovery recovery, final Map<String, Duration> stops, final List<String> ended) {
        recovery.stops().forEach((service, stop) -> stops.merge(service, stop, ProveBrokerKills::longer));
        ended.addAll(recovery.ended());
    }

    /** Returns how long the broker took to accept clients. */
    private Duration startAfter(final Duration down, final String broker) {
        Pause.of(down);
        final long begun = System.nanoTime();
        stack.restart(broker);
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static Duration longer(final Duration one, final Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private List<String> table() {
        final List<String> lines =
                new ArrayList<>(List.of("| part | median, s | longest, s |", "| --- | ---: | ---: |"));
        lines.add(line("start of a broker", starts));
        stops.forEach((service, all) -> lines.add(line(service, all)));
        return lines;
    }

    private static String line(final String name, final List<Duration> all) {
        final List<Duration> sorted = all.stream().sorted().toList();
        return "| %s | %.1f | %.1f |"
                .formatted(name, seconds(sorted.get(sorted.size() / 2)), seconds(sorted.getLast()));
    }

    private static double seconds(final Duration time) {
        return time.toMillis() / 1000.0;
    }
}
