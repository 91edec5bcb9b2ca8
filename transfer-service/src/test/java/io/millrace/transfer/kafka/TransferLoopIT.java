package io.millrace.transfer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.IgnoredRecords;
import io.millrace.log.LogRecord;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Request;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.model.transfer.Place;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.StagedCopyState;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import io.millrace.model.transfer.TransferState.Cancelled;
import io.millrace.model.transfer.TransferState.Copying;
import io.millrace.model.transfer.TransferState.Held;
import io.millrace.model.transfer.TransferState.Planned;
import io.millrace.model.transfer.TransferState.Verified;
import io.millrace.service.Loops;
import io.millrace.testing.service.TestLog;
import io.millrace.transfer.domain.TransferPolicy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transfers on a real broker; the test answers for the receiving agent. */
class TransferLoopIT {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final AtomicLong REVISIONS = new AtomicLong();
    private static final Result BEGUN = new Result.Begun();
    private static final Result DONE = new Result.Done(null, "1 file, 1 B, sha256 00");

    private final String name = "t" + UUID.randomUUID().toString().substring(0, 8);
    private final ClusterId alpha = ClusterId.of(name + "-alpha");
    private final ClusterId beta = ClusterId.of(name + "-beta");
    private final TestLog log = new TestLog();
    private Loops loop;

    @BeforeEach
    void start() {
        loop = TransferLoop.of(
                log.servers(),
                new TransferPolicy(
                        1,
                        4,
                        100,
                        3,
                        Duration.ofMillis(200),
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(10),
                        Duration.ofHours(6),
                        Duration.ofMinutes(10),
                        Duration.ZERO,
                        Duration.ofDays(14),
                        100,
                        200),
                new IgnoredRecords(),
                counts -> {},
                Clock.systemUTC());
        loop.start(TestLog.PARTITIONS, 1);
        heartbeat(alpha);
        heartbeat(beta);
    }

    @AfterEach
    void stop() {
        loop.close();
        log.close();
    }

    private void heartbeat(final ClusterId cluster) {
        log.put(new RevisionClosed(
                cluster,
                REVISIONS.incrementAndGet(),
                Instant.now(),
                new WlmHealth.Answering(),
                Control.NATIVE,
                "script",
                Resources.cores(8),
                Resources.cores(8),
                Set.of(Capability.TRANSFER),
                0,
                "/staging",
                null,
                Map.of()));
    }

    private TransferId ask() {
        final GlobalJobId job = GlobalJobId.of("01JT"
                + "%022d".formatted((System.currentTimeMillis() % 1_000_000_000L) * 1000 + NUMBERS.incrementAndGet()));
        final TransferId id = TransferId.of(job + ".1/upload");
        ask(id);
        return id;
    }

    private void ask(final TransferId id) {
        log.put(new Request.TransferRequested(
                id,
                GlobalJobId.of(id.value().substring(0, 26)).attempt(1),
                UserName.of("anna"),
                new Place(alpha, null, "/home/anna/a"),
                new Place(beta, null, "/staging/anna/a"),
                Instant.now(),
                null,
                null,
                "signature"));
    }

    private <S extends TransferState> S await(final TransferId id, final Class<S> state) {
        return state.cast(log.await(
                        id + " " + state.getSimpleName(),
                        Transfer.class,
                        t -> t.id().equals(id) && state.isInstance(t.state()))
                .state());
    }

    private List<Command> commands(final TransferId id, final String action) {
        return log.events(
                Command.class,
                c -> c.action().name().equals(action) && c.action().subject().equals(id.value()));
    }

    private Command awaitCommand(final TransferId id, final String action, final int nth) {
        log.await(action + " " + nth + " of " + id, () -> commands(id, action).size() >= nth);
        return commands(id, action).get(nth - 1);
    }

    private void answer(final Command command, final Result result) {
        log.put(command.outcome(result, Instant.now()));
    }

    private List<String> saidAbout(final TransferId id) {
        return log
                .all(read -> Set.of(Topic.TRANSFERS, Topic.COMMANDS).contains(read.topic())
                        && String.valueOf(read.event()).contains(id.value()))
                .stream()
                .map(LogRecord::toString)
                .toList();
    }

