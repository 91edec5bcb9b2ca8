package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Sets and lifts holds, and only those that are Millrace's to lift; puts running jobs back. */
final class JobHolds {

    private final CommandExecutor orders;
    private final Clock clock;
    private final JobLookup looks;
    private final JobNotes notes;

    JobHolds(final CommandExecutor orders, final Clock clock, final JobLookup looks, final JobNotes notes) {
        this.orders = orders;
        this.clock = clock;
        this.looks = looks;
        this.notes = notes;
    }

    Answer<Accepted> hold(final JobKey key, final HoldKind kind) {
        return looks.find(key).then(seen -> {
            if (seen.state().equals(new JobState.Held(kind))) {
                return Answer.ok(new Accepted("held before"));
            }
            if (seen.state() instanceof JobState.Held held
                    && seen.job().status().equals("PSUSP")) {
                return looks.wrongState(seen, "is held by " + held.by() + " already");
            }
            return seen.state().isWaiting()
                    ? runWithNote(key, note(kind, seen.job()), "bstop", seen.job().commandId())
                    : looks.wrongState(seen, "does not wait, so it cannot be held");
        });
    }

    private JobNote note(final HoldKind kind, final ListedJob job) {
        return new JobNote(
                word(kind),
                clock.instant(),
                job.groupedTasks() == null ? "" : job.groupedTasks().indices());
    }

    /** A task that is to leave the common job of its array is held as that is. */
    void copyNoteToTask(final JobKey array, final JobKey task) {
        notes.of(array).ifPresent(note -> notes.write(task, new JobNote(note.kind(), note.at())));
    }

    /** It has stayed with the others. */
    void dropTaskNote(final JobKey task) {
        notes.remove(task);
    }

    /**
     * Lifts a hold that LSF shows as PSUSP; the job may run as soon as its queue lets it.
     *
     * @param words that name it in an order
     */
    Answer<Accepted> release(final JobKey key, final String words) {
        return orders.run("bresume", words).map(done -> {
            noteRelease(key);
            return done;
        });
    }

    /** No hold of ours is on it any more: one that it has from now on is somebody else's. */
    void noteRelease(final JobKey key) {
        notes.write(key, new JobNote(JobNote.Kind.RELEASED, clock.instant()));
    }

    /** @param held whether it is to wait under a hold, or as if it had just come in */
    Answer<Accepted> requeue(final JobKey key, final boolean held) {
        return looks.find(key).then(seen -> {
            if (!(seen.state() instanceof JobState.Running) && !(seen.state() instanceof JobState.Suspended)) {
                return looks.wrongState(seen, "does not run");
            }
            if (seen.job().heading().interactive()) {
                return looks.wrongState(seen, "is interactive: LSF cannot put it back, and a person sits at it");
            }
            final JobNote note = new JobNote(
                    held ? JobNote.Kind.ENTRY : JobNote.Kind.REQUEUED, later(seen.job().started()));
            return held
                    ? runWithNote(key, note, "brequeue", "-H", key.id().local())
                    : runWithNote(key, note, "brequeue", key.id().local());
        });
    }

    /** The run that is put back began before, also if the cluster's clock is ahead of ours. */
    private Instant later(final @Nullable Instant started) {
        final Instant now = clock.instant();
        return started != null && started.isAfter(now) ? started : now;
    }

    /** Notes first, so that the job is never seen without its note; a plain refusal takes the note back. */
    private Answer<Accepted> runWithNote(final JobKey key, final JobNote note, final String... words) {
        final @Nullable JobNote before = notes.of(key).orElse(null);
        notes.write(key, note);
        final Answer<Accepted> answer = orders.run(words);
        if (answer instanceof Answer.Trouble<Accepted> trouble && isRefusal(trouble.kind())) {
            if (before == null) {
                notes.remove(key);
            } else {
                notes.write(key, before);
            }
        }
        return answer;
    }

    static boolean isRefusal(final Answer.Kind kind) {
        return switch (kind) {
            case DOWN, DENIED, NO_SUCH_JOB, WRONG_STATE, REJECTED -> true;
            case TIMEOUT, STOPPED, UNREADABLE -> false;
        };
    }

    private static JobNote.Kind word(final HoldKind kind) {
        return switch (kind) {
            case ENTRY -> JobNote.Kind.ENTRY;
            case OPERATOR -> JobNote.Kind.OPERATOR;
            case USER -> JobNote.Kind.USER;
            // A submission is held from the start; to be held so again is to wait at the gate.
            case SUBMISSION -> JobNote.Kind.ENTRY;
        };
    }
}
