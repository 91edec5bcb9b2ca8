package io.millrace.lab.campaigns.plane;

import io.millrace.log.EventSink;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.story.Shell;
import io.millrace.story.Site;
import io.millrace.story.StackParts;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Measures what a change costs each part of a running stack without agents, at one size of the centre: {@link SimulatedAgents} fill the
 * clusters, then one round after the other ends a job and submits a global job. {@code ./millrace bench growth} runs it for each size.
 *
 * <p>Arguments: {@code site.properties}, waiting jobs, clusters, partitions, rounds, seed, and the file to which the figures are appended.
 */
public final class MeasureGrowth {

    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Duration PROJECTION_POLL = Duration.ofSeconds(1);
    private static final double KIB_PER_MIB = 1024;

    private final StackParts stack;
    private final GrowthSize size;
    private final long seed;
    private final GrowthRounds rounds = new GrowthRounds();
    private final SimulatedAgents agents;
    private final EventSink users;

    private MeasureGrowth(final StackParts stack, final GrowthSize size, final long seed) {
        this.stack = stack;
        this.size = size;
        this.seed = seed;
        this.agents = new SimulatedAgents(stack, size.clusters(), seed, rounds);
        this.users = new EventSink(stack.broker(), "submit", Clock.systemUTC(), stack.brokerLogin());
    }

    public static void main(final String[] arguments) {
        final Path properties = Path.of(arguments[0]);
        final GrowthSize size = new GrowthSize(
                Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        final MeasureGrowth bench = new MeasureGrowth(
                new StackParts(properties, Site.read(properties)), size, Long.parseLong(arguments[5]));
        final GrowthFigures figures = bench.measure(Integer.parseInt(arguments[4]));
        figures.append(Path.of(arguments[6]));
        System.out.println(size + ": " + figures.values("latency") + " ms to the decision");
    }

    private GrowthFigures measure(final int count) {
        final GrowthFigures figures = new GrowthFigures(size);
        final PlaneFigures empty = PlaneFigures.read(stack);
        final long filled = fill();
        figures.add("filled", "all parts", filled / 1e9);
        costs(PlaneFigures.read(stack).since(empty).processorSeconds(), 1000.0 / size.waiting())
                .forEach((part, ms) -> figures.add("fill", part, ms));
        round(0); // classes are loaded and code is compiled
        rounds.reset();

        rest(); // submit-service records the decisions about the first revision
        final PlaneFigures quiet = PlaneFigures.read(stack);
        rest();
        final PlaneFigures before = PlaneFigures.read(stack);
        final Map<String, Double> idle = costs(before.since(quiet).processorSeconds(), 1.0 / IDLE.toSeconds());
        final long begin = System.nanoTime();
        for (int round = 1; round <= count; round++) {
            round(round);
        }
        final double seconds = (System.nanoTime() - begin) / 1e9;
        final PlaneFigures after = PlaneFigures.read(stack);
        final PlaneFigures cost = after.since(before);

        for (final GrowthRounds.Decision decision : GrowthRounds.Decision.values()) {
            figures.add("latency", decision.label(), rounds.milliseconds(decision, 0.5));
            figures.add("latency-p90", decision.label(), rounds.milliseconds(decision, 0.9));
        }
        idle.forEach((part, cores) -> figures.add("idle", part, cores));
        cost.processorSeconds()
                .forEach((part, used) -> figures.add(
                        "processor", part, Math.max(0, used - idle.getOrDefault(part, 0.0) * seconds) * 1000 / count));
        costs(cost.records(), 1.0 / count).forEach((topic, records) -> figures.add("records", topic, records));
        after.memoryMib().forEach((part, mib) -> figures.add("memory", part, mib));
        stack.services().forEach(part -> figures.add("heap", part, liveHeapMib(part)));
        agents.close();
        users.close();
        return figures;
    }

    /** Nothing changes for a while; the heartbeats of the clusters continue. */
    private void rest() {
        final long begin = System.nanoTime();
        awaitUntil(() -> System.nanoTime() - begin > IDLE.toNanos(), () -> "the idle time");
    }

    private static Map<String, Double> costs(final Map<String, Double> figures, final double factor) {
        final Map<String, Double> costs = new TreeMap<>();
        figures.forEach((name, value) -> costs.put(name, value * factor));
        return costs;
    }

    /** Returns how long it took until every job has its class and entitlement and is in the read model, in nanoseconds. */
    private long fill() {
        final long begin = System.nanoTime();
        agents.fill(size.waiting());
        final int jobs = size.waiting() + agents.running();
        awaitUntil(
                () -> rounds.entitled() >= size.waiting() && rounds.classified() >= jobs,
                () -> rounds.entitled() + " of " + size.waiting() + " entitlements and " + rounds.classified() + " of "
                        + jobs + " classes");
        awaitUntil(new Projection(jobs), () -> "the jobs in the read model");
        return System.nanoTime() - begin;
    }

    /** Asks the read model now and then, because the heartbeats of the clusters must continue. */
    private final class Projection implements BooleanSupplier {

        private final int jobs;
        private long asked = System.nanoTime();

        private Projection(final int jobs) {
            this.jobs = jobs;
        }

        @Override
        public boolean getAsBoolean() {
            if (System.nanoTime() - asked < PROJECTION_POLL.toNanos()) {
                return false;
            }
            asked = System.nanoTime();
            try (Connection connection = PlaneFigures.database(stack);
                    ResultSet count = connection.createStatement().executeQuery("select count(*) from local_job")) {
                return count.next() && count.getInt(1) >= jobs;
            } catch (SQLException e) {
                throw new IllegalStateException("cannot count the jobs in the read model: " + e.getMessage(), e);
            }
        }
    }

    private void round(final int number) {
        final ClusterId cluster = agents.clusters().get(number % size.clusters());
        agents.endJob(cluster);
        final GlobalJobId job = GlobalJobId.of("01J%010d%013d".formatted(seed % 1_000_000_000, number));
        rounds.submitting(job);
        users.put(submission(job, cluster)).join();
        awaitUntil(
                () -> rounds.missing().isEmpty(),
                () -> "decisions of round " + number + " on cluster " + cluster + ": " + rounds.missing());
    }

    private static JobSubmitted submission(final GlobalJobId job, final ClusterId cluster) {
        final JobSpec spec = new JobSpec(
                "bench",
                "#!/bin/sh\ntrue\n",
                null,
                Resources.cores(8),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        return new JobSubmitted(
                job, 1, UserName.of("u1"), spec, cluster, "/home/u1", cluster, Instant.now(), "not checked");
    }

    private void awaitUntil(final BooleanSupplier condition, final Supplier<String> what) {
        final long until = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("not within " + LIMIT.toMinutes() + " minutes: " + what.get());
            }
            for (final String part : stack.services()) {
                if (!stack.isAlive(part)) {
                    throw new IllegalStateException(part + " ended during the measurement");
                }
            }
            agents.turn();
        }
    }

    /** What remains in the heap of a part after a full collection. */
    private double liveHeapMib(final String part) {
        final Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        final List<String> lines = Shell.run(
                        List.of(jcmd.toString(), Long.toString(stack.pid(part)), "GC.class_histogram"),
                        Path.of("/"),
                        Map.of())
                .orThrow()
                .lines()
                .toList();
        return Long.parseLong(lines.getLast().strip().split("\\s+")[2]) / KIB_PER_MIB / KIB_PER_MIB;
    }
}
