package io.millrace.migration.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.IgnoredRecords;
import io.millrace.log.LogRecord;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.End;
import io.millrace.model.job.GlobalJobState.Stopped;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobDependency.Condition;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.TargetRule;
import io.millrace.model.policy.ClassPlacement;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.policy.Plan;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.service.Loops;
import io.millrace.testing.service.TestLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Migration on a real broker, with agents and a transfer service that answer on the log. */
class MigrationLoopIT {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final RunOutcome WELL = new RunOutcome.Exited(0);

    private final String name = "m" + UUID.randomUUID().toString().substring(0, 8);
    private final ClusterId home = ClusterId.of(name + "-home");
    private final ClusterId away = ClusterId.of(name + "-away");
    private final TestLog log = new TestLog();
    private final ScriptedAgents agents = new ScriptedAgents(log, Map.of(home, 8, away, 16));
    private Loops loop;

    @BeforeEach
    void start() {
        loop = MigrationLoop.of(
                log.servers(),
                new MigrationPolicy(
                        List.of(away),
                        Duration.ofHours(2),
                        Duration.ofHours(
                                2), // a cluster of an earlier test must not change its state during a later test
                        3,
                        3,
                        Duration.ofMillis(300),
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(10),
                        Duration.ofSeconds(1),
                        TargetRule.PERFORMANCE_ORDER,
                        Map.of(),
                        MigrationPolicy.DEFAULT.limits(),
                        MigrationPolicy.DEFAULT.moves(),
                        false),
                new IgnoredRecords(),
                counts -> {},
                Clock.systemUTC());
        loop.start(TestLog.PARTITIONS, 1);
    }

    @AfterEach
    void stop() throws Exception {
        loop.close();
        agents.close();
        log.close();
    }

    private void restart() {
        loop.close();
        start();
        log.await("ready again", () -> loop.trouble() == null);
    }

    private static GlobalJobId newId() {
        return GlobalJobId.of("01JM"
                + "%022d".formatted((System.currentTimeMillis() % 1_000_000_000L) * 1000 + NUMBERS.incrementAndGet()));
    }

    private GlobalJobId submit(final int cores, final @Nullable ClusterId target, final @Nullable String make) {
        return submit(newId(), cores, target, make, null, null);
    }

    private GlobalJobId submit(
            final GlobalJobId id,
            final int cores,
            final @Nullable ClusterId target,
            final @Nullable String make,
            final @Nullable BatchMember batch,
            final @Nullable JobDependency dependency) {
        log.put(new JobSubmitted(
                id,
                1,
                UserName.of("anna"),
                new JobSpec(
                        "it",
                        "#!/bin/sh\n",
                        make,
                        Resources.cores(cores),
                        Duration.ofHours(1),
                        null,
                        null,
                        Map.of(),
                        new CheckpointMethod.None(),
                        false),
                home,
                "/home/anna/it",
                target,
                Instant.now(),
                "signed",
                batch,
                dependency));
        return id;
    }

    private GlobalJobId submitAway() {
        return submit(12, null, "#!/bin/sh\nmake\n");
    }

    private void stop(final GlobalJobId id) {
        log.put(new StopRequested(id, UserName.of("anna"), Instant.now(), "enough"));
    }

    private GlobalJobState await(final GlobalJobId id, final String word, final Predicate<GlobalJobState> which) {
        return log.await(id + " " + word, GlobalJob.class, job -> job.id().equals(id) && which.test(job.state()))
                .state();
    }

    private GlobalJobState await(final GlobalJobId id, final String word) {
        return await(id, word, state -> state.word().equals(word));
    }

    private JobKey awaitRunning(final GlobalJobId id) {
        return ((Submitted) await(id, "released", state -> state instanceof Submitted s && s.released())).localJob();
    }

    private List<String> states(final GlobalJobId id) {
        return log.events(GlobalJob.class, job -> job.id().equals(id)).stream()
                .map(job -> job.state().word())
                .distinct()
                .toList();
    }

    /** Everything on the log that this service said about a job. */
    private List<String> saidAbout(final GlobalJobId id) {
        return log
                .all(read -> List.of(Topic.GLOBAL_JOBS, Topic.COMMANDS, Topic.REQUESTS, Topic.PLANS)
                                .contains(read.topic())
                        && (read.key().contains(id.value())
                                || String.valueOf(read.event()).contains(id.value())))
                .stream()
                .map(LogRecord::toString)
                .toList();
    }

    @Test
    void a_job_without_idle_cores_at_its_source_runs_elsewhere_and_its_results_return() {
        final GlobalJobId id = submitAway();
        agents.end(awaitRunning(id), WELL);
        assertThat(await(id, "End")).isEqualTo(new End(WELL));
        assertThat(states(id)).containsExactly("Waiting", "Uploading", "Making", "Submitted", "Downloading", "End");
        assertThat(log.events(Command.class, c -> c.cluster().equals(away)))
                .extracting(c -> c.action().name())
                .containsExactly("make", "submit", "release");
    }

