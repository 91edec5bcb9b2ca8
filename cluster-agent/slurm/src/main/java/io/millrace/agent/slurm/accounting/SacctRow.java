package io.millrace.agent.slurm.accounting;

import io.millrace.agent.slurm.format.RunOutcomes;
import io.millrace.agent.slurm.format.TimeLimits;
import io.millrace.agent.slurm.format.Timestamps;
import io.millrace.agent.slurm.format.Tres;
import io.millrace.agent.slurm.query.AdminCommentMark;
import io.millrace.agent.slurm.query.JobRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code sacct -X -D}: one run, or a part of one, because a resize starts a new row.
 *
 * @param job {@code 12}, {@code 12_3}; the array's id for tasks that were cancelled together; the id of the first component of a
 *     heterogeneous job
 * @param component number within a heterogeneous job; 0 for every other job
 * @param state only the state, without an addition such as {@code by 1001}
 * @param exit the wait status as in wait(2), except that sacct prints exit codes of 128 and above reduced by 128
 * @param started null if it never ran
 */
record SacctRow(
        String job,
        int component,
        Instant submitted,
        @Nullable Instant started,
        @Nullable Instant ended,
        String state,
        int exit,
        Optional<AdminCommentMark> mark,
        String tag,
        JobRequest request) {

    static final List<String> FIELDS = List.of(
            "JobID",
            "Submit",
            "Start",
            "End",
            "State",
            "ExitCode",
            "NodeList",
            "AllocTRES",
            "ReqTRES",
            "Timelimit",
            "UID",
            "User",
            "Account",
            "Partition",
            "AdminComment",
            "Comment",
            "JobName");

    private static final Set<String> UNFINISHED =
            Set.of("PENDING", "RUNNING", "SUSPENDED", "REQUEUE_HOLD", "COMPLETING");

    /** @throws IllegalArgumentException if the cells are not a row of sacct */
    static SacctRow read(final List<String> cells) {
        final String id = cells.get(0);
        if (!id.matches("\\d+(?:\\+\\d+|_\\d+|_\\[.*])?")) {
            throw new IllegalArgumentException("'" + id + "' is not a job id");
        }
        final Instant submitted = Timestamps.read(cells.get(1));
        if (submitted == null) {
            throw new IllegalArgumentException("job " + id + " has no submit time");
        }
        final int plus = id.indexOf('+');
        final int tasks = id.indexOf("_[");
        // A job that was cancelled while pending may have a start time, equal to its end time, but has no nodes.
        final boolean ran = !cells.get(6).isEmpty() && !cells.get(6).equals("None assigned");
        return new SacctRow(
                plus > 0 ? id.substring(0, plus) : tasks > 0 ? id.substring(0, tasks) : id,
                plus > 0 ? Integer.parseInt(id.substring(plus + 1)) : 0,
                submitted,
                ran ? Timestamps.read(cells.get(2)) : null,
                Timestamps.read(cells.get(3)),
                cells.get(4).split(" ", 2)[0].replaceFirst("\\+$", ""),
                RunOutcomes.waitStatus(cells.get(5)),
                AdminCommentMark.in(cells.get(14)),
                cells.get(15),
                request(cells));
    }

    private static JobRequest request(final List<String> cells) {
        final Tres tres = Tres.read(cells.get(7).isEmpty() ? cells.get(8) : cells.get(7));
        return new JobRequest(
                cells.get(16),
                cells.get(11),
                cells.get(10),
                cells.get(12),
                cells.get(13),
                JobRequest.resources(tres.cores(), tres.nodes(), tres.memory_mib(), tres.generic("gpu")),
                TimeLimits.read(cells.get(9)));
    }

    boolean hasEnded() {
        return ended != null && hasEndState();
    }

    /** Whether its state is the end of a run. */
    boolean hasEndState() {
        return !UNFINISHED.contains(state) && !isResized();
    }

    boolean isResized() {
        return state.equals("RESIZING");
    }
}
