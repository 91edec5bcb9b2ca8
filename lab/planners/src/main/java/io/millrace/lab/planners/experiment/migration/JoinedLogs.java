package io.millrace.lab.planners.experiment.migration;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.lab.planners.verification.ReferenceSchedule;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.model.ClusterId;
import io.millrace.model.job.TargetRule;
import io.millrace.simulator.BackfillScheduler;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Scenario;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.swf.SwfReader;
import io.millrace.simulator.swf.SwfTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Logs of real clusters as the home clusters of their jobs, each under EASY backfill: alone, and joined by migration. The logs begin at the
 * same time and end with the shortest one, so that no cluster is idle because its log is over.
 */
final class JoinedLogs {

    private static final Duration ALWAYS = Duration.ofDays(100_000);
    /** More than the jobs of a log, to number the jobs of all. */
    private static final long NUMBERS = 10_000_000;

    /**
     * A home cluster.
     *
     * @param jobs those submitted before the end of the shortest log
     * @param differences starts of the whole log, alone, that differ from the reference schedule; empty: there is none
     */
    record Home(String name, int cores, List<SwfJob> jobs, OptionalInt differences) {}

    private final List<Home> homes;

    private JoinedLogs(final List<Home> homes) {
        this.homes = homes;
    }

    JoinedLogs(final Map<String, SwfTrace> traces, final Map<String, ReferenceSchedule> references) {
        this(homes(traces, references));
    }

    /** @param folder with logs TRACE.swf.gz and reference schedules TRACE-easy.csv.gz, in subfolders 'traces' and 'oracle' or directly */
    static JoinedLogs read(final Path folder, final List<String> names) throws IOException {
        final Path traces = Files.isDirectory(folder.resolve("traces")) ? folder.resolve("traces") : folder;
        final Path oracle = Files.isDirectory(folder.resolve("oracle")) ? folder.resolve("oracle") : folder;
        final Map<String, SwfTrace> read = new LinkedHashMap<>();
        final Map<String, ReferenceSchedule> references = new LinkedHashMap<>();
        for (final String name : names) {
            read.put(name, SwfReader.read(traces.resolve(name + ".swf.gz")));
            final Path reference = oracle.resolve(name + "-easy.csv.gz");
            if (Files.exists(reference)) {
                references.put(name, ReferenceSchedule.read(reference));
            }
        }
        return new JoinedLogs(read, references);
    }

    private static List<Home> homes(
            final Map<String, SwfTrace> traces, final Map<String, ReferenceSchedule> references) {
        final long end_s = traces.values().stream()
                .mapToLong(trace -> trace.jobs().getLast().submit_s()
                        - trace.jobs().getFirst().submit_s())
                .min()
                .orElseThrow();
        final List<Home> homes = new ArrayList<>();
        traces.forEach((name, trace) -> {
            final int cores = trace.cores();
            final long first_s = trace.jobs().getFirst().submit_s();
            final long base = homes.size() * NUMBERS;
            final List<SwfJob> jobs = trace.jobs().stream()
                    .filter(job -> job.submit_s() - first_s <= end_s)
                    .map(job -> new SwfJob(
                            base + job.id(),
                            job.submit_s() - first_s,
                            job.run_s(),
                            job.cores(),
                            job.requested_s(),
                            job.user(),
                            job.application()))
                    .toList();
            homes.add(new Home(name, cores, jobs, differences(trace, cores, references.get(name))));
        });
        return homes;
    }

    private static OptionalInt differences(
            final SwfTrace trace, final int cores, final @Nullable ReferenceSchedule reference) {
        return reference == null
                ? OptionalInt.empty()
                : OptionalInt.of(reference
                        .differences(Simulation.run(trace.jobs(), cores, BackfillPolicy.EASY_FCFS, EventOrder.PYSS))
                        .size());
    }

    List<Home> homes() {
        return homes;
    }

    /** Each log on its own cluster. @return the jobs by home cluster */
    List<List<SimulatedJob>> alone() {
        return homes.stream()
                .map(home -> Simulation.run(home.jobs(), home.cores(), BackfillPolicy.EASY_FCFS, EventOrder.PYSS))
                .toList();
    }

    /** All logs together. @return the jobs by home cluster */
    List<List<SimulatedJob>> joined(final MigrationPolicy policy) {
        final List<SwfJob> all = homes.stream()
                .flatMap(home -> home.jobs().stream())
                .sorted(Comparator.comparingLong(SwfJob::submit_s).thenComparingLong(SwfJob::id))
                .toList();
        final List<Scenario.Site> sites = homes.stream().map(JoinedLogs::site).toList();
        final List<ClusterId> names =
                sites.stream().map(site -> ClusterId.of(site.name())).toList();
        final List<SimulatedJob> ended = Simulation.run(
                all,
                new Scenario(sites, job -> home(job.id()), EventOrder.PYSS, List.of(), Scenario.Staging.NONE, 0, 1),
                new MigrationBroker(names, homes.stream().mapToInt(Home::cores).toArray(), policy));
        final List<List<SimulatedJob>> byHome = new ArrayList<>();
        for (int h = 0; h < homes.size(); h++) {
            final int home = h;
            byHome.add(ended.stream().filter(job -> home(job.id()) == home).toList());
        }
        return byHome;
    }

    private static int home(final long job) {
        return (int) (job / NUMBERS);
    }

    private static Scenario.Site site(final Home home) {
        return new Scenario.Site(
                home.name().toLowerCase(Locale.ROOT),
                home.cores(),
                () -> new BackfillScheduler(home.cores(), BackfillPolicy.EASY_FCFS, true));
    }

    /** The defaults of migration-service, with another rule or time until a job enters the queue of a cluster. */
    static MigrationPolicy policy(final TargetRule rule, final Duration queueAfter) {
        return MigrationPolicy.DEFAULT
                .withQueueAfter(queueAfter)
                .withUnavailableAfter(ALWAYS)
                .withRule(rule, Map.of());
    }
}
