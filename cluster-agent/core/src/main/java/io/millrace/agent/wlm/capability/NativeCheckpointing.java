package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointTaken;
import java.time.Duration;

/** Saves and restarts jobs by the workload manager's own means. */
public interface NativeCheckpointing {

    /**
     * What a checkpoint left.
     *
     * @param job the key under which the job waits, {@code Held(ENTRY)}: another than before where a restart makes a new id
     */
    record VacatedJob(JobKey job, CheckpointTaken taken) {}

    /**
     * Saves the running job, takes it off its cores and leaves it waiting, held; it goes on from there when it is started.
     *
     * @param grace how long saving may take; {@code TIMEOUT} after that, and the job runs on
     */
    Answer<VacatedJob> checkpointAndVacate(JobKey job, Duration grace) throws InterruptedException;
}
