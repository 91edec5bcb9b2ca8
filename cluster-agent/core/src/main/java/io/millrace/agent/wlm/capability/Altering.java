package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Can change the walltime limit of a job, and other properties of a pending one. */
public interface Altering {

    /** @param walltime the new limit of the current run, or of the next run if the job is pending */
    Answer<Accepted> setWalltime(JobKey job, Duration walltime);

    /**
     * Changes both or nothing.
     *
     * @param name null: unchanged
     * @param cores total number; null: unchanged
     * @return {@code WRONG_STATE} if the job is not pending; {@code REJECTED}, with the remedy, if this workload manager cannot change it
     */
    Answer<Accepted> alterPending(JobKey job, @Nullable String name, @Nullable Integer cores);

    /** Moves a pending job to another partition. {@code WRONG_STATE} if it is not pending; otherwise as {@link #alterPending}. */
    Answer<Accepted> setPartition(JobKey job, PartitionName partition);
}
