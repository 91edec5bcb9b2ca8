package io.millrace.classifier.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.classifier.ClassifierConfig;
import io.millrace.classifier.domain.ModelChanges;
import io.millrace.classifier.domain.StageCounters;
import io.millrace.log.LogRecord;
import io.millrace.log.ModelJson;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.JobRef;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.ClassModelChecked;
import io.millrace.model.policy.ClassModelChecked.StageWork;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.ClassPlacement;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.policy.Request.ClassModelRequested;
import io.millrace.model.policy.RunTimeEstimate;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.service.Loops;
import io.millrace.testing.service.TestLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classifier on a real broker. */
class ClassifierLoopsIT {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final String SHIPPED = ClassifierConfig.shippedText();

    private final String name = "c" + UUID.randomUUID().toString().substring(0, 8);
    private final ClusterId cluster = ClusterId.of(name);
    private final TestLog log = new TestLog();
    private final StageCounters work = new StageCounters();
    private Loops loops;
    private @Nullable Path history;

    @BeforeEach
    void start() {
        start(SHIPPED);
    }

    private void start(final String model) {
        loops = ClassifierLoops.of(
                log.servers(),
                model,
                new LearningSettings(Duration.ofDays(90), Optional.ofNullable(history), 0.65),
                work,
                TestLog.PARTITIONS,
                Clock.systemUTC());
        loops.start(TestLog.PARTITIONS, 1);
    }

    @AfterEach
    void stop() {
        loops.close();
        log.close();
    }

    private JobKey observe(final int number, final int cores, final Duration walltime) {
        final JobObserved job = observed(number, cores, walltime, new JobState.Queued());
        log.put(job);
        marker();
        return job.job();
    }

