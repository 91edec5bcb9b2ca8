package io.millrace.agent.local;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.RunOutcome;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Orders about one job, each carried out on what is true at that moment, or refused with the reason. Its owner's lock guards it. */
final class JobCommands {

    private final LocalQueue queue;
    private final LocalView view;
    private final Launcher launcher;
    private final Clock clock;

    JobCommands(final LocalQueue queue, final LocalView view, final Launcher launcher, final Clock clock) {
        this.queue = queue;
        this.view = view;
        this.launcher = launcher;
        this.clock = clock;
    }

    Answer<Accepted> cancel(final JobKey key) {
        return withJob(key, job -> switch (job.state()) {
            case LocalJob.Waiting w -> {
                queue.save(job.ended(null, clock.instant(), new RunOutcome.Cancelled()));
                yield accepted(key + " cancelled before it ran");
            }
            case LocalJob.Active active -> {
                queue.terminate(job, active, LocalJob.EndReason.CANCEL);
                yield accepted(key + " is being cancelled");
            }
            case LocalJob.Ended o -> gone(key);
        });
    }

    Answer<Accepted> start(final JobKey key) {
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting waiting)) {
                return wrongState(job, "does not wait");
            }
            if (waiting.hold() != null && waiting.hold() != HoldKind.ENTRY) {
                return wrongState(job, "is held (" + waiting.hold() + "); that hold must be lifted by whoever set it");
            }
            return queue.start(job)
                    ? accepted(key + " started")
                    : wrongState(
                            job,
                            "needs " + job.spec().resources().cores() + " cores, idle are " + view.idle(queue.jobs()));
        });
    }

    Answer<Accepted> hold(final JobKey key, final HoldKind kind) {
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting waiting)) {
                return wrongState(job, "does not wait, so it cannot be held");
            }
            if (waiting.hold() != null && waiting.hold() != HoldKind.ENTRY) {
                return accepted(key + " is held already (" + waiting.hold() + ")");
            }
            queue.save(job.withState(new LocalJob.Waiting(kind, clock.instant())));
            return accepted(key + " held (" + kind + ")");
        });
    }

    Answer<Accepted> release(final JobKey key, final HoldKind kind) {
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting waiting) || waiting.hold() != kind) {
                return wrongState(job, "has no hold of kind " + kind + "; it is " + view.state(job));
            }
            queue.save(job.withState(new LocalJob.Waiting(kind == HoldKind.ENTRY ? null : queue.defaultHold(), clock.instant())));
            return accepted(key + " released (" + kind + ")");
        });
    }

    Answer<Accepted> requeue(final JobKey key) {
        return putBack(key, LocalJob.EndReason.REQUEUE);
    }

    Answer<Accepted> requeueHeld(final JobKey key) {
        return putBack(key, LocalJob.EndReason.REQUEUE_HELD);
    }

    private Answer<Accepted> putBack(final JobKey key, final LocalJob.EndReason order) {
        return withActive(key, (job, active) -> {
            queue.terminate(job, active, order);
            return accepted(key + " is being put back into the queue");
        });
    }

    Answer<Accepted> suspend(final JobKey key) {
        return withActive(key, (job, active) -> {
            launcher.session(job, active.run()).signal("STOP", false);
            queue.save(job.withState(active.suspended(true)));
            return accepted(key + " suspended");
        });
    }

    Answer<Accepted> resume(final JobKey key) {
        return withActive(key, (job, active) -> {
            if (active.suspended() && !view.fits(active.cores(), queue.jobs())) {
                return wrongState(job, "cannot go on: others run on its cores; requeue one of them or wait");
            }
            queue.save(job.withState(active.suspended(false)));
            launcher.session(job, active.run()).signal("CONT", false);
            return accepted(key + " resumed");
        });
    }

    Answer<Accepted> signal(final JobKey key, final String signal) {
        return Signalling.name(signal)
                .then(name -> withActive(key, (job, active) -> {
                    launcher.session(job, active.run()).signal(name, false);
                    return accepted(key + " was sent " + name);
                }));
    }

    Answer<Accepted> walltime(final JobKey key, final Duration walltime) {
        if (walltime.isNegative() || walltime.isZero()) {
            return Answer.trouble(Answer.Kind.REJECTED, "a walltime is positive, got " + walltime);
        }
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting)) {
                return wrongState(job, "has begun its run and keeps the limit it began with");
            }
            queue.save(job.withWalltime(walltime));
            return accepted(key + " may run for " + walltime.toSeconds() + " s");
        });
    }

    private Answer<Accepted> withActive(
            final JobKey key, final BiFunction<LocalJob, LocalJob.Active, Answer<Accepted>> act) {
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Active active)) {
                return wrongState(job, "does not run");
            }
            if (active.endReason() != null) {
                return wrongState(job, "is being ended already (" + active.endReason() + ")");
            }
            return act.apply(job, active);
        });
    }

    /** What is asked of that job as it is now; {@code NO_SUCH_JOB} if it has left. */
    <T> Answer<T> withJob(final JobKey key, final Function<LocalJob, Answer<T>> act) {
        queue.advance();
        return queue.unfinished(key).map(act).orElseGet(() -> gone(key));
    }

    private static <T> Answer<T> gone(final JobKey key) {
        return Answer.trouble(Answer.Kind.NO_SUCH_JOB, "no job " + key + " in the queue; see its end in accounting");
    }

    private static <T> Answer<T> wrongState(final LocalJob job, final String because) {
        return Answer.trouble(Answer.Kind.WRONG_STATE, "job " + job.key() + " " + because);
    }

    private static Answer<Accepted> accepted(final String detail) {
        return Answer.ok(new Accepted(detail));
    }
}
