package io.millrace.migration.domain.job;

import io.millrace.model.AttemptId;
import io.millrace.model.TransferId;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.Downloading;
import io.millrace.model.job.GlobalJobState.End;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Stopped;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Uploading;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a global job.
 *
 * <pre>
 *             Placed            Uploaded      MakeSucceeded         RunFinished         ResultsReturned
 *   Waiting ----------> Uploading ------> Making ------> Submitted ------------> Downloading -------> End
 *    |  ^  \------------ in place --------> ^  \           ^   |  LocalJobFound, Released, LocalJobHeld, RunContinued: stays
 *    |  |                    |  no make step: ------------ /    \--------- in place -----------------/
 *    |  +-- AttemptFailed(mayRetry) -- Uploading, Making, Submitted(local job unknown)
 *    |
 *    +--> Aborted   Impossible (Waiting), AttemptFailed(no retry), RunFinished(unknown), ResultsLost
 *    +--> Stopped   StopReceived: immediately in Waiting and Downloading; in other states the stop is recorded, and the next of
 *                   Uploaded, MakeSucceeded, AttemptFailed, NothingRunning, RunFinished, Withdrawn, Abandoned leads to Stopped
 *
 *   Submitted --WithdrawalDecided--> Submitted, its local job is cancelled --Withdrawn--> Waiting, or first Downloading (Requeued)
 *                                    if it has files to bring; WithdrawalRefused: it started, and stays
 *   Uploading, or after a fence also Making and Submitted --Abandoned--> Waiting
 * </pre>
 *
 * AlterReceived changes a Waiting job, and walltime, name and cores of a Submitted one, whose local job was changed before. HoldReceived and ReleaseReceived change no state: a held job is not placed, and its waiting local job is not released.
 *
 * <p>End, Aborted and Stopped are final.
 */
public final class GlobalJobLifecycle {

    private GlobalJobLifecycle() {}

    /** Creates the global job of a submission. */
    public static GlobalJob accepted(final JobSubmitted submission, final Instant now) {
        return new GlobalJob(submission, Waiting.ACCEPTED, List.of(), null, now, 1, submission.hold(), null);
    }

    /** The job after a fact; empty if the fact does not change it. */
    public static Optional<GlobalJob> after(final GlobalJob job, final JobFact fact, final Instant now) {
        final GlobalJobState next = next(job, fact);
        final StopRequested stop = stopAfter(job, fact, next);
        final HoldRequested hold = holdAfter(job, fact);
        final JobSubmitted submission =
                fact instanceof JobFact.AlterReceived f ? f.change().applyTo(job.submission()) : job.submission();
        final Integer priority =
                fact instanceof JobFact.AlterReceived f && f.change().priority() != null
                        ? f.change().priority()
                        : job.priority();
        if (next == null
                || (next.equals(job.state())
                        && Objects.equals(stop, job.stop())
                        && Objects.equals(hold, job.hold())
                        && submission.equals(job.submission())
                        && Objects.equals(priority, job.priority()))) {
            return Optional.empty();
        }
        final boolean entered = next.getClass() != job.state().getClass();
        final Instant since = entered ? now : job.since();
        return Optional.of(new GlobalJob(
                submission,
                next,
                attempts(job, fact, next, now),
                stop,
                since,
                job.version() + 1,
                next.isFinal() ? null : hold,
                priority));
    }

    private static @Nullable GlobalJobState next(final GlobalJob job, final JobFact fact) {
        final GlobalJobState state = job.state();
        return switch (fact) {
            case JobFact.Delayed f -> state instanceof Waiting ? new Waiting(f.reason()) : null;
            case JobFact.Impossible f -> state instanceof Waiting ? new Aborted(f.reason()) : null;
            case JobFact.Placed f -> state instanceof Waiting ? placed(job, f) : null;
            case JobFact.Uploaded f ->
                state instanceof Uploading u ? unlessStopped(job, "", prepared(job, u.attempt())) : null;
            case JobFact.MakeSucceeded f ->
                state instanceof Making m ? unlessStopped(job, "", new Submitted(m.attempt(), null, false)) : null;
            case JobFact.AttemptFailed f -> lost(job, f);
            case JobFact.LocalJobFound f ->
                state instanceof Submitted s && s.localJob() == null ? s.withLocalJob(f.localJob()) : null;
            case JobFact.Released f ->
                state instanceof Submitted s && s.localJob() != null ? s.withReleased(true) : null;
            case JobFact.RunContinued f ->
                state instanceof Submitted s
                                && (s.localJob() == null || s.localJob().equals(f.localJob()))
                        ? s.withLocalJob(f.continuedAs())
                        : null;
            case JobFact.RunFinished f ->
                state instanceof Submitted s && isItsOwn(s, f) ? over(job, s, f.outcome()) : null;
            case JobFact.ResultsReturned f ->
                !(state instanceof Downloading d)
                        ? null
                        : d.outcome().endsTheJob()
                                ? new End(d.outcome())
                                : new Waiting("withdrawn from " + whereItRan(job) + "; its files were copied back");
            case JobFact.ResultsLost f -> state instanceof Downloading d ? resultsLost(job, d, f.reason()) : null;
            case JobFact.StopReceived f -> stopAsked(job, f.stop());
            case JobFact.HoldReceived f -> mayStillStart(state) ? state : null;
            case JobFact.ReleaseReceived f -> state.isFinal() ? null : state;
            case JobFact.AlterReceived f ->
                state instanceof Waiting
                                || state instanceof Submitted && f.change().isOfPlacedJobs()
                        ? state
                        : null;
            case JobFact.LocalJobHeld f ->
                state instanceof Submitted s && s.localJob() != null ? s.withReleased(false) : null;
            case JobFact.WithdrawalDecided f ->
                state instanceof Submitted s && s.localJob() != null && job.stop() == null
                        ? s.withWithdrawal(f.withdrawal())
                        : null;
            case JobFact.WithdrawalRefused f ->
                state instanceof Submitted s && s.withdrawal() != null ? s.withWithdrawal(null) : null;
            case JobFact.Withdrawn f -> withdrawn(job, f);
            case JobFact.Abandoned f -> abandoned(job, f.end());
            case JobFact.NothingRunning f ->
                job.stop() != null && isBeforeItsRun(state) ? stopped(job.stop(), "") : null;
        };
    }

