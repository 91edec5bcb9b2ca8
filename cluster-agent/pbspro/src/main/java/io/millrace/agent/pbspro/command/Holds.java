package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.HoldTypes;
import io.millrace.agent.pbs.StartCheck;
import io.millrace.agent.pbspro.query.HoldMark;
import io.millrace.agent.pbspro.query.JobArrays;
import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.JobStates;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.pbspro.query.SchedulingControl;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sets and releases holds, and releases only those that are Millrace's. Millrace's hold is an operator hold ({@code o}) together
 * with a mark. The system hold ({@code s}) does not work: PBS also sets it on jobs with dependencies and clears it by itself, and
 * only a manager can set it.
 */
public final class Holds implements Starting, Holding {

    static final String OWN_HOLD = "o";

    private final PbsSite site;
    private final Runner runner;
    private final Clock clock;
    private final JobLookup jobs;
    private final SchedulingControl gate;
    private final MarkResource marks;

    public Holds(
            final PbsSite site,
            final Runner runner,
            final Clock clock,
            final JobLookup jobs,
            final SchedulingControl gate,
            final MarkResource marks) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.jobs = jobs;
        this.gate = gate;
        this.marks = marks;
    }

    /**
     * Replaces the user hold of a job just submitted with {@code -h} by Millrace's own. The own hold is set first, so that the job
     * cannot start in between.
     */
    Answer<PbsJob> takeOver(final PbsJob fresh) {
        return mark(fresh, HoldMark.SUBMISSION)
                .then(marked -> runner.run(PbsCommand.hold(site, OWN_HOLD, fresh.id())))
                .then(held -> runner.run(PbsCommand.release(site, "u", List.of(fresh.id()))))
                .map(released -> fresh);
    }

    @Override
    public Answer<Accepted> start(final JobKey key) {
        return gate.control().then(control -> start(key, control));
    }

    Answer<Accepted> start(final JobKey key, final Control control) {
        return startable(key, control).then(job -> startNow(job, control));
    }

    /** Returns the job if it can start now: it has no hold other than Millrace's, no later start time and no open dependency. */
    Answer<PbsJob> startable(final JobKey key, final Control control) {
        return jobs.find(key)
                .then(job -> StartCheck.refusal(JobStates.of(job, control))
                        .<Answer<PbsJob>>map(refusal -> jobs.wrongState(job, refusal))
                        .orElseGet(() -> eligible(job)));
    }

    private Answer<PbsJob> eligible(final PbsJob job) {
        final Instant begins = job.notBefore(clock.instant());
        if (begins != null) {
            return jobs.wrongState(job, "was requested to start not before " + begins);
        }
        if (job.waitsForDependency()) {
            return jobs.wrongState(job, "depends on " + String.join(", ", job.dependencies()));
        }
        return job.isReserved() ? jobs.wrongState(job, "belongs to a reservation, which starts it") : Answer.ok(job);
    }

    Answer<Accepted> startNow(final PbsJob job, final Control control) {
        final boolean held = job.holds().operator();
        return beforeStart(job).then(free -> {
            final Answer<Accepted> run = runner.run(PbsCommand.run(site, List.of(startable(job))));
            return run instanceof Answer.Trouble<Accepted> && held && control == Control.NATIVE
                    ? startedOrHeldAgain(job, run)
                    : run;
        });
    }

    /** Releases Millrace's hold, or marks a job that has none. */
    Answer<Accepted> beforeStart(final PbsJob job) {
        return job.holds().operator() ? liftOwnHold(job) : markBeforeStart(job);
    }

    /** The local scheduler may have started the job as soon as the hold was released. If not, it must not start it later. */
    private Answer<Accepted> startedOrHeldAgain(final PbsJob job, final Answer<Accepted> refused) {
        return jobs.find(job.key()) instanceof Answer.Ok<PbsJob> now
                        && !now.value().isWaiting()
                ? Answer.ok(new Accepted("the scheduler of the cluster started " + job.id()))
                : setOwnHold(job, HoldMark.ENTRY).then(back -> refused);
    }

    /**
     * Marks the job before its start, if possible. A running job cannot be marked, and without the mark a later hold could not be
     * recognized as Millrace's.
     */
    private Answer<Accepted> markBeforeStart(final PbsJob job) {
        if (job.mark().filter(mark -> mark.runs() == job.runCount()).isEmpty()) {
            mark(job, HoldMark.FREE);
        }
        return Answer.ok(new Accepted("not held"));
    }

    /** The id to start: the next waiting subjob of an array, because qrun does not accept whole arrays. */
    private static String startable(final PbsJob job) {
        final String next = job.isArray() ? JobArrays.nextIndex(job) : null;
        return next == null ? job.id() : job.id().replace("[]", "[" + next + "]");
    }

    /** @param why shown to users in the job's comment until its next start; null for none */
    @Override
    public Answer<Accepted> hold(final JobKey key, final HoldKind kind, final @Nullable UserSentence why) {
        return marks.required().then(yes -> gate.control()).then(control -> hold(key, kind, control, why));
    }

    private Answer<Accepted> hold(
            final JobKey key, final HoldKind kind, final Control control, final @Nullable UserSentence why) {
        return jobs.find(key).then(job -> {
            final JobState state = JobStates.of(job, control);
            if (!state.isWaiting()) {
                return jobs.wrongState(
                        job, "is not waiting (state " + job.object().get("job_state") + ")");
            }
            if (state instanceof JobState.Held held && held.by() != kind && held.by() != HoldKind.ENTRY) {
                return jobs.wrongState(job, "is already held by " + held.by().holder());
            }
            return switch (kind) {
                case USER -> runner.run(PbsCommand.hold(site, "u", job.id()));
                case OPERATOR -> setOwnHold(job, HoldMark.FREE, why);
                case SUBMISSION -> setOwnHold(job, HoldMark.SUBMISSION, why);
                case ENTRY ->
                    job.holds().operator()
                            ? Answer.ok(new Accepted("already held"))
                            : setOwnHold(job, HoldMark.ENTRY, why);
            };
        });
    }

    @Override
    public Answer<Accepted> release(final JobKey key, final HoldKind kind) {
        return gate.control().then(control -> release(key, kind, control));
    }

    private Answer<Accepted> release(final JobKey key, final HoldKind kind, final Control control) {
        return jobs.find(key).then(job -> {
            final JobState state = JobStates.of(job, control);
            if (!state.equals(new JobState.Held(kind))) {
                return jobs.wrongState(job, "is not held by " + kind.holder() + " but is " + state.phrase());
            }
            return switch (kind) {
                case USER -> runner.run(PbsCommand.release(site, "u", List.of(job.id())));
                case OPERATOR -> runner.run(PbsCommand.release(site, "os", List.of(job.id())));
                // A submission that was interrupted or lost has only the user hold that our own qsub set.
                case SUBMISSION ->
                    job.mark().isEmpty() || !job.holds().operator()
                            ? mark(job, HoldMark.FREE)
                                    .then(marked -> runner.run(PbsCommand.release(site, "u", List.of(job.id()))))
                            : liftOwnHold(job);
                case ENTRY -> job.holds().operator() ? liftOwnHold(job) : Answer.ok(new Accepted("no hold to release"));
            };
        });
    }

    Answer<Accepted> setOwnHold(final PbsJob job, final String word) {
        return setOwnHold(job, word, null);
    }

    /**
     * Sets Millrace's hold, with the mark in one step. {@code qalter -h} replaces all holds, and only a manager may name the system
     * hold. A job that has another hold is marked first: if interrupted in between, it has no hold that could be attributed to
     * someone else. It gets no sentence, because the hold overwrites the comment.
     */
    Answer<Accepted> setOwnHold(final PbsJob job, final String word, final @Nullable UserSentence why) {
        final HoldTypes holds = job.holds();
        return holds.user() || holds.system() || holds.other()
                ? mark(job, word).then(marked -> runner.run(PbsCommand.hold(site, OWN_HOLD, job.id())))
                : mark(job, word, OWN_HOLD, why);
    }

    /**
     * Releases Millrace's hold. The hold is released first: if interrupted in between, a mark without a hold has no effect. A job
     * that starts at once can no longer be marked.
     */
    private Answer<Accepted> liftOwnHold(final PbsJob job) {
        return runner.run(PbsCommand.release(site, OWN_HOLD, List.of(job.id()))).map(lifted -> {
            mark(job, HoldMark.FREE);
            return lifted;
        });
    }

    /** Releases the entry holds of many jobs. Global jobs that are not yet released stay held. */
    public Answer<Accepted> liftOwnHolds(final List<PbsJob> atTheGate) {
        Answer<Accepted> last = Answer.ok(new Accepted("no job was held by Millrace"));
        for (int from = 0; from < atTheGate.size(); from += 100) {
            final List<PbsJob> some = atTheGate.subList(from, Math.min(atTheGate.size(), from + 100));
            last = runner.run(PbsCommand.release(
                    site, OWN_HOLD, some.stream().map(PbsJob::id).toList()));
        }
        return last;
    }

    Answer<Accepted> mark(final PbsJob job, final String word) {
        return mark(job, word, null, null);
    }

    Answer<Accepted> mark(final PbsJob job, final String word, final @Nullable UserSentence why) {
        return mark(job, word, null, why);
    }

    /** A comment that the server refuses, such as by a hook of the site, is left out. */
    private Answer<Accepted> mark(
            final PbsJob job, final String word, final @Nullable String holds, final @Nullable UserSentence why) {
        final Answer<Accepted> marked = runner.run(PbsCommand.mark(site, job.newMark(word), holds, why, job.id()));
        final boolean refused = marked instanceof Answer.Trouble<Accepted> trouble
                && (trouble.kind() == Answer.Kind.REJECTED || trouble.kind() == Answer.Kind.DENIED);
        return refused && why != null ? mark(job, word, holds, null) : marked;
    }
}