    @Test
    void a_requested_transfer_is_copied_by_the_receiving_agent_and_verified() {
        final TransferId id = ask();
        final Command copy = awaitCommand(id, "copy-tree", 1);
        assertThat(copy.cluster()).isEqualTo(beta);
        assertThat(((Action.CopyTree) copy.action()).owner()).isEqualTo(UserName.of("anna"));
        answer(copy, BEGUN);
        answer(copy, DONE);
        assertThat(await(id, Verified.class).detail()).contains("sha256");
    }

    @Test
    void one_at_a_time_between_two_clusters() {
        final TransferId first = ask();
        final TransferId second = ask();
        final Command copy = awaitCommand(first, "copy-tree", 1);
        log.await(
                "the second says what it waits for",
                () -> !log.events(
                                Transfer.class,
                                t -> t.id().equals(second)
                                        && t.state() instanceof Planned p
                                        && p.reason().contains("one of the 1 slots"))
                        .isEmpty());
        assertThat(commands(second, "copy-tree")).isEmpty();
        answer(copy, DONE);
        answer(awaitCommand(second, "copy-tree", 1), DONE);
        await(second, Verified.class);
    }

    @Test
    void a_failed_copy_is_retried_and_then_held_until_it_is_released() {
        final TransferId id = ask();
        for (int nth = 1; nth <= 3; nth++) {
            final Command copy = awaitCommand(id, "copy-tree", nth);
            answer(copy, BEGUN);
            answer(copy, new Result.Failed("rsync: connection reset"));
        }
        assertThat(await(id, Held.class).reason()).contains("3 copies", "connection reset");
        log.put(new Request.TransferReleaseRequested(id, UserName.of("olga"), Instant.now()));
        answer(awaitCommand(id, "copy-tree", 4), DONE);
        await(id, Verified.class);
        assertThat(commands(id, "copy-tree")).extracting(Command::id).doesNotHaveDuplicates();
    }

    @Test
    void a_command_refused_as_late_is_issued_again() {
        final TransferId id = ask();
        answer(awaitCommand(id, "copy-tree", 1), new Result.Refused(Refusal.EXPIRED, "late"));
        answer(awaitCommand(id, "copy-tree", 2), DONE);
        await(id, Verified.class);
    }

    /** Led from state to state; in each the service is restarted, says nothing again, and goes on. */
    @Test
    void a_restart_in_every_state_loses_and_repeats_nothing() {
        final TransferId first = ask();
        final Command blocking = awaitCommand(first, "copy-tree", 1);
        final TransferId id = ask();
        await(id, Planned.class);
        restartSaysNothingAbout(id);
        answer(blocking, DONE);
        final Command copy = awaitCommand(id, "copy-tree", 1);
        restartSaysNothingAbout(id);
        answer(copy, BEGUN);
        restartSaysNothingAbout(id);
        log.put(new Request.TransferCancelRequested(id, "the job is stopped", Instant.now()));
        final Command stop = awaitCommand(id, "stop-copy", 1);
        restartSaysNothingAbout(id);
        answer(stop, new Result.Done(null, "stopped"));
        await(id, Cancelled.class);
        restartSaysNothingAbout(id);
        assertThat(commands(id, "copy-tree")).hasSize(1);
    }

    @Test
    void the_copy_of_an_ended_job_is_removed_once_whenever_the_service_restarts() {
        final GlobalJobId job = ended(new GlobalJobState.End(new RunOutcome.Exited(0)));
        final TransferId about = TransferId.of(job.value());
        final Command remove = awaitCommand(job, "remove-copy");
        assertThat(remove.cluster()).isEqualTo(beta);
        restartSaysNothingAbout(about);
        answer(remove, BEGUN);
        restartSaysNothingAbout(about);
        answer(remove, new Result.Done(null, "12 bytes of disk space freed"));
        log.await(
                "removed",
                StagedCopy.class,
                copy -> copy.attempt().job().equals(job) && copy.state() instanceof StagedCopyState.Removed);
        restartSaysNothingAbout(about);
    }