    private static GlobalJobState placed(final GlobalJob job, final JobFact.Placed placed) {
        final AttemptId attempt = job.id().attempt(job.attempts().size() + 1);
        return placed.cluster().equals(job.submission().source())
                ? prepared(job, attempt)
                : new Uploading(attempt, upload(attempt));
    }

    private static GlobalJobState prepared(final GlobalJob job, final AttemptId attempt) {
        return job.submission().spec().make() == null ? new Submitted(attempt, null, false) : new Making(attempt);
    }

    private static @Nullable GlobalJobState lost(final GlobalJob job, final JobFact.AttemptFailed lost) {
        final GlobalJobState state = job.state();
        if (!(state instanceof Uploading) && !isBeforeItsRun(state)) {
            return null;
        }
        return unlessStopped(
                job, lost.reason(), lost.mayRetry() ? new Waiting(lost.reason()) : new Aborted(lost.reason()));
    }

    /** A run with the same tag but another local id belongs to a duplicate and does not change this job. */
    private static boolean isItsOwn(final Submitted submitted, final JobFact.RunFinished over) {
        return over.outcome().endsTheJob()
                && (submitted.localJob() == null || submitted.localJob().equals(over.localJob()));
    }

    private static GlobalJobState over(final GlobalJob job, final Submitted submitted, final RunOutcome outcome) {
        final boolean inPlace = runsInPlace(job);
        if (job.stop() != null) {
            return stopped(job.stop(), inPlace ? "" : "its files stay in " + whereItRan(job));
        }
        if (outcome instanceof RunOutcome.Unknown unknown) {
            return new Aborted("how the run ended is unknown: " + unknown.reason() + "; its files are in "
                    + whereItRan(job) + ", check them before submitting the job again");
        }
        return inPlace
                ? new End(outcome)
                : new Downloading(submitted.attempt(), download(submitted.attempt()), outcome);
    }

    private static GlobalJobState resultsLost(final GlobalJob job, final Downloading state, final String reason) {
        if (!state.outcome().endsTheJob()) {
            return new Waiting("withdrawn from " + whereItRan(job) + "; its files could not be copied back: " + reason
                    + "; it starts from the beginning");
        }
        return new Aborted("the run ended (" + state.outcome().detail() + "), but its results could not be"
                + " copied back: " + reason + "; they are in " + whereItRan(job));
    }

    private static @Nullable GlobalJobState withdrawn(final GlobalJob job, final JobFact.Withdrawn fact) {
        if (!(job.state() instanceof Submitted s)
                || s.withdrawal() == null
                || !fact.localJob().equals(s.localJob())) {
            return null;
        }
        final GlobalJobState next = s.withdrawal().bringsFiles()
                ? new Downloading(s.attempt(), download(s.attempt()), new RunOutcome.Requeued())
                : new Waiting(s.withdrawal().end().reason());
        return unlessStopped(job, s.withdrawal().end().reason(), next);
    }

    /** Only a fence ends an attempt that may have a local job. */
    private static @Nullable GlobalJobState abandoned(final GlobalJob job, final AttemptEnd end) {
        final GlobalJobState state = job.state();
        final boolean placed = state instanceof Making || state instanceof Submitted;
        return state instanceof Uploading || (placed && end.cause() == AttemptEnd.Cause.FENCED)
                ? unlessStopped(job, end.reason(), new Waiting(end.reason()))
                : null;
    }