    private JobObserved observed(final int number, final int cores, final Duration walltime, final JobState state) {
        final JobKey key = new JobKey(new JobId(cluster, "" + number), Instant.parse("2026-03-01T12:00:00Z"));
        return new JobObserved(
                key,
                "it",
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(cores),
                walltime,
                Eligibility.since(key.submittedAt()),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private void marker() {
        log.put(new RevisionClosed(
                cluster,
                NUMBERS.incrementAndGet(),
                Instant.now(),
                new WlmHealth.Answering(),
                Control.NATIVE,
                "script",
                Resources.cores(8),
                Resources.cores(8),
                Set.of(),
                0,
                null,
                null,
                Map.of()));
    }

    private void end(final int number, final int cores, final Duration walltime, final Duration ran) {
        log.put(ended(number, cores, walltime, ran));
    }

    private RunEnded ended(final int number, final int cores, final Duration walltime, final Duration ran) {
        final Instant started = Instant.parse("2026-03-01T10:00:00Z").plusSeconds(number);
        return new RunEnded(
                new JobKey(new JobId(cluster, "" + number), started),
                "it",
                null,
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                Resources.cores(cores),
                walltime,
                1,
                started,
                started.plus(ran),
                new RunOutcome.Exited(0),
                0,
                "test",
                null);
    }

    private void vanish(final JobKey key) {
        log.send(OutgoingEvent.remove(Topic.CLUSTER_STATE, JobObserved.keyOf(key), cluster));
        marker();
    }

    private JobSubmitted submitted() {
        final GlobalJobId id = GlobalJobId.of("01JC"
                + "%022d".formatted((System.currentTimeMillis() % 1_000_000_000L) * 1000 + NUMBERS.incrementAndGet()));
        return new JobSubmitted(
                id,
                1,
                UserName.of("anna"),
                new JobSpec(
                        "it",
                        "#!/bin/sh\n",
                        null,
                        Resources.cores(4),
                        Duration.ofMinutes(30),
                        null,
                        null,
                        Map.of(),
                        new CheckpointMethod.None(),
                        false),
                cluster,
                "/home/anna",
                null,
                Instant.now(),
                "signed");
    }

    private Classified await(final JobRef job) {
        return log.await("classes of " + job, Classified.class, c -> c.job().equals(job));
    }

    private void awaitTakenOff(final JobRef job) {
        log.await("tombstone of " + job, () -> !tombstones(job).isEmpty());
    }

    private List<LogRecord> tombstones(final JobRef job) {
        return log.all(read -> read.topic() == Topic.CLASSES
                && read.isTombstone()
                && read.key().equals(job.toString()));
    }

    private List<Classified> said(final JobRef job) {
        return log.events(Classified.class, c -> c.job().equals(job));
    }

    /** Whatever was decided before is on the log now. */
    private void settle() {
        final JobKey key = observe(1_000_000 + NUMBERS.incrementAndGet(), 1, Duration.ofMinutes(2));
        await(key);
        final JobSubmitted job = submitted();
        log.put(job);
        await(job.job());
    }

    @Test
    void a_local_job_is_classified_again_when_it_changes_and_removed_when_it_leaves() {
        final JobKey key = observe(1, 4, Duration.ofMinutes(30));
        final Classified classified = await(key);
        assertThat(classified.classes()).containsExactly("univariant-parallel-medium");
        assertThat(classified.evidence())
                .containsExactly(
                        "univariant-parallel-medium: variants=1 in 1, cores=4 in [2,unlimited], minutes=30 in (5,60]",
                        "stage rho: univariant-parallel-medium=0.2727",
                        "stage sigma: univariant-parallel-medium=3",
                        "stage omega: univariant-parallel-medium=3",
                        "stage psi: univariant-parallel-medium=0.1667");
        observe(1, 4, Duration.ofMinutes(40).minusMinutes(10));
        observe(1, 1, Duration.ofHours(2));
        log.await("another class", () -> said(key).size() == 2);
        assertThat(said(key).getLast().classes()).containsExactly("univariant-sequential-large");
        vanish(key);
        awaitTakenOff(key);
    }

    @Test
    void a_job_gets_an_estimate_from_earlier_runs_and_keeps_it() {
        loops.close();
        for (int i = 1; i <= 8; i++) {
            end(i, 4, Duration.ofMinutes(30), Duration.ofMinutes(i));
        }
        start();
        final JobKey key = observe(20, 4, Duration.ofMinutes(30));
        final RunTimeEstimate estimate = await(key).estimate();
        assertThat(estimate).isNotNull();
        assertThat(estimate.expected()).isEqualTo(Duration.ofMinutes(6));
        assertThat(estimate.runs()).isEqualTo(8);
        assertThat(estimate.basis()).isEqualTo("user, program, cores, walltime");
        assertThat(estimate.quantile(50)).isEqualTo(Duration.ofMinutes(5));
        assertThat(estimate.quantile(95)).isEqualTo(Duration.ofMinutes(8));
        assertThat(estimate.recent2()).isEqualTo(Duration.ofSeconds(450));
        loops.close();
        end(9, 4, Duration.ofMinutes(30), Duration.ofMinutes(29));
        end(10, 4, Duration.ofMinutes(30), Duration.ofMinutes(29));
        end(11, 4, Duration.ofMinutes(30), Duration.ofMinutes(29));
        start();
        final JobKey later = observe(21, 4, Duration.ofMinutes(30));
        assertThat(await(later).estimate())
                .extracting(RunTimeEstimate::expected)
                .isEqualTo(Duration.ofMinutes(29));
        assertThat(said(key)).containsExactly(said(key).getFirst());
    }

    @Test
    void a_job_gets_an_estimate_from_an_imported_history(@TempDir final Path folder) throws IOException {
        loops.close();
        history = folder.resolve("history.jsonl");
        Files.writeString(
                history,
                ModelJson.lenient().writeValueAsString(ended(1, 4, Duration.ofMinutes(30), Duration.ofMinutes(7)))
                        + "\nnot a run\n");
        start();
        final RunTimeEstimate estimate =
                await(observe(20, 4, Duration.ofMinutes(30))).estimate();
        assertThat(estimate).isNotNull();
        assertThat(estimate.expected()).isEqualTo(Duration.ofMinutes(7));
        assertThat(estimate.runs()).isEqualTo(1);
    }

    @Test
    void a_global_job_is_classified_at_submission_and_removed_at_its_end() {
        final JobSubmitted job = submitted();
        log.put(job);
        assertThat(await(job.job()).classes()).containsExactly("univariant-parallel-medium");
        log.put(new GlobalJob(
                job, new GlobalJobState.End(new RunOutcome.Exited(0)), List.of(), null, Instant.now(), 9));
        awaitTakenOff(job.job());
    }

    private ClassModelSet modelInForce() {
        settle();
        return log.events(ClassModelSet.class, set -> true).getLast();
    }

    private ClassModelRequested request(final String model, final long basedOn, final boolean preview) {
        final ClassModelRequested request = new ClassModelRequested(
                model,
                UserName.of("op" + name),
                "for the test",
                basedOn,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                preview);
        log.put(request);
        return request;
    }

    private ClassModelChecked answer(final ClassModelRequested request) {
        return log.await(
                "answer",
                ClassModelChecked.class,
                checked -> checked.author().equals(request.author())
                        && checked.requestedAt().equals(request.requestedAt()));
    }

    private static final String ONE_CLASS = """
        characteristics:
          cores: {type: number}
        classes:
          any: {mandatory: {cores: {}}}
        """;

    @Test
    void a_requested_model_classifies_waiting_jobs_again_and_running_jobs_keep_their_version() {
        final JobKey waits = observe(1, 4, Duration.ofMinutes(30));
        final JobKey runs = observe(2, 4, Duration.ofMinutes(30));
        await(waits);
        await(runs);
        log.put(observed(2, 4, Duration.ofMinutes(30), new JobState.Running(Instant.now(), List.of())));
        marker();
        final ClassModelSet before = modelInForce();
        try {
            request(ONE_CLASS, before.version(), false);
            log.await("other classes", () -> said(waits).getLast().classes().equals(List.of("any")));
            assertThat(said(waits).getLast().modelVersion()).isEqualTo(before.version() + 1);
            final ClassModelChecked refused = answer(request(SHIPPED, before.version(), false));
            assertThat(refused.error())
                    .isEqualTo("the request is based on version " + before.version() + ", but version "
                            + (before.version() + 1) + " (by op" + name
                            + ") is in force; read the current version and retry");
            loops.close();
            start();
            final JobKey next = observe(3, 4, Duration.ofMinutes(30));
            assertThat(await(next).classes())
                    .as("the requested model takes precedence over the file, also after a restart")
                    .containsExactly("any");
            assertThat(said(runs)).hasSize(1);
        } finally {
            log.put(new ClassModelSet(
                    SHIPPED, List.of(), ModelChanges.FILE, "end of the test", Instant.now(), before.version() + 2));
        }
    }

    @Test
    void a_preview_classifies_the_last_jobs_with_the_draft_and_changes_nothing() {
        final ClassModelSet before = modelInForce();
        end(7, 5, Duration.ofMinutes(20), Duration.ofMinutes(7));
        settle();
        final ClassModelChecked preview = answer(request(ONE_CLASS, before.version(), true));
        assertThat(preview.error()).isNull();
        assertThat(preview.jobs()).isPositive();
        assertThat(preview.examples()).anySatisfy(example -> {
            assertThat(example.job()).startsWith(name + "/7@");
            assertThat(example.before()).containsExactly("univariant-parallel-medium");
            assertThat(example.after()).containsExactly("any");
        });
        assertThat(preview.stages()).extracting(StageWork::stage).containsExactly("rho", "sigma", "omega", "psi");
        assertThat(modelInForce().version()).isEqualTo(before.version());
    }

    @Test
    void a_wrong_model_is_refused_with_the_place_of_the_error() {
        final long version = modelInForce().version();
        assertThat(answer(request(ONE_CLASS.replace("cores: {}", "ghost: {}"), version, false))
                        .error())
                .startsWith("class model, line 4, column ")
                .contains("'ghost' is not a characteristic of the model");
        assertThat(modelInForce().version()).isEqualTo(version);
    }

    @Test
    void a_global_job_gets_an_estimate_from_runs_of_the_same_user_on_any_cluster() {
        loops.close();
        end(1, 3, Duration.ofMinutes(20), Duration.ofMinutes(7));
        start();
        final JobSubmitted job = submitted();
        log.put(job);
        final RunTimeEstimate estimate = await(job.job()).estimate();
        assertThat(estimate).isNotNull();
        assertThat(estimate.basis()).startsWith("user");
    }

    @Test
    void the_limits_of_the_classes_are_published_for_migration() {
        settle();
        final PlacementTable table = log.events(PlacementTable.class, t -> true).getLast();
        assertThat(table.of("univariant-parallel-large"))
                .contains(new ClassPlacement("univariant-parallel-large", List.of(), 3601L, null, 24 * 3600L));
        assertThat(table.of("univariant-sequential-medium"))
                .contains(new ClassPlacement("univariant-sequential-medium", List.of(), 301L, 3600L, null));
    }

    @Test
    void a_restart_publishes_nothing_twice_and_finds_jobs_that_have_left() {
        final JobKey stays = observe(1, 4, Duration.ofMinutes(30));
        final JobKey leaves = observe(2, 4, Duration.ofMinutes(30));
        final JobSubmitted global = submitted();
        log.put(global);
        await(stays);
        await(leaves);
        await(global.job());
        loops.close();
        vanish(leaves);
        start();
        awaitTakenOff(leaves);
        settle();
        assertThat(said(stays)).hasSize(1);
        assertThat(said(leaves)).hasSize(1);
        assertThat(said(global.job())).hasSize(1);
        assertThat(tombstones(leaves)).hasSize(1);
    }

    @Test
    void a_restart_with_another_file_publishes_the_changed_classes() {
        final JobKey key = observe(1, 4, Duration.ofMinutes(30));
        await(key);
        loops.close();
        start(SHIPPED.substring(0, SHIPPED.indexOf("  univariant-parallel-small:")));
        log.await("no class any more", () -> said(key).size() == 2);
        assertThat(said(key).getLast().classes()).isEmpty();
        assertThat(said(key).getLast().evidence())
                .containsExactly(
                        "unclassified; closest class is univariant-sequential-medium: cores=4 is not inside 1");
    }

    @Test
    void an_unreadable_message_on_each_input_becomes_a_dead_letter_and_the_next_job_is_classified() {
        for (final EventType type :
                List.of(EventType.JOB_OBSERVED, EventType.JOB_SUBMITTED, EventType.GLOBAL_JOB, EventType.CLASSIFIED)) {
            log.poison(type, name + "/poison");
            log.awaitDead(type.topic(), name + "/poison");
        }
        settle();
    }
}
