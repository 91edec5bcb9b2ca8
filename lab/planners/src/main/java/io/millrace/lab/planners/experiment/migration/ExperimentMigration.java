package io.millrace.lab.planners.experiment.migration;

import io.millrace.lab.planners.experiment.RandomBatches;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.model.ClusterId;
import io.millrace.model.job.TargetRule;
import io.millrace.simulator.SimulatedJob;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./millrace experiment migration}: compares clusters that each run their own jobs with clusters joined by migration. */
@Command(name = "migration", description = "Compares isolated clusters with clusters joined by migration.")
public final class ExperimentMigration implements Callable<Integer> {

    static final String ISOLATED = "isolated";
    static final int CLUSTERS = 10;
    static final int CORES = 1000;
    /** Of the joined clusters with transfer time. */
    static final int TRANSFER_H = 1;

    private static final List<ClusterId> ALL =
            IntStream.range(0, CLUSTERS).mapToObj(i -> ClusterId.of("c" + i)).toList();

    /** Jobs of 1 to c cores and 1 to t hours; in unbalanced batches half of the clusters get three times the work of the others. */
    record Kind(int cores, int hours, boolean balanced) {

        String label() {
            return "c 1\u2013" + cores + ", t 1\u2013" + hours + (balanced ? "" : ", unbalanced");
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind(100, 100, true),
            new Kind(300, 50, true),
            new Kind(500, 20, true),
            new Kind(500, 100, true),
            new Kind(100, 100, false),
            new Kind(300, 50, false),
            new Kind(500, 20, false),
            new Kind(500, 100, false));

    private static final List<String> LOGS = List.of("KTH-SP2", "SDSC-SP2", "CTC-SP2");
    /** A job that cannot start now enters the queue of its source cluster after a second, the least that the policy allows. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    @Mixin
    private final RandomBatches batches = new RandomBatches();

    @Option(
            names = "--logs",
            paramLabel = "FOLDER",
            description = "also join the logs KTH-SP2, SDSC-SP2 and CTC-SP2 (TRACE.swf.gz) of this folder")
    private @Nullable Path logs;

    private final PrintStream out;

    public ExperimentMigration(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        batches.validate();
        final int seeds = batches.seeds();
        final int hours = batches.hours();
        final Path to = batches.out();
        final Map<String, Map<String, List<JoinedClusters.Result>>> results = new LinkedHashMap<>();
        for (final Kind kind : KINDS) {
            final List<Map<String, JoinedClusters.Result>> runs = LongStream.rangeClosed(1, seeds)
                    .parallel()
                    .mapToObj(seed -> run(kind, hours, seed))
                    .toList();
            final Map<String, List<JoinedClusters.Result>> byPolicy = new LinkedHashMap<>();
            runs.forEach(run -> run.forEach((policy, result) ->
                    byPolicy.computeIfAbsent(policy, p -> new ArrayList<>()).add(result)));
            results.put(kind.label(), byPolicy);
            out.println(kind.label());
        }
        final MigrationPage page = new MigrationPage(results, seeds, hours, logs != null);
        Files.createDirectories(to);
        Files.writeString(to.resolve("migration.md"), logs == null ? page.text() : page.text() + onLogs(logs));
        Files.writeString(to.resolve("migration.svg"), page.chart());
        out.println("wrote " + to.resolve("migration.md"));
        return 0;
    }

    private String onLogs(final Path folder) throws IOException {
        final JoinedLogs joined = JoinedLogs.read(folder, LOGS);
        final Map<String, List<List<SimulatedJob>>> schedules = new LinkedHashMap<>();
        schedules.put("alone", joined.alone());
        for (final TargetRule rule : List.of(TargetRule.PERFORMANCE_ORDER, TargetRule.EARLIEST_END)) {
            for (final Duration queueAfter : List.of(MigrationPolicy.DEFAULT.queueAfter(), AT_ONCE)) {
                final String policy = MigrationPage.name(rule) + ", queue-after " + text(queueAfter);
                schedules.put(policy, joined.joined(JoinedLogs.policy(rule, queueAfter)));
                out.println("logs, " + policy);
            }
        }
        for (final Duration queueAfter : List.of(MigrationPolicy.DEFAULT.queueAfter(), AT_ONCE)) {
            final String policy = "home jobs first, queue-after " + text(queueAfter);
            schedules.put(
                    policy,
                    joined.joined(JoinedLogs.policy(TargetRule.PERFORMANCE_ORDER, queueAfter)
                            .withHomeJobsFirst()));
            out.println("logs, " + policy);
        }
        final JoinedLogsPage page = new JoinedLogsPage(joined.homes(), schedules);
        Files.writeString(batches.out().resolve("migration-logs.svg"), page.chart());
        return page.text();
    }

    private static String text(final Duration queueAfter) {
        return queueAfter.equals(AT_ONCE) ? "1 s" : queueAfter.toMinutes() + " min";
    }

    /** All policies on the same batch of jobs. */
    static Map<String, JoinedClusters.Result> run(final Kind kind, final int hours, final long seed) {
        final List<JoinedClusters.Job> jobs = batch(kind, hours, seed);
        final Map<String, JoinedClusters.Result> results = new LinkedHashMap<>();
        results.put(ISOLATED, isolated(jobs, hours));
        for (final TargetRule rule :
                List.of(TargetRule.PERFORMANCE_ORDER, TargetRule.EARLIEST_END, TargetRule.DATA_LOCALITY)) {
            results.put(MigrationPage.name(rule), new JoinedClusters(ALL, CORES, rule, 0).run(jobs, hours));
        }
        for (final TargetRule rule : List.of(TargetRule.PERFORMANCE_ORDER, TargetRule.EARLIEST_END)) {
            results.put(
                    MigrationPage.name(rule) + MigrationPage.TRANSFER,
                    new JoinedClusters(ALL, CORES, rule, TRANSFER_H).run(jobs, hours));
        }
        return results;
    }

