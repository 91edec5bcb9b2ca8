package io.millrace.migration.domain.attempt;

import io.millrace.decide.CommandStatus;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.cluster.CommandRequest;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.HeldJob;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.Withdrawal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The commands that move a placed job forward on its cluster at one instant: make, submit, release, cancel.
 *
 * <p>An attempt is abandoned only when it is certain that it did not start. After an answer that leaves this open (unclear, or a local
 * job with its tag may exist) the command is retried without limit. An unavailable cluster never ends an attempt (promise 6).
 */
final class AttemptSteps {

    private final MigrationPolicy policy;
    private final GlobalJob job;
    private final Attempt attempt;
    private final TargetCluster cluster;
    private final Instant now;

    AttemptSteps(final MigrationPolicy policy, final TargetClusters clusters, final GlobalJob job, final Instant now) {
        this.policy = policy;
        this.job = job;
        this.attempt = Objects.requireNonNull(job.attempt(), "a placed job has an attempt");
        this.cluster = clusters.of(attempt.cluster());
        this.now = now;
    }

    NextStep make() {
        final Action action = new Action.Make(
                job.id().attempt(attempt.number()),
                job.submission().owner(),
                attempt.here(job.submission().spec()),
                attempt.directory(),
                job.submission().signature());
        return switch (cluster.status(action)) {
            case CommandStatus.Pending u -> new NextStep.Wait(u.until(), Optional.empty());
            case CommandStatus.Unknown n ->
                job.stop() != null
                        ? NextStep.learn(new JobFact.NothingRunning())
                        : order(action, List.of(), "runs the make step");
            case CommandStatus.Answered a -> {
                if (job.stop() != null) {
                    yield NextStep.learn(new JobFact.NothingRunning());
                }
                if (a.outcome().result() instanceof Result.Done) {
                    yield NextStep.learn(new JobFact.MakeSucceeded());
                }
                yield isGivenUp(a) ? lost(a.outcome()) : again(action, List.of(), a);
            }
        };
    }

    NextStep submit(final AttemptId tag) {
        final Optional<JobKey> seen = cluster.oldestTagged(tag);
        if (seen.isPresent()) {
            return NextStep.learn(new JobFact.LocalJobFound(seen.get()));
        }
        final Action action = new Action.Submit(
                tag,
                job.submission().owner(),
                attempt.here(job.submission().spec()),
                attempt.directory(),
                job.submission().signature());
        final List<Precondition> absent = List.of(new Precondition.AttemptAbsent(tag));
        return switch (cluster.status(action)) {
            case CommandStatus.Pending u -> new NextStep.Wait(u.until(), Optional.empty());
            case CommandStatus.Unknown n ->
                job.stop() != null
                        ? NextStep.learn(new JobFact.NothingRunning())
                        : order(action, absent, attempt.reason());
            case CommandStatus.Answered a -> submitAnswered(action, absent, a);
        };
    }

    private NextStep submitAnswered(
            final Action action, final List<Precondition> absent, final CommandStatus.Answered answered) {
        if (answered.outcome().result() instanceof Result.Done done && done.job() != null) {
            return NextStep.learn(new JobFact.LocalJobFound(done.job()));
        }
        if (mayExist(answered.outcome().result())) {
            return job.stop() != null ? stopUnlessItAppears(action, answered) : again(action, absent, answered);
        }
        if (job.stop() != null) {
            return NextStep.learn(new JobFact.NothingRunning());
        }
        return isGivenUp(answered) ? lost(answered.outcome()) : again(action, absent, answered);
    }

    /**
     * Stops a job for which it is unknown whether a local job exists. If one appears in a later revision, it is still held and is
     * cancelled as an orphaned job, so it never runs.
     */
    private NextStep stopUnlessItAppears(final Action action, final CommandStatus.Answered answered) {
        final Optional<Veto> silence = cluster.unavailability(policy, now);
        if (silence.isPresent()) {
            return mute(silence.get(), action);
        }
        final Instant settled = answered.outcome().answeredAt().plus(policy.initialBackoff());
        return marker().observedAt().isAfter(settled)
                ? NextStep.learn(new JobFact.NothingRunning())
                : pause(later(settled), answered);
    }

    NextStep release(final JobKey local) {
        final Action action = new Action.Release(local);
        final boolean heldSince = isAnsweredAfter(new Action.Hold(local), action);
        if (!heldSince && cluster.job(local) != null && !cluster.hasSubmissionHold(local)) {
            return NextStep.learn(new JobFact.Released());
        }
        final List<Precondition> waits = List.of(new Precondition.JobWaits(local));
        final String why = local + " is recorded as attempt " + attempt.number();
        return switch (cluster.status(action)) {
            case CommandStatus.Pending u -> new NextStep.Wait(u.until(), Optional.empty());
            case CommandStatus.Unknown n -> order(action, waits, why);
            case CommandStatus.Answered a -> {
                if (heldSince) {
                    yield order(action, waits, why);
                }
                yield a.outcome().result() instanceof Result.Done
                        ? NextStep.learn(new JobFact.Released())
                        : again(action, waits, a);
            }
        };
    }

