package io.millrace.classifier.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.classifier.ClassifierConfig;
import io.millrace.classifier.domain.ClassModel;
import io.millrace.log.LogRecord;
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
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Classified;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.service.Loops;
import io.millrace.testing.service.TestLog;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The classifier on a real broker. */
class ClassifierLoopsIT {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final ClassModel SHIPPED = ((ClassifierConfig) Optional::<Path>empty).model();

    private final String name = "c" + UUID.randomUUID().toString().substring(0, 8);
    private final ClusterId cluster = ClusterId.of(name);
    private final TestLog log = new TestLog();
    private Loops loops;

    @BeforeEach
    void start() {
        start(SHIPPED);
    }

    private void start(final ClassModel model) {
        loops = ClassifierLoops.of(log.servers(), model, Clock.systemUTC());
        loops.start(TestLog.PARTITIONS, 1);
    }

    @AfterEach
    void stop() {
        loops.close();
        log.close();
    }

    private JobKey observe(final int number, final int cores, final Duration walltime) {
        final JobKey key = new JobKey(new JobId(cluster, "" + number), Instant.parse("2026-03-01T12:00:00Z"));
        log.put(new JobObserved(
                key,
                "it",
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                new JobState.Queued(),
                null,
                Resources.cores(cores),
                walltime,
                Eligibility.since(key.submittedAt()),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE));
        marker();
        return key;
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

    private void vanish(final JobKey key) {
        log.send(OutgoingEvent.remove(Topic.CLUSTER_STATE, JobObserved.keyOf(key), cluster));
        marker();
    }

    private JobSubmitted submitted() {
        final GlobalJobId id = GlobalJobId.of("01JC"
                + "%022d".formatted((System.currentTimeMillis() % 1_000_000_000L) * 1000 + NUMBERS.incrementAndGet()));
        return new JobSubmitted(
                id,
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
                        "univariant-parallel-medium: variants=1 in [1,1], cores=4 in [2,), walltime=PT30M in [PT5M,PT1H]");
        observe(1, 4, Duration.ofMinutes(40).minusMinutes(10));
        observe(1, 1, Duration.ofHours(2));
        log.await("another class", () -> said(key).size() == 2);
        assertThat(said(key).getLast().classes()).containsExactly("univariant-sequential-large");
        vanish(key);
        awaitTakenOff(key);
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
        start(new ClassModel(SHIPPED.classes().subList(0, 3)));
        log.await("no class any more", () -> said(key).size() == 2);
        assertThat(said(key).getLast().classes()).isEmpty();
        assertThat(said(key).getLast().evidence()).contains("univariant-sequential-small: cores=4 not in [1,1]");
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