    @Test
    void a_job_is_moved_only_to_a_cluster_that_suits_its_class_also_after_a_restart() {
        final GlobalJobId id;
        try {
            log.put(new PlacementTable(
                    List.of(new ClassPlacement("wide", List.of(home), null, null, null)), List.of()));
            id = submitAway();
            log.put(new Classified(id, List.of("wide"), List.of()));
            log.await(
                    "the veto",
                    Plan.class,
                    plan -> plan.job().equals(id)
                            && plan.vetoes().stream().anyMatch(VetoCode.CLUSTER_UNSUITABLE_FOR_CLASS::isOf));
            restart();
            assertThat(states(id)).containsExactly("Waiting");
        } finally {
            log.put(PlacementTable.EMPTY);
        }
        agents.end(awaitRunning(id), WELL);
        await(id, "End");
    }

    @Test
    void a_job_that_continues_under_another_key_after_a_checkpoint_is_followed() {
        final GlobalJobId id = submitAway();
        final JobKey first = awaitRunning(id);
        final JobKey next = agents.goOn(first);
        await(id, "under its new key", state -> state instanceof Submitted s && next.equals(s.localJob()));

        restart();
        agents.end(next, WELL);
        assertThat(await(id, "End")).isEqualTo(new End(WELL));
        assertThat(log.events(Command.class, c -> c.cluster().equals(away)))
                .extracting(c -> c.action().name())
                .containsExactly("make", "submit", "release");
    }

    @Test
    void the_tasks_of_an_array_and_a_job_after_it_run_one_after_the_other_on_two_clusters_and_across_a_restart() {
        final BatchId batch =
                BatchId.around(GlobalJobId.of("01JN" + newId().value().substring(8) + "0000"));
        final GlobalJobId first = submit(batch.job(1), 4, away, null, new BatchMember(batch, 1, 2, 1), null);
        final GlobalJobId second = submit(batch.job(2), 4, away, null, new BatchMember(batch, 2, 2, 1), null);
        final GlobalJobId last = submit(
                newId(),
                4,
                home,
                null,
                null,
                new JobDependency(true, List.of(Condition.on(batch, JobDependency.End.OK))));
        final JobKey local = awaitRunning(first);
        await(last, "the dependency", state -> state.equals(new Waiting("it waits for afterok:" + batch)));
        restart();
        assertThat(states(second)).containsExactly("Waiting");

        agents.end(local, WELL);
        agents.end(awaitRunning(second), WELL);
        await(second, "End");
        agents.end(awaitRunning(last), WELL);
        await(last, "End");
        assertThat(log
                        .events(
                                GlobalJob.class,
                                job -> List.of(first, second, last).contains(job.id())
                                        && job.state() instanceof Submitted)
                        .stream()
                        .map(GlobalJob::id)
                        .distinct())
                .containsExactly(first, second, last);
    }

    @Test
    void a_job_that_its_source_cluster_can_run_stays_there() {
        final GlobalJobId id = submit(4, null, null);
        agents.end(awaitRunning(id), new RunOutcome.Exited(7));
        assertThat(await(id, "End")).isEqualTo(new End(new RunOutcome.Exited(7)));
        assertThat(states(id)).containsExactly("Waiting", "Submitted", "End");
    }

    @Test
    void a_refused_or_failed_submit_is_repeated_with_a_new_command() {
        agents.prepared.put(
                "submit",
                new ConcurrentLinkedQueue<>(List.of(
                        new Result.Refused(Refusal.EXPIRED, "too late"),
                        new Result.Failed("sbatch: socket timed out"))));
        final GlobalJobId id = submitAway();
        final JobKey local = awaitRunning(id);
        assertThat(log.events(Command.class, c -> c.cluster().equals(away) && c.action() instanceof Action.Submit))
                .hasSize(3)
                .extracting(Command::id)
                .doesNotHaveDuplicates();
        agents.end(local, WELL);
        await(id, "End");
    }

    @Test
    void what_may_not_run_is_aborted_with_the_agents_reason() {
        agents.prepared.put(
                "make",
                new ConcurrentLinkedQueue<>(List.of(new Result.Refused(Refusal.NOT_PERMITTED, "digest differs"))));
        final GlobalJobId id = submitAway();
        assertThat(((Aborted) await(id, "Aborted")).reason()).contains("digest differs");
    }

    @Test
    void a_duplicate_is_cancelled_while_it_is_held() {
        final GlobalJobId id = submitAway();
        final JobKey local = awaitRunning(id);
        final JobKey duplicate = agents.addHeld(away, id.attempt(1), 12);
        log.await("the duplicate is gone", () -> !agents.jobs(away).contains(duplicate));
        assertThat(agents.jobs(away)).containsExactly(local);
        agents.end(local, WELL);
        await(id, "End");
    }