    private static @Nullable GlobalJobState stopAsked(final GlobalJob job, final StopRequested stop) {
        return switch (job.state()) {
            case Waiting w -> stopped(stop, "");
            case Downloading d ->
                stopped(stop, "the run had ended (" + d.outcome().detail() + "); its files stay in " + whereItRan(job));
            case Uploading u -> u;
            case Making m -> m;
            case Submitted s -> s;
            case End e -> null;
            case Aborted a -> null;
            case Stopped s -> null;
        };
    }

    private static GlobalJobState unlessStopped(final GlobalJob job, final String detail, final GlobalJobState next) {
        return job.stop() == null ? next : stopped(job.stop(), detail);
    }

    private static Stopped stopped(final StopRequested stop, final String detail) {
        return new Stopped(stop.by(), detail.isEmpty() ? stop.reason() : stop.reason() + "; " + detail);
    }

    private static @Nullable StopRequested stopAfter(
            final GlobalJob job, final JobFact fact, final @Nullable GlobalJobState next) {
        if (next != null && next.isFinal()) {
            return null;
        }
        return fact instanceof JobFact.StopReceived asked && job.stop() == null ? asked.stop() : job.stop();
    }

    /** An operator's hold replaces the owner's: then only operators release the job. The first hold of each counts. */
    private static @Nullable HoldRequested holdAfter(final GlobalJob job, final JobFact fact) {
        return switch (fact) {
            case JobFact.HoldReceived f ->
                job.holdKind() == null
                                || job.holdKind() == HoldKind.USER
                                        && !f.hold()
                                                .by()
                                                .equals(job.submission().owner())
                        ? f.hold()
                        : job.hold();
            case JobFact.ReleaseReceived f -> null;
            default -> job.hold();
        };
    }

    private static boolean mayStillStart(final GlobalJobState state) {
        return !state.isFinal()
                && !(state instanceof Downloading d && d.outcome().endsTheJob());
    }

    private static List<Attempt> attempts(
            final GlobalJob job, final JobFact fact, final GlobalJobState next, final Instant now) {
        final List<Attempt> attempts = new ArrayList<>(job.attempts());
        if (fact instanceof JobFact.Placed placed) {
            attempts.add(
                    new Attempt(attempts.size() + 1, placed.cluster(), placed.directory(), placed.reason(), now, null)
                            .in(placed.partition()));
        }
        if (fact instanceof JobFact.LocalJobFound found) {
            attempts.set(attempts.size() - 1, attempts.getLast().withLocalJob(found.localJob()));
        }
        if (fact instanceof JobFact.RunContinued goesOn) {
            attempts.set(attempts.size() - 1, attempts.getLast().withLocalJob(goesOn.continuedAs()));
        }
        if (fact instanceof JobFact.RunFinished over) {
            attempts.set(attempts.size() - 1, attempts.getLast().withLocalJob(over.localJob()));
        }
        if (!isActive(next) && !attempts.isEmpty() && attempts.getLast().endedAt() == null) {
            attempts.set(attempts.size() - 1, attempts.getLast().withEnd(now, attemptEnd(job, fact, next)));
        }
        return attempts;
    }

    private static boolean isActive(final GlobalJobState state) {
        return state instanceof Uploading || state instanceof Making || state instanceof Submitted;
    }

    private static AttemptEnd attemptEnd(final GlobalJob job, final JobFact fact, final GlobalJobState next) {
        if (fact instanceof JobFact.Abandoned given) {
            return given.end();
        }
        if (next instanceof Stopped stopped) {
            return new AttemptEnd(AttemptEnd.Cause.STOPPED, stopped.reason());
        }
        return switch (fact) {
            case JobFact.Withdrawn f
            when job.state() instanceof Submitted s && s.withdrawal() != null ->
                s.withdrawal().end();
            case JobFact.AttemptFailed f -> new AttemptEnd(AttemptEnd.Cause.FAILED, f.reason());
            case JobFact.RunFinished f ->
                new AttemptEnd(AttemptEnd.Cause.FINISHED, f.outcome().detail());
            default -> throw new IllegalStateException(fact + " ends no attempt of " + job.id());
        };
    }

    /** Whether no local job of the attempt is known in this state. */
    private static boolean isBeforeItsRun(final GlobalJobState state) {
        return state instanceof Making || (state instanceof Submitted s && s.localJob() == null);
    }

    static boolean runsInPlace(final GlobalJob job) {
        final Attempt attempt = job.attempt();
        return attempt != null && attempt.cluster().equals(job.submission().source());
    }

    private static String whereItRan(final GlobalJob job) {
        final Attempt attempt = Objects.requireNonNull(job.attempt(), "a job that ran has an attempt");
        return attempt.cluster() + ":" + attempt.directory();
    }

    static TransferId upload(final AttemptId attempt) {
        return TransferId.of(attempt + "/upload");
    }

    static TransferId download(final AttemptId attempt) {
        return TransferId.of(attempt + "/download");
    }
}
