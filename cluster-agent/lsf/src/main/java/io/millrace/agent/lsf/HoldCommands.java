package io.millrace.agent.lsf;

import io.millrace.agent.lsf.command.CommandExecutor;
import io.millrace.agent.lsf.observe.JobLookup;
import io.millrace.agent.lsf.observe.JobNote;
import io.millrace.agent.lsf.observe.JobNotes;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Sets and releases the holds of Millrace, and requeues running jobs. */
final class HoldCommands {

    private final CommandExecutor executor;
    private final Clock clock;
    private final JobLookup lookup;
    private final JobNotes notes;

    HoldCommands(final CommandExecutor executor, final Clock clock, final JobLookup lookup, final JobNotes notes) {
        this.executor = executor;
        this.clock = clock;
        this.lookup = lookup;
        this.notes = notes;
    }

    Answer<Accepted> hold(final JobKey key, final HoldKind kind) {
        return lookup.find(key).then(found -> {
            if (found.state().equals(new JobState.Held(kind))) {
                return Answer.ok(new Accepted("job is already held"));
            }
            if (found.state() instanceof JobState.Held held
                    && found.job().status().equals("PSUSP")) {
                if (held.by() == HoldKind.ENTRY) {
                    notes.write(key, note(kind, found.job()));
                    return Answer.ok(new Accepted("job was held at the gate and is now held by " + kind.holder()));
                }
                return lookup.wrongState(
                        found, "is already held by " + held.by().holder());
            }
            return found.state().isWaiting()
                    ? runWithNote(
                            key, note(kind, found.job()), "bstop", found.job().commandId())
                    : lookup.wrongState(found, "is not pending and cannot be held");
        });
    }

    private JobNote note(final HoldKind kind, final ListedJob job) {
        return new JobNote(
                noteKind(kind),
                clock.instant(),
                job.groupedTasks() == null ? "" : job.groupedTasks().indices());
    }

    /** Gives a task the note of its array before it is separated from it. */
    void copyNoteToTask(final JobKey array, final JobKey task) {
        notes.of(array).ifPresent(note -> notes.write(task, new JobNote(note.kind(), note.at())));
    }

    /** Drops the note of a task that was not separated after all. */
    void dropTaskNote(final JobKey task) {
        notes.remove(task);
    }

    /**
     * Releases a hold that LSF shows as PSUSP. The job can start as soon as its queue allows it.
     *
     * @param command id of the job or of array tasks
     */
    Answer<Accepted> release(final JobKey key, final String command) {
        return executor.run("bresume", command).map(done -> {
            noteRelease(key);
            return done;
        });
    }

    /** Notes that Millrace no longer holds the job: a later hold belongs to someone else. */
    void noteRelease(final JobKey key) {
        notes.write(key, new JobNote(JobNote.Kind.RELEASED, clock.instant()));
    }

    /** @param held whether the job is held afterwards, instead of pending like a new job */
    Answer<Accepted> requeue(final JobKey key, final boolean held) {
        return lookup.find(key).then(found -> {
            if (!(found.state() instanceof JobState.Running) && !(found.state() instanceof JobState.Suspended)) {
                return lookup.wrongState(found, "is not running");
            }
            if (found.job().heading().interactive()) {
                return lookup.wrongState(found, "is interactive and cannot be requeued");
            }
            final JobNote note = new JobNote(
                    held ? JobNote.Kind.ENTRY : JobNote.Kind.REQUEUED,
                    later(found.job().started()));
            return held
                    ? runWithNote(key, note, "brequeue", "-H", key.id().local())
                    : runWithNote(key, note, "brequeue", key.id().local());
        });
    }

    /** The time of the note: not before the start of the requeued run, even if the clock of the cluster is ahead. */
    private Instant later(final @Nullable Instant started) {
        final Instant now = clock.instant();
        return started != null && started.isAfter(now) ? started : now;
    }

    /** Writes the note before the command, so that the job is never observed without it. A refused command restores the previous note. */
    private Answer<Accepted> runWithNote(final JobKey key, final JobNote note, final String... command) {
        final @Nullable JobNote before = notes.of(key).orElse(null);
        notes.write(key, note);
        final Answer<Accepted> answer = executor.run(command);
        if (answer instanceof Answer.Trouble<Accepted> trouble && trouble.kind().isDefinite()) {
            if (before == null) {
                notes.remove(key);
            } else {
                notes.write(key, before);
            }
        }
        return answer;
    }

    private static JobNote.Kind noteKind(final HoldKind kind) {
        return switch (kind) {
            case ENTRY -> JobNote.Kind.ENTRY;
            case OPERATOR -> JobNote.Kind.OPERATOR;
            case USER -> JobNote.Kind.USER;
            case SUBMISSION -> JobNote.Kind.SUBMISSION;
        };
    }
}
