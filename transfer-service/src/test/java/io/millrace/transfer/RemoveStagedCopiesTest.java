package io.millrace.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.StagedCopyState;
import io.millrace.model.transfer.StagedCopyState.Kept;
import io.millrace.model.transfer.StagedCopyState.Removed;
import io.millrace.model.transfer.StagedCopyState.Removing;
import io.millrace.transfer.domain.Policies;
import io.millrace.transfer.domain.TransferPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RemoveStagedCopiesTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final ClusterId HOME = ClusterId.of("alpha");
    private static final ClusterId BETA = ClusterId.of("beta");
    private static final TransferPolicy POLICY = Policies.INSTALLED;

    private final List<Event> log = new ArrayList<>();
    private RemoveStagedCopies removals = new RemoveStagedCopies(POLICY);
    private Instant now = NOON;

    @Test
    void a_copy_is_announced_at_the_end_of_the_job_and_removed_a_day_later() {
        ended(1, new GlobalJobState.End(new RunOutcome.Exited(0)), BETA);
        decide();
        assertThat(kept(1).removeAt()).isEqualTo(NOON.plus(Duration.ofDays(1)));
        assertThat(removals.wakeAt()).contains(NOON.plus(Duration.ofDays(1)));
        assertThat(commands()).isEmpty();

        pass(Duration.ofDays(1));
        decide();
        final Command command = commands().getFirst();
        assertThat(command.cluster()).isEqualTo(BETA);
        assertThat(command.action())
                .isEqualTo(new Action.RemoveCopy(
                        attempt(1), UserName.of("anna"), "/staging/anna/" + attempt(1), "signature"));
        answer(command, new Result.Done(null, "12 bytes of disk space freed"));
        decide();
        assertThat(state(1)).isEqualTo(new Removed("12 bytes of disk space freed"));
    }

    @Test
    void the_copy_of_a_failed_job_is_kept_longer() {
        ended(1, new GlobalJobState.Aborted("how the run ended is unknown"), BETA);
        ended(2, new GlobalJobState.Stopped(UserName.of("anna"), "no longer needed"), BETA);
        decide();
        assertThat(kept(1).removeAt()).isEqualTo(NOON.plus(Duration.ofDays(14)));
        assertThat(kept(1).reason()).isEqualTo("the job was aborted; copy the files that you need");
        assertThat(kept(2).removeAt()).isEqualTo(NOON.plus(Duration.ofDays(14)));
    }

    @Test
    void the_directory_of_the_job_itself_and_live_jobs_are_never_touched() {
        ended(1, new GlobalJobState.End(new RunOutcome.Exited(0)), HOME);
        ended(2, new GlobalJobState.Making(attempt(2)), BETA);
        pass(Duration.ofDays(100));
        assertThat(decide()).isEmpty();
    }

    @Test
    void what_has_arrived_of_files_that_found_no_room_is_removed_at_once() {
        final AttemptEnd full = new AttemptEnd(AttemptEnd.Cause.DISK_FULL, "No space left on device");
        ended(1, new GlobalJobState.Waiting("No space left on device"), full, BETA);
        ended(2, new GlobalJobState.Waiting("beta is drained"), new AttemptEnd(AttemptEnd.Cause.DRAINED, "beta"), BETA);
        decide();
        assertThat(commands())
                .extracting(Command::action)
                .containsExactly(new Action.RemoveCopy(
                        attempt(1), UserName.of("anna"), "/staging/anna/" + attempt(1), "signature"));
    }

    @Test
    void every_attempt_elsewhere_leaves_a_copy() {
        ended(1, new GlobalJobState.End(new RunOutcome.Exited(0)), BETA, HOME, BETA);
        decide();
        assertThat(copies()).extracting(copy -> copy.attempt().number()).containsExactly(1, 3);
    }

    @Test
    void a_refused_removal_is_repeated_with_growing_pauses_and_its_reason_is_on_the_log() {
        ended(1, new GlobalJobState.End(new RunOutcome.Exited(0)), BETA);
        decide();
        pass(Duration.ofDays(1));
        Instant before = now;
        Duration pause = Duration.ZERO;
        for (int n = 1; n <= 4; n++) {
            decide();
            assertThat(commands()).hasSize(n);
            answer(commands().getLast(), new Result.Refused(Refusal.STALE, "beta/7 is still in the queue"));
            decide();
            assertThat(kept(1).reason()).contains("removal " + n, "beta/7 is still in the queue");
            assertThat(Duration.between(before, kept(1).removeAt())).isGreaterThan(pause);
            pause = Duration.between(before, kept(1).removeAt());
            now = kept(1).removeAt();
            before = now;
            heartbeat();
        }
        assertThat(commands()).extracting(Command::id).doesNotHaveDuplicates();
    }

    @Test
    void an_unavailable_cluster_is_waited_for() {
        ended(1, new GlobalJobState.End(new RunOutcome.Exited(0)), BETA);
        decide();
        now = now.plus(Duration.ofDays(2));
        decide();
        assertThat(commands()).isEmpty();
        heartbeat();
        decide();
        assertThat(commands()).hasSize(1);
    }

    @Test
    void a_command_without_an_answer_is_issued_again_after_it_has_expired() {
        ended(1, new GlobalJobState.End(new RunOutcome.Exited(0)), BETA);
        decide();
        pass(Duration.ofDays(1));
        decide();
        pass(Duration.ofMinutes(5));
        decide();
        assertThat(commands()).hasSize(1);
        pass(Duration.ofMinutes(7));
        decide();
        assertThat(kept(1).reason()).contains("did not answer");
        pass(Duration.ofMinutes(10));
        decide();
        assertThat(commands()).hasSize(2);
    }

    @Test
    void few_copies_are_removed_at_a_time_and_all_of_them_in_the_end() {
        for (int n = 1; n <= 7; n++) {
            ended(n, new GlobalJobState.End(new RunOutcome.Exited(0)), BETA);
        }
        decide();
        pass(Duration.ofDays(1));
        for (int round = 1; round <= 7; round++) {
            decide();
            final List<StagedCopy> removing = copies().stream()
                    .filter(copy -> copy.state() instanceof Removing)
                    .toList();
            assertThat(removing).hasSizeBetween(1, 2);
            answer(commands().get(round - 1), new Result.Done(null, "1 bytes of disk space freed"));
        }
        decide();
        assertThat(copies()).hasSize(7).allMatch(copy -> copy.state() instanceof Removed);
    }

    /** In each state, a new process writes what the old one would have written: nothing again, and nothing less. */
    @Test
    void a_restart_in_every_state_forgets_and_repeats_nothing() {
        ended(1, new GlobalJobState.End(new RunOutcome.Exited(0)), BETA);
        restart();
        decide();
        restart();
        assertThat(decide()).isEmpty();
        pass(Duration.ofDays(1));
        restart();
        decide();
        restart();
        assertThat(decide()).isEmpty();
        answer(commands().getFirst(), new Result.Failed("disk error"));
        restart();
        decide();
        restart();
        assertThat(decide()).isEmpty();
        pass(Duration.ofHours(5));
        decide();
        answer(commands().get(1), new Result.Done(null, "gone"));
        decide();
        restart();
        pass(Duration.ofDays(100));
        assertThat(decide()).isEmpty();
        assertThat(commands()).hasSize(2);
    }

    private void ended(final int n, final GlobalJobState state, final ClusterId... clusters) {
        ended(n, state, new AttemptEnd(AttemptEnd.Cause.FINISHED, "completed"), clusters);
    }

    /** @param end of the attempts; null: not recorded */
    private void ended(final int n, final GlobalJobState state, final AttemptEnd end, final ClusterId... clusters) {
        final GlobalJobId job = attempt(n).job();
        final List<Attempt> attempts = new ArrayList<>();
        for (int i = 0; i < clusters.length; i++) {
            attempts.add(new Attempt(
                            i + 1,
                            clusters[i],
                            clusters[i].equals(HOME) ? "/home/anna/heat" : "/staging/anna/" + job.attempt(i + 1),
                            "first fit",
                            NOON.minusSeconds(60),
                            null)
                    .withEnd(NOON, end));
        }
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
        final JobSubmitted submission = new JobSubmitted(
                job, 1, UserName.of("anna"), spec, HOME, "/home/anna/heat", null, NOON.minusSeconds(90), "signature");
        say(new GlobalJob(submission, state, attempts, null, NOON, 9));
        heartbeat();
    }

    private static AttemptId attempt(final int n) {
        return AttemptId.of("01J00000000000000000000%03d.1".formatted(n));
    }

    private void heartbeat() {
        say(new RevisionClosed(
                BETA,
                1 + log.size(),
                now,
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

    private void pass(final Duration time) {
        now = now.plus(time);
        heartbeat();
    }

    private void answer(final Command command, final Result result) {
        say(command.outcome(result, now));
    }

    private void say(final Event event) {
        log.add(event);
        deliver(event);
    }

    private List<Event> decide() {
        final List<Event> said = removals.decide(now);
        log.addAll(said);
        said.stream().filter(event -> !(event instanceof StagedCopy)).forEach(this::deliver);
        return said;
    }

    private void restart() {
        removals = new RemoveStagedCopies(POLICY);
        log.stream()
                .filter(event -> !(event instanceof Command c) || c.issuedAt().isAfter(now.minus(Duration.ofHours(1))))
                .filter(event ->
                        !(event instanceof Outcome o) || o.answeredAt().isAfter(now.minus(Duration.ofHours(1))))
                .forEach(this::deliver);
    }

    private void deliver(final Event event) {
        switch (event) {
            case GlobalJob job -> removals.changed(job);
            case StagedCopy copy -> removals.recorded(copy);
            case Command command -> removals.issued(command);
            case Outcome outcome -> removals.answered(outcome);
            case RevisionClosed marker -> removals.observed(marker);
            default -> throw new IllegalStateException("nobody reads " + event);
        }
    }

    private List<Command> commands() {
        return log.stream()
                .filter(Command.class::isInstance)
                .map(Command.class::cast)
                .toList();
    }

    /** The newest state of each copy. */
    private List<StagedCopy> copies() {
        final Map<String, StagedCopy> newest = new java.util.TreeMap<>();
        log.stream()
                .filter(StagedCopy.class::isInstance)
                .map(StagedCopy.class::cast)
                .forEach(copy -> newest.put(copy.key(), copy));
        return List.copyOf(newest.values());
    }

    private StagedCopyState state(final int n) {
        return copies().stream()
                .filter(copy -> copy.attempt().equals(attempt(n)))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private Kept kept(final int n) {
        return (Kept) state(n);
    }
}