    private static JoinedClusters.Result isolated(final List<JoinedClusters.Job> jobs, final int hours) {
        double idle = 0;
        double wait_h = 0;
        for (int i = 0; i < CLUSTERS; i++) {
            final int source = i;
            final List<JoinedClusters.Job> own = jobs.stream()
                    .filter(job -> job.source() == source)
                    .map(job -> new JoinedClusters.Job(job.submit_h(), 0, job.cores(), job.hours()))
                    .toList();
            final JoinedClusters.Result result =
                    new JoinedClusters(List.of(ALL.get(i)), CORES, TargetRule.PERFORMANCE_ORDER, 0).run(own, hours);
            idle += result.idle() / CLUSTERS;
            wait_h += result.wait_h() / CLUSTERS;
        }
        return new JoinedClusters.Result(idle, wait_h, 0);
    }

    /** Jobs until each cluster has received its share of all core-hours, submitted at random hours. */
    private static List<JoinedClusters.Job> batch(final Kind kind, final int hours, final long seed) {
        final SplittableRandom random = new SplittableRandom(seed);
        final List<JoinedClusters.Job> jobs = new ArrayList<>();
        for (int source = 0; source < CLUSTERS; source++) {
            final double load = kind.balanced() ? 1 : source % 2 == 0 ? 1.5 : 0.5;
            double left = load * CORES * hours;
            while (left > 0) {
                final JoinedClusters.Job job = new JoinedClusters.Job(
                        random.nextInt(hours),
                        source,
                        1 + random.nextInt(kind.cores()),
                        1 + random.nextInt(kind.hours()));
                jobs.add(job);
                left -= (double) job.cores() * job.hours();
            }
        }
        jobs.sort(Comparator.comparingInt(JoinedClusters.Job::submit_h));
        return jobs;
    }
}
