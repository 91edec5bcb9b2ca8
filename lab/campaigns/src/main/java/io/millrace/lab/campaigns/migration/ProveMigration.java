package io.millrace.lab.campaigns.migration;

import io.millrace.story.Participants;
import io.millrace.story.Pause;
import io.millrace.story.ProgressOutput;
import io.millrace.story.Scenario;
import io.millrace.story.Site;
import io.millrace.story.StackParts;
import io.millrace.story.Texts;
import io.millrace.story.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Moves jobs between two clusters on separate hosts, disturbs every step, checks every job and writes a report: {@code SITE_PROPERTIES SEED
 * MIB JOBS REPORT}. {@code ./millrace prove migration} starts the stack.
 */
public final class ProveMigration {

    private static final long MIB = 1 << 20;
    /** What a job may cost beside its files: connections, listings, its script and its output. */
    private static final long JOB_BYTES = 256 << 10;
    /** Longer than ssh keeps a connection without an answer, so that the copy fails and resumes. */
    private static final Duration CUT = Duration.ofSeconds(75);

    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final StackParts stack;
    private final TwoHosts hosts;
    private final MovedJobs jobs;
    private final ProgressOutput output;
    private final Random random;

    public ProveMigration(final Path siteFile, final Site site, final Participants participants, final long seed) {
        this.stack = new StackParts(siteFile, site);
        this.hosts = new TwoHosts(site);
        this.random = new Random(seed);
        this.output = participants.output();
        this.jobs = new MovedJobs(hosts, participants.alice(), participants.queries(), random);
    }

    public static void main(final String... arguments) {
        final Path siteFile = Path.of(arguments[0]);
        final long seed = Long.parseLong(arguments[1]);
        final int mib = Integer.parseInt(arguments[2]);
        final int number = Integer.parseInt(arguments[3]);
        final Scenario scenario = (site, participants) -> {
            final ProveMigration proof = new ProveMigration(siteFile, site, participants, seed);
            final List<Verdict> verdicts = new ArrayList<>(proof.sharedFile(mib * MIB, number));
            verdicts.addAll(proof.cutLink(Math.max(32, mib / 4) * MIB));
            verdicts.add(proof.kills(KillCase.all(proof.hosts)));
            verdicts.addAll(proof.fullDisk());
            Texts.write(Path.of(arguments[4]), report(seed, mib, number, verdicts));
            return new Scenario.Outcome(verdicts, List.of());
        };
        scenario.asProcess(ProveMigration.class, arguments[0]);
    }

    Verdict kills(final List<KillCase> cases) {
        return new KillMatrix(hosts, stack, jobs, output, random).verdict(cases);
    }

    List<Verdict> sharedFile(final long bytes, final int number) {
        final List<String> names =
                IntStream.rangeClosed(1, number).mapToObj(i -> "batch-" + i).toList();
        final Path grid = jobs.randomFile("grid.bin", bytes);
        names.forEach(name -> jobs.write(name, grid, 1000, List.of()));
        jobs.giveAll();
        output.print("a batch of %d jobs that share a file of %d MiB".formatted(number, bytes / MIB));
        final long before = TwoHosts.received_bytes(hosts.away());
        final long begun = System.nanoTime();
        jobs.submit(names);
        final List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(over("Every job of a batch that shares a file ends with the right results", names));
        final long received = TwoHosts.received_bytes(hosts.away()) - before;
        verdicts.add(new Verdict(
                "A file that the jobs of a batch share is transferred once",
                received < bytes * 11 / 10 + number * JOB_BYTES,
                "%d jobs with a file of %d MiB: %.1f MiB received on the link in %.0f s"
                        .formatted(number, bytes / MIB, received / (double) MIB, (System.nanoTime() - begun) / 1e9)));
        return verdicts;
    }

