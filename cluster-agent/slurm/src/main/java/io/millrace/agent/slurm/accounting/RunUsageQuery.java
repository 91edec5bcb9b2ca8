package io.millrace.agent.slurm.accounting;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.CpuTimes;
import io.millrace.agent.slurm.format.Timestamps;
import io.millrace.agent.slurm.format.Tres;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.ResourceUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code sacct} with the job steps, for what runs used. As in {@code seff}, the CPU time is the sum over the steps, the memory the maximum of the
 * sums over the tasks of a step.
 *
 * @param ids local ids
 */
record RunUsageQuery(SlurmSite site, List<String> ids) implements QueryCommand<List<RunUsageQuery.Part>> {

    private static final int COLUMNS = 6;

    /**
     * A run, a part of one between two resizes, or one component of a heterogeneous job.
     *
     * @param job {@code 12}, {@code 12_3}; the id of the first component of a heterogeneous job
     * @param component number within a heterogeneous job; 0 for every other job
     * @param ended null while it, or one of its steps, runs
     * @param memoryMib allocated memory in MiB; 0 if memory is not allocated
     */
    record Part(
            String job,
            int component,
            @Nullable Instant started,
            @Nullable Instant ended,
            long memoryMib,
            ResourceUsage used) {

        private Part with(final ResourceUsage step, final @Nullable Instant stepEnded) {
            return new Part(job, component, started, stepEnded == null ? null : ended, memoryMib, used.then(step));
        }
    }

    @Override
    public List<String> argv() {
        return List.of(
                "sacct",
                "--allusers",
                "--duplicates",
                "--noheader",
                "--noconvert",
                "--parsable2",
                "--format=JobID,Start,End,TotalCPU,TRESUsageInTot,AllocTRES",
                "--jobs=" + String.join(",", ids));
    }

    /** Short, because ends of jobs wait for the answer. */
    @Override
    public Duration limit() {
        return Duration.ofSeconds(5);
    }

    @Override
    public Answer<List<Part>> read(final CommandResult result) {
        // Without slurmdbd, sacct prints an error and exits with 0 or 1, depending on the version.
        if (!result.succeeded() || !result.errorText().isEmpty()) {
            return SlurmErrors.of("sacct", result, Answer.Kind.UNREADABLE);
        }
        try {
            return Answer.ok(parts(result.outputText().lines().toList()));
        } catch (final IllegalArgumentException e) {
            return SlurmErrors.unreadable("sacct", e, result);
        }
    }

    /** The steps of a run follow its own row. */
    private static List<Part> parts(final List<String> lines) {
        final List<Part> parts = new ArrayList<>();
        for (final String line : lines) {
            final String[] cells = line.split("\\|", -1);
            if (cells.length != COLUMNS) {
                throw new IllegalArgumentException(cells.length + " columns instead of " + COLUMNS);
            }
            if (cells[0].indexOf('.') < 0) {
                parts.add(part(cells));
            } else if (!parts.isEmpty()) {
                parts.set(parts.size() - 1, parts.getLast().with(step(cells), Timestamps.read(cells[2])));
            }
        }
        return parts;
    }

    private static Part part(final String[] cells) {
        final int plus = cells[0].indexOf('+');
        return new Part(
                plus < 0 ? cells[0] : cells[0].substring(0, plus),
                plus < 0 ? 0 : Integer.parseInt(cells[0].substring(plus + 1)),
                Timestamps.read(cells[1]),
                Timestamps.read(cells[2]),
                Tres.read(cells[5]).memory_mib(),
                new ResourceUsage(CpuTimes.read(cells[3]), null, null));
    }

    /** The CPU time of the steps is in the row of their run. A step that ended before the first sample has no figures. */
    private static ResourceUsage step(final String[] cells) {
        final Tres tres = Tres.read(cells[4]);
        return new ResourceUsage(null, tres.bytes("mem"), tres.count("gres/gpuutil"));
    }
}
