package io.millrace.agent.local;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.RunOutcome;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Commands about one job. Each is executed or refused according to the job's current state. Guarded by the lock of {@link LocalCluster}. */
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
                yield accepted(key + " was cancelled before it started");
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
                return wrongState(job, "is not pending");
            }
            if (waiting.hold() != null && waiting.hold() != HoldKind.ENTRY) {
                return wrongState(job, "is held by " + waiting.hold().holder() + ", which a start does not release");
            }
            return queue.start(job)
                    ? accepted(key + " started")
                    : wrongState(
                            job,
                            "needs " + job.spec().resources().cores() + " cores, but only "
                                    + view.idle(queue.unfinished()) + " are idle");
        });
    }

    Answer<Accepted> hold(final JobKey key, final HoldKind kind) {
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting waiting)) {
                return wrongState(job, "is not pending and cannot be held");
            }
            if (waiting.hold() != null && waiting.hold() != HoldKind.ENTRY) {
                return accepted(key + " is already held by " + waiting.hold().holder());
            }
            queue.save(job.withState(new LocalJob.Waiting(kind, clock.instant())));
            return accepted(key + " held by " + kind.holder());
        });
    }

    Answer<Accepted> release(final JobKey key, final HoldKind kind) {
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting waiting) || waiting.hold() != kind) {
                return wrongState(
                        job,
                        "is not held by " + kind.holder() + " but is "
                                + view.state(job).phrase());
            }
            queue.save(job.withState(
                    new LocalJob.Waiting(kind == HoldKind.ENTRY ? null : queue.defaultHold(), clock.instant())));
            return accepted(key + " released");
        });
    }

    Answer<Accepted> requeue(final JobKey key) {
        return requeue(key, LocalJob.EndReason.REQUEUE);
    }

    Answer<Accepted> requeueHeld(final JobKey key) {
        return requeue(key, LocalJob.EndReason.REQUEUE_HELD);
    }

    private Answer<Accepted> requeue(final JobKey key, final LocalJob.EndReason reason) {
        return withActive(key, (job, active) -> {
            queue.terminate(job, active, reason);
            return accepted(key + " is being requeued");
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
            if (active.suspended() && !view.fits(active.cores(), queue.unfinished())) {
                return wrongState(
                        job, "cannot resume because other jobs use its cores; requeue one of them or retry later");
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
                    return accepted("sent " + name + " to " + key);
                }));
    }

    Answer<Accepted> walltime(final JobKey key, final Duration walltime) {
        if (walltime.isNegative() || walltime.isZero()) {
            return Answer.trouble(Answer.Kind.REJECTED, "walltime must be greater than zero, got " + walltime);
        }
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting)) {
                return wrongState(job, "has started; the walltime can be changed only while the job is pending");
            }
            queue.save(job.withWalltime(walltime));
            return accepted("set the walltime of " + key + " to " + walltime.toSeconds() + " s");
        });
    }

    Answer<Accepted> alterPending(final JobKey key, final @Nullable String name, final @Nullable Integer cores) {
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting)) {
                return wrongState(job, "has started; its name and cores can be changed only while the job is pending");
            }
            queue.save(job.altered(name, cores));
            return accepted("changed " + key);
        });
    }

    /** The embedded cluster has one partition. */
    Answer<Accepted> setPartition(final JobKey key, final PartitionName partition) {
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Waiting)) {
                return wrongState(job, "has started; its partition can be changed only while the job is pending");
            }
            return partition.equals(LocalView.PARTITION)
                    ? accepted(key + " is in partition " + partition)
                    : Answer.trouble(
                            Answer.Kind.REJECTED,
                            "partition '" + partition + "' does not exist; the partition of this cluster is "
                                    + LocalView.PARTITION);
        });
    }

    private Answer<Accepted> withActive(
            final JobKey key, final BiFunction<LocalJob, LocalJob.Active, Answer<Accepted>> act) {
        return withJob(key, job -> {
            if (!(job.state() instanceof LocalJob.Active active)) {
                return wrongState(job, "is not running");
            }
            if (active.endReason() != null) {
                return wrongState(job, "is already ending (" + active.endReason() + ")");
            }
            return act.apply(job, active);
        });
    }

    /** Applies an action to the job in its current state; {@code NO_SUCH_JOB} if it has ended. */
    <T> Answer<T> withJob(final JobKey key, final Function<LocalJob, Answer<T>> act) {
        queue.advance(key);
        return queue.unfinished(key).map(act).orElseGet(() -> gone(key));
    }

    private static <T> Answer<T> gone(final JobKey key) {
        return Answer.trouble(Answer.Kind.NO_SUCH_JOB, "job " + key + " is not in the queue; it may have ended");
    }

    private static <T> Answer<T> wrongState(final LocalJob job, final String reason) {
        return Answer.trouble(Answer.Kind.WRONG_STATE, "job " + job.key() + " " + reason);
    }

    private static Answer<Accepted> accepted(final String detail) {
        return Answer.ok(new Accepted(detail));
    }
}
