package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.kafka.KafkaAgentLog;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.slurm.SlurmLab;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A long computation that writes its own checkpoints is cut three times on live Slurm, by commands on the log: it ends with the result of
 * an uninterrupted run, and each cut costs less than the time between two checkpoints. {@code lab/launcher/prove-checkpoint} runs it longer.
 */
@Tag("slurm")
class CheckpointProofIT {

    /** Each a few tens of milliseconds of computing. */
    private static final int CHUNKS = Integer.getInteger("millrace.proof.chunks", 400);

    private static final Duration BETWEEN_CHECKPOINTS =
            Duration.ofSeconds(Integer.getInteger("millrace.proof.interval_s", 10));

    private static final int CUTS = 3;
    private static final Duration WALLTIME = Duration.ofMinutes(90);
    private static final Duration RESTART_COST = Duration.ofSeconds(30);
    private static final CheckpointMethod.Application METHOD =
            new CheckpointMethod.Application("USR1", "saved", Duration.ofSeconds(60));

    private SlurmLab lab;
    private FakeDeciders deciders;
    private Agent agent;

    @TempDir
    Path home;

    @BeforeEach
    void open() {
        lab = SlurmLab.open();
        deciders = new FakeDeciders(Stack.kafka().bootstrapServers());
        final Accounts accounts = new Accounts();
        agent = AgentFactory.agent(
                TestAgent.settings(deciders.cluster, home),
                lab.wlm(deciders.cluster),
                false,
                new OwnerAccounts(accounts, new ProcessRunner(accounts), true),
                SiteMapping.none(deciders.cluster),
                (action, now) -> Optional.empty(),
                TransferSettings.of(home.resolve("staging").toString(), null),
                new KafkaAgentLog(
                        Stack.kafka().bootstrapServers(), 1, deciders.cluster, Clock.systemUTC(), Optional.empty()),
                Clock.systemUTC(),
                new SimpleMeterRegistry(),
                () -> {});
        agent.start();
    }