    @Test
    void the_copy_of_an_aborted_job_is_announced_and_kept() {
        final GlobalJobId job = ended(new GlobalJobState.Aborted("how the run ended is unknown"));
        final StagedCopy copy =
                log.await("kept", StagedCopy.class, one -> one.attempt().job().equals(job));
        assertThat(((StagedCopyState.Kept) copy.state()).removeAt())
                .isAfter(Instant.now().plus(Duration.ofDays(13)));
        restartSaysNothingAbout(TransferId.of(job.value()));
    }

    private GlobalJobId ended(final GlobalJobState state) {
        final GlobalJobId job = GlobalJobId.of("01JV"
                + "%022d".formatted((System.currentTimeMillis() % 1_000_000_000L) * 1000 + NUMBERS.incrementAndGet()));
        final JobSpec spec = new JobSpec(
                "heat",
                "#!/bin/sh\n",
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        final Instant now = Instant.now();
        final Attempt attempt = new Attempt(1, beta, "/staging/anna/" + job + ".1", "first fit", now, null)
                .withEnd(now, new AttemptEnd(AttemptEnd.Cause.FINISHED, "completed"));
        log.put(new GlobalJob(
                new JobSubmitted(job, 1, UserName.of("anna"), spec, alpha, "/home/anna/a", null, now, "signature"),
                state,
                List.of(attempt),
                null,
                now,
                7));
        return job;
    }

    private Command awaitCommand(final GlobalJobId job, final String action) {
        return log.await(
                action,
                Command.class,
                c -> c.action().name().equals(action) && c.action().subject().startsWith(job.value()));
    }

    private void restartSaysNothingAbout(final TransferId id) {
        settle();
        final List<String> before = saidAbout(id);
        loop.close();
        start();
        settle();
        assertThat(saidAbout(id)).isEqualTo(before);
    }

    /** A transfer between clusters that nobody knows is planned and dropped: whatever was decided before is on the log now. */
    private void settle() {
        final GlobalJobId job = GlobalJobId.of("01JS"
                + "%022d".formatted((System.currentTimeMillis() % 1_000_000_000L) * 1000 + NUMBERS.incrementAndGet()));
        final TransferId id = TransferId.of(job + ".1/upload");
        log.put(new Request.TransferRequested(
                id,
                job.attempt(1),
                UserName.of("anna"),
                new Place(ClusterId.of(name + "-nowhere"), null, "/a"),
                new Place(ClusterId.of(name + "-never"), null, "/b"),
                Instant.now(),
                null,
                null,
                "signature"));
        log.put(new Request.TransferCancelRequested(id, "only asking", Instant.now()));
        await(id, Cancelled.class);
    }

    @Test
    void what_was_answered_while_the_service_was_away_is_found() {
        final TransferId id = ask();
        final Command copy = awaitCommand(id, "copy-tree", 1);
        await(id, Copying.class);
        loop.close();
        answer(copy, BEGUN);
        answer(copy, DONE);
        start();
        await(id, Verified.class);
        assertThat(commands(id, "copy-tree")).hasSize(1);
    }

    @Test
    void a_transfer_requested_twice_is_copied_once() {
        final TransferId id = ask();
        ask(id);
        answer(awaitCommand(id, "copy-tree", 1), DONE);
        await(id, Verified.class);
        ask(id);
        settle();
        assertThat(commands(id, "copy-tree")).hasSize(1);
    }

    @Test
    void an_unreadable_message_on_each_input_becomes_a_dead_letter_and_the_next_transfer_runs() {
        for (final EventType type : List.of(
                EventType.TRANSFER_REQUESTED,
                EventType.TRANSFER,
                EventType.COMMAND,
                EventType.OUTCOME,
                EventType.REVISION_CLOSED)) {
            log.poison(type, name + "/poison");
            log.awaitDead(type.topic(), name + "/poison");
        }
        final TransferId id = ask();
        answer(awaitCommand(id, "copy-tree", 1), DONE);
        await(id, Verified.class);
    }
}
