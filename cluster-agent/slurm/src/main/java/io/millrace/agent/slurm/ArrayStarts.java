package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.Scontrol;
import io.millrace.agent.slurm.command.Scontrol.Verb;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ArrayIndices;
import java.util.BitSet;
import java.util.List;

/**
 * Starts several tasks of a pending array by two commands: one marks all of them, one releases them. Slurm then lists them as jobs of their
 * own. It applies a command to the tasks that allow it and reports the others, so after an error the array is queried.
 */
final class ArrayStarts {

    /** Tasks of one command: slurmctld serves nothing else while it splits them from the array. */
    private static final int MAX_TASKS = 1000;

    private final SlurmSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final Holds holds;

    ArrayStarts(final SlurmSite site, final Runner runner, final JobLookup jobs, final Holds holds) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
    }

    Answer<StartedTasks> start(final JobKey array, final String indices) {
        return holds.startable(array).then(seen -> {
            final String waiting = among(indices, held(List.of(seen)));
            return waiting.isEmpty()
                    ? jobs.wrongState(seen, "has no pending tasks " + indices)
                    : release(seen, waiting, indices);
        });
    }

    private Answer<StartedTasks> release(final QueuedJob array, final String waiting, final String requested) {
        final List<Integer> tasks = ArrayIndices.read(waiting).boxed().toList();
        for (int from = 0; from < tasks.size(); from += MAX_TASKS) {
            final String some = ArrayIndices.write(tasks.subList(from, Math.min(tasks.size(), from + MAX_TASKS)));
            if (release(array, array.localId() + "_[" + some + "]") instanceof Answer.Trouble<Accepted> trouble) {
                return afterTrouble(array, requested, trouble);
            }
        }
        return waiting.equals(requested)
                ? Answer.ok(StartedTasks.all(waiting, "released tasks " + waiting + " of array " + array.localId()))
                : Answer.ok(StartedTasks.some(waiting, without(requested, waiting), "they are not pending"));
    }

    /** After a crash between the two commands the entry holds are still set. */
    private Answer<Accepted> release(final QueuedJob array, final String target) {
        return runner.run(holds.startMark(array, target, true))
                .then(marked ->
                        array.isHeld() ? runner.run(Scontrol.of(site, Verb.RELEASE, target)) : Answer.ok(marked));
    }

    /** The tasks that are no longer held have started, or will at Slurm's next pass. */
    private Answer<StartedTasks> afterTrouble(
            final QueuedJob array, final String requested, final Answer.Trouble<Accepted> trouble) {
        return jobs.rows(List.of(array.localId())).then(rows -> {
            final String left = among(requested, held(rows));
            final String started = left.isEmpty() ? requested : without(requested, left);
            return started.isEmpty()
                    ? trouble.of()
                    : Answer.ok(
                            left.isEmpty()
                                    ? StartedTasks.all(started, "released tasks " + started + ": " + trouble.reason())
                                    : StartedTasks.some(started, left, trouble.reason()));
        });
    }

    private static BitSet held(final List<QueuedJob> rows) {
        final BitSet tasks = new BitSet();
        rows.stream()
                .filter(QueuedJob::isPending)
                .filter(row -> row.isHeld() || TargetId.isPendingArray(row))
                .forEach(row -> row.tasks().forEach(tasks::set));
        return tasks;
    }

    private static String among(final String indices, final BitSet tasks) {
        return ArrayIndices.write(
                ArrayIndices.read(indices).filter(tasks::get).boxed().toList());
    }

    private static String without(final String indices, final String others) {
        final BitSet removed = new BitSet();
        ArrayIndices.read(others).forEach(removed::set);
        return ArrayIndices.write(ArrayIndices.read(indices)
                .filter(index -> !removed.get(index))
                .boxed()
                .toList());
    }
}
