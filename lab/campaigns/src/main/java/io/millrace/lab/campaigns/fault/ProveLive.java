package io.millrace.lab.campaigns.fault;

import io.millrace.story.Pause;
import io.millrace.story.ProgressOutput;
import io.millrace.story.RestQueries;
import io.millrace.story.Scenario;
import io.millrace.story.Shell;
import io.millrace.story.Site;
import io.millrace.story.StackParts;
import io.millrace.story.Texts;
import io.millrace.story.Verdict;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Kills agents and the servers of live workload managers of several kinds while users submit jobs with data: {@code SITE_PROPERTIES SEED JOBS
 * REPORT CLUSTER=PROGRAM...}, where PROGRAM kills the servers of the cluster's workload manager and starts them again. {@code ./millrace prove
 * live} starts the stack.
 */
public final class ProveLive {

    private static final Duration BETWEEN_JOBS = Duration.ofSeconds(2);
    private static final Duration ENDS = Duration.ofMinutes(20);

    /** @param recovery until all parts were ready again, from the end of the restart */
    private record Kill(String cluster, boolean ofAgent, Duration recovery) {}

    private final StackParts stack;
    private final Path work;
    private final CampaignJobs jobs;
    private final RestQueries queries;
    private final ProgressOutput output;
    private final Random random;
    private final Map<String, String> programs;
    private final List<Kill> kills = new ArrayList<>();

    private ProveLive(
            final StackParts stack,
            final Path work,
            final CampaignJobs jobs,
            final RestQueries queries,
            final ProgressOutput output,
            final long seed,
            final Map<String, String> programs) {
        this.stack = stack;
        this.work = work;
        this.jobs = jobs;
        this.queries = queries;
        this.output = output;
        this.random = new Random(seed);
        this.programs = programs;
    }

    public static void main(final String... arguments) {
        final long seed = Long.parseLong(arguments[1]);
        final int number = Integer.parseInt(arguments[2]);
        final Map<String, String> programs = Arrays.stream(arguments)
                .skip(4)
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        final Scenario scenario = (site, participants) -> {
            final ProveLive proof = new ProveLive(
                    new StackParts(Path.of(arguments[0]), site),
                    site.work(),
                    new CampaignJobs(site, participants.queries(), seed, number, BETWEEN_JOBS),
                    participants.queries(),
                    participants.output(),
                    seed,
                    programs);
            final Scenario.Outcome outcome = proof.run(site);
            Texts.write(Path.of(arguments[3]), proof.report(arguments, outcome));
            return outcome;
        };
        scenario.asProcess(ProveLive.class, arguments[0]);
    }

    private Scenario.Outcome run(final Site site) {
        final List<String> clusters =
                site.clusters().stream().map(Site.Cluster::name).toList();
        jobs.begin();
        while (!jobs.isComplete()) {
            killEach(clusters);
        }
        jobs.awaitEnds(ENDS);
        final Map<String, Long> ran = queries.globalJobs().stream()
                .collect(Collectors.groupingBy(RestQueries.GlobalJob::cluster, TreeMap::new, Collectors.counting()));
        final List<Verdict> verdicts = new ArrayList<>(jobs.verdicts());
        verdicts.add(new Verdict("Every cluster runs jobs", ran.keySet().containsAll(clusters), ran.toString()));
        return new Scenario.Outcome(verdicts, table(ran));
    }

    /** In random order: the agent and the servers of each cluster. */
    private void killEach(final List<String> clusters) {
        final List<Map.Entry<String, Boolean>> victims = new ArrayList<>();
        for (final String cluster : clusters) {
            victims.add(Map.entry(cluster, true));
            victims.add(Map.entry(cluster, false));
        }
        Collections.shuffle(victims, random);
        for (final Map.Entry<String, Boolean> victim : victims) {
            Pause.of(Duration.ofMillis(2_000 + random.nextInt(6_000)));
            kill(victim.getKey(), victim.getValue());
        }
    }

    private void kill(final String cluster, final boolean ofAgent) {
        if (ofAgent) {
            stack.signal("agent-" + cluster, "KILL");
            Pause.of(Duration.ofMillis(random.nextInt(8_000)));
            stack.restart("agent-" + cluster);
        } else {
            Shell.run(List.of(programs.get(cluster)), work, Map.of()).orThrow();
        }
        final Recovery recovery = Recovery.since(Instant.now(), stack, stack.services());
        kills.add(new Kill(cluster, ofAgent, recovery.longest().getValue()));
        output.print("%s of %s killed: %s ready after %.1f s; %d jobs accepted%s"
                .formatted(
                        ofAgent ? "agent" : "servers",
                        cluster,
                        recovery.longest().getKey(),
                        seconds(recovery.longest().getValue()),
                        jobs.acceptedCount(),
                        recovery.ended().isEmpty() ? "" : "; ended by themselves: " + recovery.ended()));
    }

    private List<String> table(final Map<String, Long> ran) {
        final List<String> lines = new ArrayList<>(List.of(
                "| cluster | workload manager | jobs | kills of the agent | kills of the servers | longest recovery, s"
                        + " |",
                "| --- | --- | ---: | ---: | ---: | ---: |"));
        queries.clusters().forEach(cluster -> {
            final List<Kill> here = kills.stream()
                    .filter(kill -> kill.cluster().equals(cluster.name()))
                    .toList();
            lines.add("| %s | %s | %d | %d | %d | %.1f |"
                    .formatted(
                            cluster.name(),
                            cluster.wlm(),
                            ran.getOrDefault(cluster.name(), 0L),
                            here.stream().filter(Kill::ofAgent).count(),
                            here.stream().filter(kill -> !kill.ofAgent()).count(),
                            here.stream()
                                    .mapToDouble(kill -> seconds(kill.recovery()))
                                    .max()
                                    .orElse(0)));
        });
        return lines;
    }

    private String report(final String[] arguments, final Scenario.Outcome outcome) {
        final List<String> lines = new ArrayList<>(List.of(
                "# Workload managers of several kinds at once",
                "",
                "    ./millrace prove live FILE %s %s                               generates this page"
                        .formatted(arguments[2], arguments[1]),
                "",
                "**Set-up.** Four users submit jobs with data, one by one and in batches, from all clusters to all"
                        + " clusters, under directed control.",
                "Meanwhile agents and the servers of the live workload managers are killed (`kill -9`) and started again. %d processors, load average %.0f at the end."
                        .formatted(
                                Runtime.getRuntime().availableProcessors(),
                                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()),
                "",
                "**Result.**",
                ""));
        lines.addAll(outcome.details());
        lines.add("");
        lines.add("| promise | kept | figures |");
        lines.add("| --- | --- | --- |");
        outcome.verdicts()
                .forEach(verdict -> lines.add("| %s | %s | %s |"
                        .formatted(verdict.promise(), verdict.kept() ? "yes" : "no", verdict.seen())));
        return String.join("\n", lines) + "\n";
    }

    private static double seconds(final Duration time) {
        return time.toMillis() / 1000.0;
    }
}
