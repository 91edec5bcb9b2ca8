package io.millrace.lab.campaigns.fault;

import io.millrace.story.Pause;
import io.millrace.story.ProgressOutput;
import io.millrace.story.Scenario;
import io.millrace.story.StackParts;
import io.millrace.story.Texts;
import io.millrace.story.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Disturbs random parts of a stack while users submit jobs, checks every promise and writes a report: {@code SITE_PROPERTIES MINUTES
 * SEED CLUSTERS JOBS REPORT}. The jobs are spread over the time; if some submissions fail, it takes longer, at most twice the time. {@code ./millrace prove faults} starts the stack.
 */
public final class ProveFaults {

    private static final Duration PROMISE = Duration.ofSeconds(30);
    private static final Duration ENDS = Duration.ofMinutes(20);

    /** What is done to the stack. */
    private enum Kind {
        KILL,
        STOP,
        /** The packets of an agent to the broker are lost, if it has a separate link. */
        CUT_LINK,
        /** The disk of broker and database, if it is a separate file system. */
        FULL_DISK;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * A fault and its effects.
     *
     * @param diedToo parts that ended by themselves; they are restarted
     * @param slowest the service that was ready last
     * @param recovery how long that took after the fault was over, with the start of killed parts
     */
    private record Fault(String what, Kind kind, List<String> diedToo, String slowest, Duration recovery) {}

    private final StackParts stack;
    private final CampaignJobs jobs;
    private final ProgressOutput output;
    private final Random random;
    private final List<Kind> kinds;
    private final List<Fault> faults = new ArrayList<>();

    private ProveFaults(final StackParts stack, final CampaignJobs jobs, final ProgressOutput output, final long seed) {
        this.stack = stack;
        this.jobs = jobs;
        this.output = output;
        this.random = new Random(seed);
        // A full disk disturbs everything for long, so it is rare.
        this.kinds =
                new ArrayList<>(List.of(Kind.KILL, Kind.KILL, Kind.KILL, Kind.KILL, Kind.STOP, Kind.STOP, Kind.STOP));
        if (!stack.links().isEmpty()) {
            kinds.addAll(List.of(Kind.CUT_LINK, Kind.CUT_LINK, Kind.CUT_LINK));
        }
        if (stack.hasOwnDisk()) {
            kinds.add(Kind.FULL_DISK);
        }
    }

    public static void main(final String... arguments) {
        final Duration time = Duration.ofMinutes(Long.parseLong(arguments[1]));
        final long seed = Long.parseLong(arguments[2]);
        final int number = Integer.parseInt(arguments[4]);
        final Scenario scenario = (site, participants) -> {
            final ProveFaults proof = new ProveFaults(
                    new StackParts(Path.of(arguments[0]), site),
                    new CampaignJobs(site, participants.queries(), seed, number, time.dividedBy(number)),
                    participants.output(),
                    seed);
            final Scenario.Outcome outcome = proof.run(time);
            Texts.write(Path.of(arguments[5]), proof.report(arguments, outcome.verdicts()));
            return outcome;
        };
        scenario.asProcess(ProveFaults.class, arguments[0]);
    }

    private Scenario.Outcome run(final Duration time) {
        final Instant begun = Instant.now();
        jobs.begin();
        while (elapsed(begun).compareTo(time) < 0
                || !jobs.isComplete() && elapsed(begun).compareTo(time.multipliedBy(2)) < 0) {
            // With the time that a fault and the recovery take, about one every 10 s.
            Pause.of(Duration.ofMillis(500 + random.nextInt(2_000)));
            final Fault fault = next();
            faults.add(fault);
            output.print("%d of %d min: %s: the last service ready was %s after %.1f s; %d jobs accepted%s"
                    .formatted(
                            elapsed(begun).toMinutes(),
                            time.toMinutes(),
                            fault.what(),
                            fault.slowest(),
                            seconds(fault.recovery()),
                            jobs.acceptedCount(),
                            fault.diedToo().isEmpty() ? "" : "; ended by themselves: " + fault.diedToo()));
        }
        jobs.awaitEnds(ENDS);
        final List<Verdict> verdicts = new ArrayList<>(jobs.verdicts());
        final long slow = faults.stream()
                .filter(fault -> fault.recovery().compareTo(PROMISE) > 0)
                .count();
        verdicts.add(new Verdict(
                "Every service is ready again %d s after a fault is over".formatted(PROMISE.toSeconds()),
                slow == 0,
                faults.size() + " faults, " + slow + " violations"));
        return new Scenario.Outcome(verdicts, table());
    }

    private static Duration elapsed(final Instant begun) {
        return Duration.between(begun, Instant.now());
    }

