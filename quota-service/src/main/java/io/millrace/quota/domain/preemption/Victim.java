package io.millrace.quota.domain.preemption;

import io.millrace.decide.PlacementRequest;
import io.millrace.model.Resources;
import io.millrace.model.command.Preemption;
import org.jspecify.annotations.Nullable;

/** A job to preempt, and how. */
public record Victim(AllocatedJob job, Preemption preemption) {

    public int cores() {
        return job.cores();
    }

    /** What it releases. Q-31: a suspended job keeps memory and GPUs. */
    public PlacementRequest vacated() {
        return vacated(job, preemption.mode());
    }

    public static PlacementRequest vacated(final AllocatedJob job, final Preemption.@Nullable Mode mode) {
        return new PlacementRequest(freed(job, mode), job.placement(), null);
    }

    private static Resources freed(final AllocatedJob job, final Preemption.@Nullable Mode mode) {
        final Resources all = job.resources();
        return mode == Preemption.Mode.SUSPEND ? new Resources(all.cores(), all.nodes(), 0, 0) : all;
    }
}