    @AfterEach
    void close() {
        if (agent != null) {
            agent.close();
            deciders.close();
        }
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void a_computation_cut_three_times_ends_with_the_same_result_and_loses_little() throws Exception {
        final Path whole = lab.directory();
        final JobKey uninterrupted = submit(whole, "");
        start(uninterrupted);
        final Path directory = lab.directory();
        final List<String> pauses =
                IntStream.rangeClosed(1, CUTS).mapToObj(cut -> pauseOf(cut)).toList();
        final JobKey job = submit(directory, String.join(",", pauses));
        start(job);

        Duration limit = WALLTIME;
        for (int cut = 1; cut <= CUTS; cut++) {
            final String pause = pauseOf(cut);
            await("chunk " + pause, () -> done(directory).contains(pause));
            final Instant started = ((JobState.Running) deciders.view.job(job).state()).startedAt();
            deciders.does(Issuer.BACKFILL, new Action.Checkpoint(job, METHOD));
            final int restarts = cut;
            await(
                    "it to wait at the gate after cut " + cut,
                    () -> deciders.view.job(job) != null
                            && deciders.view.job(job).state() instanceof JobState.Held
                            && deciders.view.job(job).restarts() == restarts
                            && endsOf(job).size() == restarts);
            limit = remains(job, limit, started, endsOf(job).get(cut - 1));
            start(job);
        }
        awaitEnd(job);
        awaitEnd(uninterrupted);

        assertThat(result(directory)).startsWith(CHUNKS + " ").isEqualTo(result(whole));
        assertThat(segments(directory)).containsExactly("0", "1", "2", "3");
        assertThat(segments(whole)).containsExactly("0");
        final List<RunEnded> runs = endsOf(job);
        assertThat(runs).extracting(RunEnded::run).containsExactly(1, 2, 3, 4);
        assertThat(runs.get(CUTS).outcome()).isEqualTo(new RunOutcome.Exited(0));
        for (final RunEnded run : runs.subList(0, CUTS)) {
            assertThat(run.outcome()).isInstanceOf(RunOutcome.Checkpointed.class);
            assertThat(run.lostCoreSeconds())
                    .as("lost by run " + run.run())
                    .isBetween(0L, Duration.between(savedAt(run), run.endedAt()).toSeconds() + 1);
        }
        assertLittleWasDoneTwice(directory, runs);
    }

    /** What the computation itself noted: chunks done twice, in the time that a chunk took it. */
    private static void assertLittleWasDoneTwice(final Path directory, final List<RunEnded> runs) {
        final List<String> done = done(directory);
        final long computing_ms = runs.stream()
                .mapToLong(
                        run -> Duration.between(run.startedAt(), run.endedAt()).toMillis())
                .sum();
        final long chunk_ms = Math.max(1, computing_ms / done.size());
        final List<Long> twice = doneTwice(directory);
        System.out.printf(
                "checkpoint proof: %d chunks of %d ms; done twice after each cut: %s; lost core seconds: %s%n",
                CHUNKS,
                chunk_ms,
                twice,
                runs.stream().map(RunEnded::lostCoreSeconds).toList());
        assertThat(twice)
                .hasSize(CUTS)
                .allSatisfy(chunks -> assertThat(chunks * chunk_ms).isBetween(0L, BETWEEN_CHECKPOINTS.toMillis() - 1));
        assertThat(done.stream().distinct()).hasSize(CHUNKS);
    }

    /** The limit of the next run: what this one had not used, and the cost of the restart; Slurm rounds up to minutes. */
    private Duration remains(final JobKey job, final Duration limit, final Instant started, final RunEnded end) {
        final Duration expected =
                limit.minus(Duration.between(started, savedAt(end))).plus(RESTART_COST);
        await("the walltime that remains", () -> {
            final Duration difference = walltime(job).minus(expected);
            return difference.compareTo(Duration.ofSeconds(-2)) >= 0
                    && difference.compareTo(Duration.ofSeconds(62)) <= 0;
        });
        return walltime(job);
    }

    private static Instant savedAt(final RunEnded end) {
        return ((RunOutcome.Checkpointed) end.outcome()).checkpoint().savedAt();
    }

    /** The chunk after which the run waits for the checkpoint command: at 10, 30 and 50 hundredths of the computation. */
    private static String pauseOf(final int cut) {
        return Integer.toString(CHUNKS * (2 * cut - 1) / 10);
    }

    private Duration walltime(final JobKey job) {
        final Duration walltime = deciders.view.job(job).walltime();
        assertThat(walltime).isNotNull();
        return walltime;
    }

    // ---- the small language

    private JobKey submit(final Path directory, final String pauses) throws IOException {
        final String script =
                Files.readString(SlurmLab.root().resolve("cluster-agent/service/src/test/resources/checkpointing.pl"));
        final JobSpec spec = new JobSpec(
                "computation",
                script,
                null,
                Resources.cores(1),
                WALLTIME,
                null,
                null,
                Map.of(
                        "CHUNKS",
                        Integer.toString(CHUNKS),
                        "EVERY",
                        Long.toString(BETWEEN_CHECKPOINTS.toSeconds()),
                        "PAUSES",
                        pauses),
                METHOD,
                false);
        final JobKey job = deciders.does(
                        Issuer.MIGRATION,
                        new Action.Submit(deciders.attempt(), lab.owner(), spec, directory.toString(), ""))
                .job();
        deciders.does(Issuer.MIGRATION, new Action.Release(job));
        return job;
    }

    private void start(final JobKey job) {
        deciders.does(Issuer.BACKFILL, new Action.Start(job));
        await(
                job + " to run",
                () -> deciders.view.job(job) != null && deciders.view.job(job).state() instanceof JobState.Running);
    }

    private void awaitEnd(final JobKey job) {
        await(
                "the end of " + job,
                () -> endsOf(job).stream().anyMatch(end -> end.outcome().endsTheJob()));
    }

    private List<RunEnded> endsOf(final JobKey job) {
        return deciders.ends.stream().filter(end -> end.job().equals(job)).toList();
    }

    private void await(final String what, final BooleanSupplier wanted) {
        final Instant end = Instant.now().plusSeconds(300 + CHUNKS / 5);
        deciders.hear();
        while (!wanted.getAsBoolean()) {
            assertThat(Instant.now())
                    .as("waited in vain for " + what + "; heard " + deciders.outcomes + deciders.view.jobs())
                    .isBefore(end);
            deciders.hear();
        }
    }

    private static List<String> work(final Path directory) {
        try {
            final Path work = directory.resolve("work");
            return Files.exists(work) ? Files.readAllLines(work) : List.of();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> done(final Path directory) {
        return work(directory).stream()
                .filter(line -> !line.startsWith("segment"))
                .toList();
    }

    private static List<String> segments(final Path directory) {
        return work(directory).stream()
                .filter(line -> line.startsWith("segment"))
                .map(line -> line.split(" ")[1])
                .toList();
    }

    /** For each segment but the first, how many chunks before its own beginning had been done. */
    private static List<Long> doneTwice(final Path directory) {
        final List<Long> twice = new ArrayList<>();
        long last = 0;
        boolean begins = false;
        for (final String line : work(directory)) {
            if (line.startsWith("segment")) {
                begins = last > 0;
                continue;
            }
            final long chunk = Long.parseLong(line);
            if (begins) {
                twice.add(last + 1 - chunk);
                begins = false;
            }
            last = chunk;
        }
        return twice;
    }

    private static String result(final Path directory) throws IOException {
        return Files.readString(directory.resolve("result"));
    }
}
