package io.millrace.agent.pbspro;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/**
 * Sets and lifts holds, and only those that are Millrace's to lift. Millrace's is the operator's hold, {@code o}, with the mark: the
 * system's, {@code s}, is also what PBS sets on a job that waits for others, and lifts by itself when they are done; and only a manager
 * may set it, while an operator may set {@code o}.
 */
final class Holds {

    static final String OWN_HOLD = "o";

    private final PbsSite site;
    private final Runner runner;
    private final Clock clock;
    private final JobLookup jobs;

    Holds(final PbsSite site, final Runner runner, final Clock clock, final JobLookup jobs) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.jobs = jobs;
    }

    /** A job that its owner has just handed in with {@code -h}: ours before his is lifted, so that nothing runs in between. */
    Answer<PbsJob> takeOver(final PbsJob fresh) {
        return mark(fresh, HoldMark.SUBMISSION)
                .then(marked -> runner.run(PbsCommand.hold(site, OWN_HOLD, fresh.id())))
                .then(held -> runner.run(PbsCommand.release(site, "u", List.of(fresh.id()))))
                .map(released -> fresh);
    }

    Answer<Accepted> start(final JobKey key, final Control control) {
        return startable(key, control).then(job -> startNow(job, control));
    }

    /** The job, if nothing keeps it from starting now: no hold but ours, no wish of its owner's, no other job. */
    Answer<PbsJob> startable(final JobKey key, final Control control) {
        return jobs.find(key).then(job -> switch (JobStates.of(job, control)) {
            case JobState.Held held
            when held.by() != HoldKind.ENTRY -> jobs.wrongState(job, "is held by " + held.by() + ", not at the gate");
            case JobState.Held held -> eligible(job);
            case JobState.Queued queued -> eligible(job);
            case JobState.Running r -> jobs.wrongState(job, "runs already");
            case JobState.Suspended s -> jobs.wrongState(job, "is suspended; resume it");
            case JobState.Completing c -> jobs.wrongState(job, "is just leaving its nodes");
            case JobState.Unsettled u -> jobs.wrongState(job, "has ended");
            case JobState.Unknown u -> jobs.wrongState(job, "is in a state unknown here: " + u.code());
        });
    }

    private Answer<PbsJob> eligible(final PbsJob job) {
        final Instant begins = job.notBefore(clock.instant());
        if (begins != null) {
            return jobs.wrongState(job, "is not to begin before " + begins + ", its owner says");
        }
        if (job.waitsForDependency()) {
            return jobs.wrongState(job, "waits for " + String.join(", ", job.dependencies()));
        }
        return job.isReserved() ? jobs.wrongState(job, "is started by its reservation") : Answer.ok(job);
    }

    Answer<Accepted> startNow(final PbsJob job, final Control control) {
        final boolean held = job.holds().operator();
        final Answer<Accepted> let = held ? liftOwnHold(job) : markBeforeStart(job);
        return let.then(free -> {
            final Answer<Accepted> run = runner.run(PbsCommand.run(site, startable(job)));
            // Declined, it must not be left to the local scheduler.
            return run instanceof Answer.Trouble<Accepted> && held && control == Control.NATIVE
                    ? setOwnHold(job, HoldMark.ENTRY).then(back -> run)
                    : run;
        });
    }

    /** A job that runs cannot be marked: so that a later hold on it can be told to be ours, it is marked before, if that can be done. */
    private Answer<Accepted> markBeforeStart(final PbsJob job) {
        if (job.mark().filter(mark -> mark.runs() == job.runCount()).isEmpty()) {
            mark(job, HoldMark.FREE);
        }
        return Answer.ok(new Accepted("not held"));
    }

    /** Of an array the next subjob that waits: qrun takes no whole arrays. */
    private static String startable(final PbsJob job) {
        final String next = job.isArray() ? JobArrays.nextIndex(job) : null;
        return next == null ? job.id() : job.id().replace("[]", "[" + next + "]");
    }

    Answer<Accepted> hold(final JobKey key, final HoldKind kind, final Control control) {
        return jobs.find(key).then(job -> {
            final JobState state = JobStates.of(job, control);
            if (!state.isWaiting()) {
                return jobs.wrongState(
                        job, "does not wait, it is " + job.object().get("job_state"));
            }
            if (state instanceof JobState.Held held && held.by() != kind && held.by() != HoldKind.ENTRY) {
                return jobs.wrongState(job, "is held by " + held.by() + " already");
            }
            return switch (kind) {
                case USER -> runner.run(PbsCommand.hold(site, "u", job.id()));
                case OPERATOR -> setOwnHold(job, HoldMark.FREE);
                case SUBMISSION -> setOwnHold(job, HoldMark.SUBMISSION);
                case ENTRY ->
                    job.holds().operator() ? Answer.ok(new Accepted("held before")) : setOwnHold(job, HoldMark.ENTRY);
            };
        });
    }

    Answer<Accepted> release(final JobKey key, final HoldKind kind, final Control control) {
        return jobs.find(key).then(job -> {
            final JobState state = JobStates.of(job, control);
            if (!state.equals(new JobState.Held(kind))) {
                return jobs.wrongState(job, "is not held by " + kind + " but " + state);
            }
            return switch (kind) {
                case USER -> runner.run(PbsCommand.release(site, "u", List.of(job.id())));
                case OPERATOR -> runner.run(PbsCommand.release(site, "os", List.of(job.id())));
                // What was cut off while it was handed in has but its owner's letter, set by our own qsub.
                case SUBMISSION ->
                    job.mark().isEmpty()
                            ? mark(job, HoldMark.FREE)
                                    .then(marked -> runner.run(PbsCommand.release(site, "u", List.of(job.id()))))
                            : liftOwnHold(job);
                case ENTRY ->
                    job.holds().operator()
                            ? liftOwnHold(job)
                            : Answer.ok(new Accepted("it is only the gate that keeps it"));
            };
        });
    }

    /** Marked first: cut off between the two, the job has no hold that could be taken for somebody else's. */
    Answer<Accepted> setOwnHold(final PbsJob job, final String word) {
        return mark(job, word).then(marked -> runner.run(PbsCommand.hold(site, OWN_HOLD, job.id())));
    }

    /** Lifted first: cut off between the two, a mark without a hold means nothing. A job that begins at once cannot be marked any more. */
    private Answer<Accepted> liftOwnHold(final PbsJob job) {
        return runner.run(PbsCommand.release(site, OWN_HOLD, List.of(job.id()))).map(lifted -> {
            mark(job, HoldMark.FREE);
            return lifted;
        });
    }

    /** What waits with a hold of Millrace's at the gate, many at once; global jobs not yet let go stay held. */
    Answer<Accepted> liftOwnHolds(final List<PbsJob> atTheGate) {
        Answer<Accepted> last = Answer.ok(new Accepted("no job was held at the gate"));
        for (int from = 0; from < atTheGate.size(); from += 100) {
            final List<PbsJob> some = atTheGate.subList(from, Math.min(atTheGate.size(), from + 100));
            last = runner.run(PbsCommand.release(
                    site, OWN_HOLD, some.stream().map(PbsJob::id).toList()));
        }
        return last;
    }

    Answer<Accepted> mark(final PbsJob job, final String word) {
        return runner.run(
                PbsCommand.alter(site, HoldMark.RESOURCE, job.newMark(word).toString(), job.id()));
    }
}
