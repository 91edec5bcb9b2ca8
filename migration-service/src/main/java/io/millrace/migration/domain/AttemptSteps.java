package io.millrace.migration.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The steps that a placed job takes with the agent of its cluster, at one instant: make, submit, release, cancel.
 *
 * <p>An attempt is given up only when it is certain that it has not begun: an answer that leaves this open (unclear, or a local job
 * with its tag is said to exist) is asked about again, however often. Nothing here gives up on a silent cluster (promise 6).
 */
final class AttemptSteps {

    private final Policy policy;
    private final GlobalJob job;
    private final Attempt attempt;
    private final Cluster cluster;
    private final Instant now;

    AttemptSteps(final Policy policy, final Clusters clusters, final GlobalJob job, final Instant now) {
        this.policy = policy;
        this.job = job;
        this.attempt = Objects.requireNonNull(job.attempt(), "a placed job has an attempt");
        this.cluster = clusters.of(attempt.cluster());
        this.now = now;
    }

    Next make() {
        final Action action = new Action.Make(
                job.id().attempt(attempt.number()),
                job.submission().owner(),
                job.submission().spec(),
                attempt.directory(),
                job.submission().signature());
        return switch (cluster.standing(action)) {
            case Standing.UnderWay u -> new Next.Wait(u.until(), Optional.empty());
            case Standing.NotOrdered n ->
                job.stop() != null ? Next.learn(new Fact.NothingRuns()) : order(action, List.of(), "make step first");
            case Standing.Answered a -> {
                if (job.stop() != null) {
                    yield Next.learn(new Fact.NothingRuns());
                }
                if (a.outcome().result() instanceof Result.Done) {
                    yield Next.learn(new Fact.Made());
                }
                yield isGivenUp(a) ? lost(a.outcome()) : again(action, List.of(), a);
            }
        };
    }

    Next submit(final AttemptId tag) {
        final Optional<JobKey> seen = cluster.oldestTagged(tag);
        if (seen.isPresent()) {
            return Next.learn(new Fact.LocalFound(seen.get()));
        }
        final Action action = new Action.Submit(
                tag,
                job.submission().owner(),
                job.submission().spec(),
                attempt.directory(),
                job.submission().signature());
        final List<Precondition> absent = List.of(new Precondition.AttemptAbsent(tag));
        return switch (cluster.standing(action)) {
            case Standing.UnderWay u -> new Next.Wait(u.until(), Optional.empty());
            case Standing.NotOrdered n ->
                job.stop() != null ? Next.learn(new Fact.NothingRuns()) : order(action, absent, attempt.reason());
            case Standing.Answered a -> submitAnswered(action, absent, a);
        };
    }

    private Next submitAnswered(
            final Action action, final List<Precondition> absent, final Standing.Answered answered) {
        if (answered.outcome().result() instanceof Result.Done done && done.job() != null) {
            return Next.learn(new Fact.LocalFound(done.job()));
        }
        if (mayExist(answered.outcome().result())) {
            return job.stop() != null ? stopUnlessItAppears(action, answered) : again(action, absent, answered);
        }
        if (job.stop() != null) {
            return Next.learn(new Fact.NothingRuns());
        }
        return isGivenUp(answered) ? lost(answered.outcome()) : again(action, absent, answered);
    }

    /**
     * A stopped job whose submit left open whether a local job exists: should one appear in a later revision, it is still held and
     * is cancelled as a stray, so it never runs.
     */
    private Next stopUnlessItAppears(final Action action, final Standing.Answered answered) {
        final Optional<Veto> silence = cluster.silence(policy, now);
        if (silence.isPresent()) {
            return mute(silence.get(), action);
        }
        final Instant settled = answered.outcome().answeredAt().plus(policy.retryAfter());
        return marker().observedAt().isAfter(settled)
                ? Next.learn(new Fact.NothingRuns())
                : pause(later(settled), answered);
    }