    private List<Verdict> cutLink(final long bytes) {
        final String name = "cut";
        jobs.write(name, jobs.randomFile(name + "/input.bin", bytes), 1000, List.of());
        jobs.giveAll();
        output.print("a file of %d MiB while the link is cut for %d s".formatted(bytes / MIB, CUT.toSeconds()));
        final long before = TwoHosts.received_bytes(hosts.away());
        jobs.submit(List.of(name));
        await("half of the file has arrived", () -> TwoHosts.received_bytes(hosts.away()) - before > bytes / 2);
        hosts.cut();
        Pause.of(CUT);
        hosts.mend();
        final Verdict ended = over("A job whose transfer was cut off ends with the right results", List.of(name));
        final long received = TwoHosts.received_bytes(hosts.away()) - before;
        return List.of(
                ended,
                new Verdict(
                        "A transfer that was cut off resumes within the file",
                        received < bytes * 13 / 10,
                        "a file of %d MiB, link cut for %d s: %.1f MiB received"
                                .formatted(bytes / MIB, CUT.toSeconds(), received / (double) MIB)));
    }

    private List<Verdict> fullDisk() {
        final String name = "full";
        final long bytes = 256 * MIB; // half of it is more than the free space below which no job is placed
        jobs.write(name, jobs.randomFile(name + "/input.bin", bytes), 1000, List.of());
        jobs.giveAll();
        output.print("a file of %d MiB to a disk with less space".formatted(bytes / MIB));
        final Path ballast = TwoHosts.fill(hosts.away(), bytes / 2);
        jobs.submit(List.of(name));
        final String said = "No space left on device";
        await("the job says that the disk is full", () -> jobs.why(name).contains(said));
        final String why = jobs.why(name)
                .lines()
                .filter(line -> line.contains(said))
                .findFirst()
                .orElse("")
                .replaceAll("/[^ \":]*/", "…/");
        try {
            Files.delete(ballast);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove '" + ballast + "'", e);
        }
        return List.of(
                new Verdict(
                        "A full disk is reported with the remedy", why.contains("make room at the destination"), why),
                over("A job whose target disk was full ends with the right results", List.of(name)));
    }

    private Verdict over(final String promise, final List<String> names) {
        final List<String> late = jobs.awaitEnds(names);
        final List<String> faults = new ArrayList<>(late.stream()
                .map(name -> name + " is not over: " + jobs.why(name))
                .toList());
        names.forEach(name -> faults.addAll(jobs.faults(name)));
        return new Verdict(
                promise,
                faults.isEmpty(),
                names.size() + (names.size() == 1 ? " job, " : " jobs, ") + faults.size() + " violations"
                        + (faults.isEmpty() ? "" : ": " + faults));
    }

    private static void await(final String what, final BooleanSupplier condition) {
        final long until = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("after " + LIMIT + " it is not true that " + what);
            }
            Pause.of(Duration.ofMillis(100));
        }
    }

    private static String report(final long seed, final int mib, final int number, final List<Verdict> verdicts) {
        final List<String> lines = new ArrayList<>(List.of(
                "# Jobs between two hosts",
                "",
                "Generated by `./millrace prove migration %d %d %d` (seed, MiB of the shared file, jobs)."
                        .formatted(seed, mib, number),
                "",
                "Two real Slurm clusters on separate hosts of one machine: network namespaces with addresses of their"
                        + " own, mount namespaces with",
                "file systems of their own, and a link whose rate is limited to 200 Mbit/s. A user submits jobs on one"
                        + " host; they are built and",
                "run on the other one. Each job computes the checksums of its input and its results there; they are"
                        + " compared with those of the",
                "files at home. Bytes are counted at the interface of the link, with all headers. Parts are killed with"
                        + " `kill -9`.",
                "This run: %d processors, load average %.0f at its end."
                        .formatted(
                                Runtime.getRuntime().availableProcessors(),
                                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()),
                "",
                "| promise | kept | figures |",
                "| --- | --- | --- |"));
        verdicts.forEach(verdict -> lines.add(
                "| %s | %s | %s |".formatted(verdict.promise(), verdict.kept() ? "yes" : "no", verdict.seen())));
        return String.join("\n", lines) + "\n";
    }
}
