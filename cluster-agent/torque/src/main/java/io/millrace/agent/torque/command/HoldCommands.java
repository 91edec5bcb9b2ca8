package io.millrace.agent.torque.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.torque.query.HoldMark;
import io.millrace.agent.torque.query.JobLookup;
import io.millrace.agent.torque.query.JobStates;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sets and releases holds, and releases only those that are Millrace's. */
public final class HoldCommands {

    private static final int AT_ONCE = 100;

    private final TorqueSite site;
    private final Runner runner;
    private final JobLookup jobs;
    /** The hold type to use. Only managers can set system holds; operators use operator holds. Determined by the first attempt. */
    private volatile char usual = 's';

    public HoldCommands(final TorqueSite site, final Runner runner, final JobLookup jobs) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
    }

    /** Replaces the user hold of a job that Millrace just submitted by Millrace's own hold. */
    Answer<Accepted> takeOver(final TorqueJob job) {
        return mark(job, HoldMark.SUBMISSION, null)
                .then(marked -> runner.run(TorqueCommand.release(site, 'u', List.of(job.localId()))));
    }

    /** Marks the job, then holds it. A mark without its hold has no effect. */
    private Answer<Accepted> mark(final TorqueJob job, final String word, final @Nullable UserSentence why) {
        return mark(job, word, letter(job), why);
    }

    private Answer<Accepted> mark(
            final TorqueJob job, final String word, final char letter, final @Nullable UserSentence why) {
        return switch (comment(job, new HoldMark(word, letter, job.restarts()), why)
                .then(marked -> runner.run(TorqueCommand.hold(site, letter, job.localId())))) {
            case Answer.Ok<Accepted> ok -> ok;
            case Answer.Trouble<Accepted> trouble -> {
                if (trouble.kind() == Answer.Kind.DENIED && letter == 's') {
                    usual = 'o';
                    yield mark(job, word, 'o', why);
                }
                yield trouble;
            }
        };
    }

    /** The server clears system holds of jobs with dependencies. */
    private char letter(final TorqueJob job) {
        return job.object().has("depend") ? 'o' : usual;
    }

    /** @param why shown to users in the job's comment until its next start; null for none */
    public Answer<Accepted> hold(
            final TorqueJob job, final HoldKind kind, final Control control, final @Nullable UserSentence why) {
        if (!(JobStates.of(job, control) instanceof JobState.Held)
                && !(JobStates.of(job, control) instanceof JobState.Queued)) {
            return jobs.wrongState(job, "is not waiting (state " + job.stateLetter() + ")");
        }
        final boolean gateOnly = JobStates.of(job, control).equals(new JobState.Held(HoldKind.ENTRY))
                && job.mark().isEmpty();
        if (JobStates.of(job, control) instanceof JobState.Held held && !gateOnly) {
            if (held.by() == HoldKind.ENTRY && kind == HoldKind.SUBMISSION) {
                return comment(job, job.mark().orElseThrow().withPurpose(HoldMark.SUBMISSION), why);
            }
            return held.by() == kind
                    ? Answer.ok(new Accepted("already held"))
                    : jobs.wrongState(job, "is already held by " + held.by().holder());
        }
        return switch (kind) {
            case USER -> runner.run(TorqueCommand.hold(site, 'u', job.localId()));
            case OPERATOR -> runner.run(TorqueCommand.hold(site, 'o', job.localId()));
            case SUBMISSION -> mark(job, HoldMark.SUBMISSION, why);
            case ENTRY -> mark(job, HoldMark.ENTRY, why);
        };
    }

    public Answer<Accepted> release(final TorqueJob job, final HoldKind kind, final Control control) {
        final JobState state = JobStates.of(job, control);
        if (!state.equals(new JobState.Held(kind))) {
            return jobs.wrongState(job, "is not held by " + kind.holder() + " but is " + state.phrase());
        }
        return switch (kind) {
            case SUBMISSION -> released(job, control);
            case ENTRY ->
                control == Control.DIRECTED && job.mark().isEmpty()
                        ? Answer.ok(new Accepted("no hold to release"))
                        : liftOwnHold(job);
            case USER -> runner.run(TorqueCommand.release(site, 'u', List.of(job.localId())));
            case OPERATOR ->
                runner.run(TorqueCommand.release(site, job.isHeldBy('o') ? 'o' : 's', List.of(job.localId())));
        };
    }

    private Answer<Accepted> released(final TorqueJob job, final Control control) {
        if (job.mark().isEmpty()) {
            return takeOver(job)
                    .then(done -> jobs.byIds(List.of(job.localId())))
                    .then(now -> now.stream()
                                    .findFirst()
                                    .filter(one -> one.mark().isPresent())
                                    .isPresent()
                            ? released(now.get(0), control)
                            : jobs.wrongState(job, "could not be marked"));
        }
        return control == Control.DIRECTED
                ? comment(job, job.mark().orElseThrow().withPurpose(HoldMark.ENTRY), null)
                : liftOwnHold(job);
    }

    /**
     * Releases Millrace's hold, then clears the mark. If interrupted in between, a mark without hold remains. It has no effect
     * until an operator sets a hold of the same type, and the next start clears it.
     */
    Answer<Accepted> liftOwnHold(final TorqueJob job) {
        return job.mark()
                .map(mark -> runner.run(TorqueCommand.release(site, mark.holdType(), List.of(job.localId())))
                        .then(done -> clearMark(job)))
                .orElseGet(() -> Answer.ok(new Accepted("no hold to release")));
    }

    /** Marks the job as free of Millrace's holds. */
    Answer<Accepted> clearMark(final TorqueJob job) {
        return comment(job, new HoldMark(HoldMark.FREE, 's', job.restarts()), null);
    }

    /** Sets hold and mark of a running job before it is requeued. */
    Answer<Accepted> holdForRequeue(final TorqueJob job, final @Nullable UserSentence why) {
        return holdForRequeue(job, usual, why);
    }

    private Answer<Accepted> holdForRequeue(final TorqueJob job, final char letter, final @Nullable UserSentence why) {
        final String letters = job.holds().letters().replace(String.valueOf(letter), "") + letter;
        final HoldMark mark = new HoldMark(HoldMark.ENTRY, letter, job.restarts() + 1);
        return switch (written(
                mark, why, comment -> TorqueCommand.holdRunning(site, letters, comment, job.localId()))) {
            case Answer.Ok<Accepted> ok -> ok;
            case Answer.Trouble<Accepted> trouble ->
                switch (trouble.kind()) {
                    case DENIED -> {
                        if (letter != 's') {
                            yield trouble;
                        }
                        usual = 'o';
                        yield holdForRequeue(job, 'o', why);
                    }
                    // Versions that cannot alter the holds of a running job support qhold instead.
                    case WRONG_STATE, DOES_NOT_FIT, REJECTED ->
                        comment(job, mark, why)
                                .then(marked -> runner.run(TorqueCommand.hold(site, letter, job.localId())));
                    case DOWN, TIMEOUT, STOPPED, NO_SUCH_JOB, UNREADABLE -> trouble;
                };
        };
    }

    /** Marks the running job and holds it by {@code qhold}, which checkpoints it if possible. */
    Answer<Accepted> holdWithCheckpoint(final TorqueJob job) {
        final HoldMark mark = new HoldMark(HoldMark.ENTRY, usual, job.restarts() + 1);
        return comment(job, mark, null).then(marked -> runner.run(TorqueCommand.hold(site, usual, job.localId())));
    }

    /** HoldCommands a job again that was released and could not be started. */
    Answer<Accepted> holdAgain(final TorqueJob job) {
        return mark(job, HoldMark.ENTRY, null);
    }

    /** Counts the coming requeue in the mark, for versions that do not count starts. */
    Answer<Accepted> recordRequeue(final TorqueJob job, final @Nullable UserSentence why) {
        return comment(job, new HoldMark(HoldMark.FREE, 's', job.restarts() + 1), why);
    }

    /** Reverts {@link #holdForRequeue}: a remaining hold would stop the running job later. */
    Answer<Accepted> restoreHolds(final TorqueJob job) {
        return runner.run(TorqueCommand.holdRunning(
                site,
                job.holds().letters(),
                new TorqueCommand.Comment(new HoldMark(HoldMark.FREE, 's', job.restarts()), null),
                job.localId()));
    }

    private Answer<Accepted> comment(final TorqueJob job, final HoldMark mark, final @Nullable UserSentence why) {
        return written(mark, why, comment -> TorqueCommand.comment(site, comment, List.of(job.localId())));
    }

    /** Writes the mark, without the sentence if the server does not accept that. */
    private Answer<Accepted> written(
            final HoldMark mark,
            final @Nullable UserSentence why,
            final Function<TorqueCommand.Comment, TorqueCommand> command) {
        final Answer<Accepted> answer = runner.run(command.apply(new TorqueCommand.Comment(mark, why)));
        return why != null
                        && answer instanceof Answer.Trouble<Accepted> trouble
                        && trouble.kind() == Answer.Kind.REJECTED
                ? runner.run(command.apply(new TorqueCommand.Comment(mark, null)))
                : answer;
    }

    /** Releases all entry holds, for native control. */
    public Answer<Accepted> releaseAllEntryHolds(final List<TorqueJob> queue) {
        final Map<HoldMark, List<String>> ids = new LinkedHashMap<>();
        for (final TorqueJob job : queue) {
            if (JobStates.of(job, Control.NATIVE).equals(new JobState.Held(HoldKind.ENTRY))) {
                job.mark()
                        .ifPresent(mark -> ids.computeIfAbsent(mark, same -> new ArrayList<>())
                                .add(job.localId()));
            }
        }
        Answer<Accepted> last = Answer.ok(new Accepted("no job was held by Millrace"));
        for (final Map.Entry<HoldMark, List<String>> held : ids.entrySet()) {
            final HoldMark mark = held.getKey();
            for (int at = 0; at < held.getValue().size(); at += AT_ONCE) {
                final List<String> some = held.getValue()
                        .subList(at, Math.min(at + AT_ONCE, held.getValue().size()));
                last = ignoreEndedJobs(runner.run(TorqueCommand.release(site, mark.holdType(), some)), last);
                last = ignoreEndedJobs(
                        runner.run(TorqueCommand.comment(
                                site,
                                new TorqueCommand.Comment(new HoldMark(HoldMark.FREE, 's', mark.restarts()), null),
                                some)),
                        last);
            }
        }
        return last;
    }

    /** Ignores the error for a job that ended in the meantime; the other jobs are released. */
    private static Answer<Accepted> ignoreEndedJobs(final Answer<Accepted> answer, final Answer<Accepted> before) {
        return answer instanceof Answer.Trouble<Accepted> trouble
                        && (trouble.kind() == Answer.Kind.NO_SUCH_JOB || trouble.kind() == Answer.Kind.WRONG_STATE)
                ? before
                : answer;
    }
}