    /** Holds a released local job while it waits. A running job is held when it waits again. */
    NextStep hold(final JobKey local, final HoldRequested requested) {
        final JobObserved observed = cluster.job(local);
        if (observed == null || !observed.state().isWaiting() || isHeldThere(observed.state())) {
            return NextStep.nothing();
        }
        final Action action = new Action.Hold(local);
        final boolean releasedSince = isAnsweredAfter(new Action.Release(local), action);
        if (!releasedSince && cluster.hasSubmissionHold(local)) {
            return NextStep.learn(new JobFact.LocalJobHeld());
        }
        final String why = "hold requested by " + requested.by() + ": " + requested.reason();
        return switch (cluster.status(action)) {
            case CommandStatus.Pending u -> new NextStep.Wait(u.until(), Optional.empty());
            case CommandStatus.Unknown n -> order(action, List.of(), why);
            case CommandStatus.Answered a -> {
                if (releasedSince) {
                    yield order(action, List.of(), why);
                }
                yield a.outcome().result() instanceof Result.Done
                        ? NextStep.learn(new JobFact.LocalJobHeld())
                        : again(action, List.of(), a);
            }
        };
    }

    /** The job is held before it was released, but the command to release it may still take effect, or has: then it is held again. */
    NextStep keepHeld(final JobKey local) {
        final Action release = new Action.Release(local);
        if (cluster.status(release) instanceof CommandStatus.Pending pending) {
            return new NextStep.Wait(pending.until(), Optional.of(HeldJob.veto(job)));
        }
        return isAnsweredAfter(release, new Action.Hold(local))
                ? NextStep.learn(new JobFact.Released())
                : NextStep.blocked(HeldJob.veto(job));
    }

    /** The hold of a released job was withdrawn, but its command may still take effect, or has: then the job is released again. */
    NextStep unlessHeldSince(final JobKey local) {
        final Action hold = new Action.Hold(local);
        if (cluster.status(hold) instanceof CommandStatus.Pending pending) {
            return new NextStep.Wait(pending.until(), Optional.empty());
        }
        return isAnsweredAfter(hold, new Action.Release(local))
                ? NextStep.learn(new JobFact.LocalJobHeld())
                : NextStep.nothing();
    }

    /** Whether its owner or an operator holds it in the workload manager: then Millrace's hold would change nothing. */
    private static boolean isHeldThere(final JobState state) {
        return state instanceof JobState.Held held && (held.by() == HoldKind.USER || held.by() == HoldKind.OPERATOR);
    }

    /** Whether one action may have taken effect after the last answer to the other one. */
    private boolean isAnsweredAfter(final Action one, final Action other) {
        return cluster.status(one) instanceof CommandStatus.Answered a
                && (a.outcome().result() instanceof Result.Done || a.outcome().result() instanceof Result.Unclear)
                && (!(cluster.status(other) instanceof CommandStatus.Answered b)
                        || a.outcome().answeredAt().isAfter(b.outcome().answeredAt()));
    }

    NextStep cancel(final JobKey local, final String reason) {
        final Action action = new Action.Cancel(local);
        return switch (cluster.status(action)) {
            case CommandStatus.Pending u -> new NextStep.Wait(u.until(), Optional.empty());
            case CommandStatus.Unknown n -> order(action, List.of(), "stop requested: " + reason);
            case CommandStatus.Answered a -> {
                if (a.outcome().result() instanceof Result.Done) {
                    yield stillThere(local, a)
                            ? order(action, List.of(), "the job still exists after a cancel")
                            : ending(a);
                }
                yield again(action, List.of(), a);
            }
        };
    }

    /**
     * Cancels the local job of a withdrawn attempt: only while it waits, unless its cluster is fenced. The next attempt follows when its
     * end is on the log.
     */
    NextStep withdraw(final JobKey local, final Withdrawal withdrawal) {
        final boolean evenRunning = withdrawal.end().cause() == AttemptEnd.Cause.FENCED;
        final JobObserved observed = cluster.job(local);
        final Action action = new Action.Cancel(local);
        final List<Precondition> waits = evenRunning ? List.of() : List.of(new Precondition.JobWaits(local));
        final String why = "withdrawn: " + withdrawal.end().reason();
        return switch (cluster.status(action)) {
            case CommandStatus.Pending u -> new NextStep.Wait(u.until(), Optional.empty());
            case CommandStatus.Answered a
            when !a.outcome().answeredAt().isBefore(withdrawal.decidedAt()) -> {
                if (a.outcome().result() instanceof Result.Done) {
                    yield stillThere(local, a)
                            ? order(action, waits, "the job still exists after a cancel")
                            : ending(a);
                }
                yield !evenRunning && a.outcome().result() instanceof Result.Refused
                        ? NextStep.learn(new JobFact.WithdrawalRefused())
                        : again(action, waits, a);
            }
            case CommandStatus.Answered a -> order(action, waits, why);
            case CommandStatus.Unknown n ->
                evenRunning || observed == null || observed.state().isWaiting()
                        ? order(action, waits, why)
                        : NextStep.learn(new JobFact.WithdrawalRefused());
        };
    }

