package io.millrace.agent.slurm;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code sacct -X -D}: one run, or a piece of one (a resize begins another row).
 *
 * @param job {@code 12}, {@code 12_3}; the array's id for tasks that were cancelled together; the first component's id
 * @param component number within a heterogeneous job; 0 for every other one
 * @param state without what follows it ({@code CANCELLED by 1001})
 * @param exit as wait(2) gives it, but an exit code of 128 or more has lost 128: sacct prints it so
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

    private static final Set<String> LIVE = Set.of("PENDING", "RUNNING", "SUSPENDED", "REQUEUE_HOLD", "COMPLETING");

    /** @throws IllegalArgumentException if it is no row of sacct's */
    static SacctRow read(final List<String> cells) {
        final String id = cells.get(0);
        if (!id.matches("\\d+(?:\\+\\d+|_\\d+|_\\[.*])?")) {
            throw new IllegalArgumentException("'" + id + "' is no job id");
        }
        final Instant submitted = Timestamps.read(cells.get(1));
        if (submitted == null) {
            throw new IllegalArgumentException("job " + id + " has no submit time");
        }
        final int plus = id.indexOf('+');
        final int tasks = id.indexOf("_[");
        // Cancelled while it waited, it may have a start time, that of its end; but no nodes.
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
        final Tres given = Tres.read(cells.get(7).isEmpty() ? cells.get(8) : cells.get(7));
        return new JobRequest(
                cells.get(16),
                cells.get(11),
                cells.get(10),
                cells.get(12),
                cells.get(13),
                JobRequest.resources(given.cores(), given.nodes(), given.memory_mib(), given.generic("gpu")),
                TimeLimits.read(cells.get(9)));
    }

    boolean isOver() {
        return ended != null && !LIVE.contains(state) && !isResized();
    }

    boolean isResized() {
        return state.equals("RESIZING");
    }
}
