package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import java.util.List;

/**
 * Starts several tasks of a pending array by two commands: one marks all of them, one releases them. Slurm then lists them as jobs of their
 * own. It applies a command to the tasks that allow it and reports the others, so after an error the array is queried.
 */
final class ArrayStarts {

    /** Tasks of one command: slurmctld serves nothing else while it splits them from the array. */
    private static final int MAX_TASKS = 1000;

    private final Runner runner;
    private final JobLookup jobs;
    private final Holds holds;

    ArrayStarts(final Runner runner, final JobLookup jobs, final Holds holds) {
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
    }

    Answer<StartedTasks> start(final JobKey array, final String indices) {
        return holds.startable(array).then(seen -> {
            final String waiting = ArrayIndices.both(indices, pending(List.of(seen)));
            return waiting.isEmpty()
                    ? jobs.wrongState(seen, "has no pending tasks " + indices)
                    : release(seen, waiting, indices);
        });
    }

    private Answer<StartedTasks> release(final QueuedJob array, final String waiting, final String requested) {
        return StartedTasks.inChunks(
                waiting,
                requested,
                MAX_TASKS,
                some -> release(array, target(array, some)),
                () -> jobs.rows(List.of(array.localId())).map(ArrayStarts::pending));
    }

    /** The last waiting task has a row and an id of its own. */
    private static String target(final QueuedJob row, final String tasks) {
        return TargetId.isPendingArray(row) ? TargetId.of(row.localId(), tasks) : row.localId();
    }

    /** After a crash between the two commands the entry holds are still set. */
    private Answer<Accepted> release(final QueuedJob array, final String target) {
        return runner.run(holds.startMark(array, target, true)).then(marked -> holds.liftHold(array, target, marked));
    }

    /** The pending tasks of the array and of its held rows. Other tasks have started, or will at Slurm's next pass. */
    private static String pending(final List<QueuedJob> rows) {
        return ArrayIndices.write(rows.stream()
                .filter(QueuedJob::isPending)
                .filter(row -> row.isHeld() || TargetId.isPendingArray(row))
                .flatMap(row -> row.tasks().boxed())
                .toList());
    }
}