    /** Whether the cancelled local job was withdrawn, and not cancelled by another user before the withdrawal could take effect. */
    boolean isWithdrawnBy(final JobKey local, final Withdrawal withdrawal) {
        return !(cluster.status(new Action.Cancel(local)) instanceof CommandStatus.Answered a
                && !a.outcome().answeredAt().isBefore(withdrawal.decidedAt())
                && a.outcome().result() instanceof Result.Refused);
    }

    /** The cancel was executed, but a revision well after it still shows the job waiting or running: a requeue raced with it. */
    private boolean stillThere(final JobKey local, final CommandStatus.Answered cancelled) {
        final JobObserved observed = cluster.job(local);
        return observed != null
                && !(observed.state() instanceof JobState.Unsettled)
                && !(observed.state() instanceof JobState.Completing)
                && cluster.unavailability(policy, now).isEmpty()
                && marker().observedAt()
                        .isAfter(cancelled.outcome().answeredAt().plus(policy.initialBackoff()));
    }

    private NextStep ending(final CommandStatus.Answered cancelled) {
        return NextStep.waitUntil(later(cancelled.outcome().answeredAt().plus(policy.initialBackoff())));
    }

    private NextStep order(final Action action, final List<Precondition> preconditions, final String reason) {
        final Optional<Veto> silence = cluster.unavailability(policy, now);
        return silence.isPresent()
                ? mute(silence.get(), action)
                : new NextStep.Issue(new CommandRequest(action, attempt.startedAt(), preconditions, reason));
    }

    /** No command can be issued to the cluster now. An earlier answer is evaluated again when it is too old to count. */
    private NextStep mute(final Veto silence, final Action action) {
        return cluster.status(action) instanceof CommandStatus.Answered answered
                ? NextStep.blockedUntil(answered.forgottenAt(), silence)
                : NextStep.blocked(silence);
    }

    private NextStep pause(final Instant until, final CommandStatus.Answered answered) {
        final Instant sooner = answered.forgottenAt().isBefore(until) ? answered.forgottenAt() : until;
        return NextStep.blockedUntil(sooner, obstacle(answered));
    }

    private NextStep again(
            final Action action, final List<Precondition> preconditions, final CommandStatus.Answered answered) {
        final Instant due = policy.nextTry(answered.outcome().answeredAt(), answered.tries());
        return due.isAfter(now) ? pause(due, answered) : order(action, preconditions, "try " + (answered.tries() + 1));
    }

    private boolean isGivenUp(final CommandStatus.Answered answered) {
        return isHopeless(answered.outcome().result()) || answered.tries() >= policy.maxTries();
    }

    private NextStep lost(final Outcome outcome) {
        final String because = attempt.cluster() + ": " + outcome.action() + " " + ResultText.of(outcome.result());
        final boolean forbidden =
                outcome.result() instanceof Result.Refused refused && refused.refusal() == Refusal.NOT_PERMITTED;
        return NextStep.learn(new JobFact.AttemptFailed(because, !forbidden && JobSteps.mayTryAgain(job, policy)));
    }

    private Veto obstacle(final CommandStatus.Answered answered) {
        final Outcome outcome = answered.outcome();
        return (outcome.result() instanceof Result.Unclear ? VetoCode.COMMAND_UNCLEAR : VetoCode.COMMAND_FAILED)
                .veto(attempt.cluster() + ": " + outcome.action() + " " + ResultText.of(outcome.result())
                        + "; the command will be retried");
    }

    private Instant later(final Instant when) {
        return when.isAfter(now) ? when : now.plus(policy.initialBackoff());
    }

    private RevisionClosed marker() {
        return Objects.requireNonNull(cluster.marker(), "an available cluster has a revision");
    }

    /** Whether a local job may exist although the submit was answered this way. */
    private static boolean mayExist(final Result result) {
        return switch (result) {
            case Result.Unclear u -> true;
            case Result.Done d -> true;
            case Result.Refused r -> r.refusal() == Refusal.STALE;
            case Result.Failed f -> false;
            case Result.Begun b -> true;
        };
    }

    private static boolean isHopeless(final Result result) {
        return result instanceof Result.Refused refused
                && (refused.refusal() == Refusal.NOT_PERMITTED || refused.refusal() == Refusal.UNSUPPORTED);
    }
}
