package io.millrace.agent.slurm.query;

import io.millrace.agent.slurm.format.Quantities;
import io.millrace.agent.slurm.format.Tres;

/**
 * The number of GPUs of a job. Slurm includes GPUs in TRES only if AccountingStorageTRES lists them. Otherwise the count comes from the
 * request per job, node, socket or task: {@code gres:gpu:a100:2} (22.05), {@code gres/gpu:2} or {@code gres/gpu=2} (later versions).
 */
public final class GpuCount {

    private GpuCount() {}

    static int of(final QueuedJob job, final Tres tres) {
        if (tres.namesGeneric("gpu")) {
            return tres.generic("gpu");
        }
        final int perJob = requested(job.cell("tres-per-job"));
        if (perJob > 0) {
            return perJob;
        }
        final int nodes = Math.max(1, Quantities.intCount(job.cell("numnodes")));
        final int perNode = requested(job.cell("tres-per-node"));
        if (perNode > 0) {
            return perNode * nodes;
        }
        final int perTask = requested(job.cell("tres-per-task"));
        if (perTask > 0) {
            return perTask * Math.max(1, Quantities.intCount(job.cell("numtasks")));
        }
        return requested(job.cell("tres-per-socket"))
                * nodes; // a lower bound: squeue does not print the number of sockets
    }

    /** The sum over all GPU entries of a request, of any GPU type. */
    public static int requested(final String request) {
        int sum = 0;
        for (final String entry : request.replaceAll("\\([^()]*\\)", "").split(",")) {
            final String[] part = entry.replaceFirst("^gres[:/]", "").split("[:=]");
            if (part.length > 0 && part[0].equals("gpu")) {
                final String last = part[part.length - 1];
                sum += part.length > 1 && Character.isDigit(last.charAt(0)) ? Quantities.intCount(last) : 1;
            }
        }
        return sum;
    }
}