    @ParameterizedTest
    @ValueSource(strings = {"upload", "make", "submit", "release", "running", "download"})
    void stopped_in_each_state(final String at) {
        agents.withheld.add(at);
        final GlobalJobId id = submitAway();
        switch (at) {
            case "upload" -> await(id, "Uploading");
            case "make" -> await(id, "Making");
            case "submit" -> await(id, "Submitted");
            case "release" -> await(id, "held", state -> state instanceof Submitted s && s.localJob() != null);
            case "download" -> {
                agents.end(awaitRunning(id), WELL);
                await(id, "Downloading");
            }
            default -> awaitRunning(id);
        }
        stop(id);
        if (!at.equals("upload") && !at.equals("download")) {
            log.await(
                    "the stop is noted",
                    () -> log.events(GlobalJob.class, job -> job.id().equals(id) && job.stop() != null)
                                    .size()
                            > 0);
        }
        agents.withheld.clear();
        assertThat(((Stopped) await(id, "Stopped")).reason()).contains("enough");
        log.await("nothing is left there", () -> agents.jobs(away).isEmpty());
    }

    @Test
    void stopped_while_waiting() {
        final GlobalJobId fills = submit(16, away, null);
        awaitRunning(fills);
        final GlobalJobId id = submit(12, null, null);
        await(
                id,
                "why it waits",
                state -> state instanceof Waiting w && w.reason().contains("no-idle-cores"));
        stop(id);
        assertThat(((Stopped) await(id, "Stopped")).by()).isEqualTo(UserName.of("anna"));
        log.await(
                "the plan is withdrawn",
                () -> !log.all(read -> read.topic() == Topic.PLANS
                                && read.isTombstone()
                                && read.key().startsWith(id.value()))
                        .isEmpty());
        agents.end(agents.jobs(away).getFirst(), WELL);
        await(fills, "End");
    }

    /** One job is led from state to state; in each the service is restarted, says nothing again, and goes on. */
    @Test
    void a_restart_in_every_state_loses_and_repeats_nothing() {
        final GlobalJobId fills = submit(16, away, null);
        final JobKey filler = awaitRunning(fills);
        agents.withheld.addAll(List.of("upload", "make", "submit", "release", "download"));
        final GlobalJobId id = submitAway();
        await(
                id,
                "why it waits",
                state -> state instanceof Waiting w && w.reason().contains("no-idle-cores"));
        restartSaysNothingAbout(id);
        agents.withheld.remove("download");
        agents.end(filler, WELL);
        await(fills, "End");
        agents.withheld.add("download");

        await(id, "Uploading");
        restartSaysNothingAbout(id);
        agents.withheld.remove("upload");
        await(id, "Making");
        restartSaysNothingAbout(id);
        agents.withheld.remove("make");
        await(id, "Submitted");
        restartSaysNothingAbout(id);
        agents.withheld.remove("submit");
        await(id, "held", state -> state instanceof Submitted s && s.localJob() != null);
        restartSaysNothingAbout(id);
        agents.withheld.remove("release");
        final JobKey local = awaitRunning(id);
        restartSaysNothingAbout(id);
        agents.end(local, WELL);
        await(id, "Downloading");
        restartSaysNothingAbout(id);
        agents.withheld.remove("download");
        await(id, "End");
        restartSaysNothingAbout(id);
        assertThat(log.events(
                        Command.class,
                        c -> c.toString().contains(id.value())
                                || c.action().subject().equals(local.toString())))
                .extracting(c -> c.action().name())
                .containsExactly("make", "submit", "release");
    }

    private void restartSaysNothingAbout(final GlobalJobId id) {
        settle();
        final List<String> before = saidAbout(id);
        restart();
        settle();
        assertThat(saidAbout(id)).isEqualTo(before);
    }

    /** A job that can never run is answered: whatever was decided before it is on the log now. */
    private void settle() {
        await(submit(1000, home, null), "Aborted");
    }

    @Test
    void what_was_submitted_and_ended_while_the_service_was_away_is_found() {
        final GlobalJobId first = submitAway();
        final JobKey local = awaitRunning(first);
        loop.close();
        agents.end(local, WELL);
        final GlobalJobId second = submit(4, null, null);
        stop(second);
        start();
        await(first, "End");
        await(second, "Stopped");
    }

    @Test
    void an_unreadable_message_on_each_input_becomes_a_dead_letter_and_the_next_job_runs() {
        for (final EventType type : List.of(
                EventType.JOB_SUBMITTED,
                EventType.GLOBAL_JOB,
                EventType.REVISION_CLOSED,
                EventType.COMMAND,
                EventType.OUTCOME,
                EventType.RUN_ENDED,
                EventType.TRANSFER,
                EventType.PLAN)) {
            log.poison(type, name + "/poison");
            log.awaitDead(type.topic(), name + "/poison");
        }
        final GlobalJobId id = submit(4, null, null);
        agents.end(awaitRunning(id), WELL);
        await(id, "End");
    }
}