    private Fault next() {
        final Kind kind = kinds.get(random.nextInt(kinds.size()));
        final List<String> parts = new ArrayList<>(stack.all());
        Collections.shuffle(parts, random);
        // One fault in four hits two parts at once.
        if (kind == Kind.CUT_LINK) {
            parts.retainAll(stack.links());
        }
        final List<String> hit = parts.subList(0, parts.size() > 1 && random.nextInt(4) == 0 ? 2 : 1);
        final Duration pause = Duration.ofMillis(random.nextInt(kind == Kind.CUT_LINK ? 40_000 : 8_000));
        switch (kind) {
            case KILL, STOP -> hit.forEach(part -> stack.signal(part, kind.name()));
            case CUT_LINK -> hit.forEach(stack::cut);
            case FULL_DISK -> fillDisk();
        }
        Pause.of(pause);
        final Instant over = Instant.now();
        switch (kind) {
            case KILL -> restart(hit);
            case STOP -> hit.forEach(part -> stack.signal(part, "CONT"));
            case CUT_LINK -> hit.forEach(stack::mend);
            case FULL_DISK -> {
                emptyDisk();
                // It has taken its folder offline, and ends sooner or later.
                stack.restart(StackParts.BROKER);
            }
        }
        final Map.Entry<String, Duration> start = Map.entry(String.join(" and ", hit), elapsed(over));
        final Recovery recovery = Recovery.since(over, stack, inStartOrder(stack.all()));
        final Map.Entry<String, Duration> slowest =
                Collections.max(List.of(start, recovery.longest()), Map.Entry.comparingByValue());
        final String what = kind == Kind.FULL_DISK
                ? "%s for %.0f s".formatted(kind, seconds(pause))
                : "%s %s for %.0f s".formatted(kind, String.join(" and ", hit), seconds(pause));
        return new Fault(what, kind, recovery.ended(), slowest.getKey(), slowest.getValue());
    }

    /** All at once, as the service manager of each host does. */
    private void restart(final List<String> parts) {
        final List<CompletableFuture<Void>> restarts = parts.stream()
                .map(part -> CompletableFuture.runAsync(() -> stack.restart(part), Thread::startVirtualThread))
                .toList();
        restarts.forEach(CompletableFuture::join);
    }

    /** Broker and database first: a service is only ready after them. */
    private static List<String> inStartOrder(final List<String> parts) {
        return parts.stream()
                .sorted(Comparator.comparing(
                        part -> !part.equals(StackParts.BROKER) && !part.equals(StackParts.DATABASE)))
                .toList();
    }

    private void fillDisk() {
        try (OutputStream out = Files.newOutputStream(ballast())) {
            final byte[] block = new byte[1 << 16];
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            output.print("the disk of broker and database is full");
        }
    }

    private void emptyDisk() {
        try {
            Files.deleteIfExists(ballast());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove '" + ballast() + "'", e);
        }
    }

    private Path ballast() {
        return stack.data().resolve("ballast");
    }

    private List<String> table() {
        final Map<Kind, List<Duration>> times = new TreeMap<>();
        faults.forEach(fault ->
                times.computeIfAbsent(fault.kind(), k -> new ArrayList<>()).add(fault.recovery()));
        final List<String> lines = new ArrayList<>(
                List.of("| fault | number | median recovery, s | longest, s |", "| --- | ---: | ---: | ---: |"));
        times.forEach((kind, all) -> {
            final List<Duration> sorted = all.stream().sorted().toList();
            lines.add("| %s | %d | %.1f | %.1f |"
                    .formatted(kind, all.size(), seconds(sorted.get(sorted.size() / 2)), seconds(sorted.getLast())));
        });
        return lines;
    }

    private String report(final String[] arguments, final List<Verdict> verdicts) {
        final List<String> lines = new ArrayList<>();
        lines.add("# Random faults");
        lines.add("");
        lines.add("Generated by `./millrace prove faults %s %s %s %s` (minutes, seed, clusters, jobs)."
                .formatted(arguments[1], arguments[2], arguments[3], arguments[4]));
        lines.add("");
        lines.add("Two users submit jobs with data to embedded clusters while random parts are killed (`kill -9`) or"
                + " stopped");
        lines.add("(`SIGSTOP`, then `SIGCONT`), one or two at a time, broker and database included. The disk of broker"
                + " and database is");
        lines.add("full, and the packets of agents to the broker are lost for up to 40 s. A recovery is the time until"
                + " all services and agents");
        lines.add("are ready, from the end of the fault: the part continues, is started again, or has its link back.");
        lines.add("Started by root, the parts have priority over jobs and users' commands, which run on other machines"
                + " at a site.");
        lines.add("This run: %d processors, load average %.0f at its end."
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        lines.add("");
        lines.addAll(table());
        lines.add("");
        lines.add("| promise | kept | figures |");
        lines.add("| --- | --- | --- |");
        verdicts.forEach(verdict -> lines.add(
                "| %s | %s | %s |".formatted(verdict.promise(), verdict.kept() ? "yes" : "no", verdict.seen())));
        return String.join("\n", lines) + "\n";
    }

    private static double seconds(final Duration time) {
        return time.toMillis() / 1000.0;
    }
}