    Next release(final JobKey local) {
        if (cluster.job(local) != null && !cluster.isHeldByUs(local)) {
            return Next.learn(new Fact.Released());
        }
        final Action action = new Action.Release(local);
        final List<Precondition> waits = List.of(new Precondition.JobWaits(local));
        return switch (cluster.standing(action)) {
            case Standing.UnderWay u -> new Next.Wait(u.until(), Optional.empty());
            case Standing.NotOrdered n -> order(action, waits, local + " is on record as attempt " + attempt.number());
            case Standing.Answered a ->
                a.outcome().result() instanceof Result.Done ? Next.learn(new Fact.Released()) : again(action, waits, a);
        };
    }

    Next cancel(final JobKey local, final String reason) {
        final Action action = new Action.Cancel(local);
        return switch (cluster.standing(action)) {
            case Standing.UnderWay u -> new Next.Wait(u.until(), Optional.empty());
            case Standing.NotOrdered n -> order(action, List.of(), "stop asked for: " + reason);
            case Standing.Answered a -> {
                if (a.outcome().result() instanceof Result.Done) {
                    yield stillThere(local, a) ? order(action, List.of(), "still there after a cancel") : ending(a);
                }
                yield again(action, List.of(), a);
            }
        };
    }

    /** A cancel that was carried out, and yet a revision well after it shows the job waiting or running (a requeue raced with it). */
    private boolean stillThere(final JobKey local, final Standing.Answered cancelled) {
        final JobObserved observed = cluster.job(local);
        return observed != null
                && !(observed.state() instanceof JobState.Unsettled)
                && !(observed.state() instanceof JobState.Completing)
                && cluster.silence(policy, now).isEmpty()
                && marker().observedAt()
                        .isAfter(cancelled.outcome().answeredAt().plus(policy.retryAfter()));
    }

    private Next ending(final Standing.Answered cancelled) {
        return Next.hearUntil(later(cancelled.outcome().answeredAt().plus(policy.retryAfter())));
    }

    private Next order(final Action action, final List<Precondition> preconditions, final String reason) {
        final Optional<Veto> silence = cluster.silence(policy, now);
        return silence.isPresent()
                ? mute(silence.get(), action)
                : new Next.Order(action, attempt.startedAt(), preconditions, reason);
    }

    /** Nothing can be said to the cluster; what it answered is weighed anew when it is too old to count. */
    private Next mute(final Veto silence, final Action action) {
        return cluster.standing(action) instanceof Standing.Answered answered
                ? Next.blockedUntil(answered.fadesAt(), silence)
                : Next.blocked(silence);
    }

    private Next pause(final Instant until, final Standing.Answered answered) {
        final Instant sooner = answered.fadesAt().isBefore(until) ? answered.fadesAt() : until;
        return Next.blockedUntil(sooner, obstacle(answered));
    }

    private Next again(final Action action, final List<Precondition> preconditions, final Standing.Answered answered) {
        final Instant due = policy.nextTry(answered.outcome().answeredAt(), answered.tries());
        return due.isAfter(now)
                ? pause(due, answered)
                : order(action, preconditions, "again, after " + answered.tries() + " tries");
    }

    private boolean isGivenUp(final Standing.Answered answered) {
        return isHopeless(answered.outcome().result()) || answered.tries() >= policy.maxTries();
    }

    private Next lost(final Outcome outcome) {
        final String because = attempt.cluster() + ": " + outcome.action() + " " + Answers.inWords(outcome.result());
        final boolean forbidden =
                outcome.result() instanceof Result.Refused refused && refused.refusal() == Refusal.NOT_PERMITTED;
        return Next.learn(new Fact.AttemptLost(because, !forbidden && Steps.mayTryAgain(job, policy)));
    }

    private Veto obstacle(final Standing.Answered answered) {
        final Outcome outcome = answered.outcome();
        return (outcome.result() instanceof Result.Unclear ? VetoCode.COMMAND_UNCLEAR : VetoCode.COMMAND_FAILED)
                .veto(attempt.cluster() + ": " + outcome.action() + " " + Answers.inWords(outcome.result())
                        + "; it is tried again");
    }

    private Instant later(final Instant when) {
        return when.isAfter(now) ? when : now.plus(policy.retryAfter());
    }

    private RevisionClosed marker() {
        return Objects.requireNonNull(cluster.marker(), "a cluster that is not silent has a revision");
    }

    /** Whether a local job may exist in spite of this answer to a submit. */
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
