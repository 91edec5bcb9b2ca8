package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointTaken;
import java.time.Duration;

/** Can checkpoint and restart jobs with a function of the workload manager. */
public interface NativeCheckpointing {

    /**
     * The result of a checkpoint.
     *
     * @param job the key under which the job is pending, {@code Held(ENTRY)}; it differs from the old key if a restart creates a new id
     */
    record VacatedJob(JobKey job, CheckpointTaken taken) {}

    /**
     * Saves the running job and requeues it held. When it is started again, it continues from the checkpoint.
     *
     * @param grace time limit of the checkpoint; after it the answer is {@code TIMEOUT}, and the job continues to run
     */
    Answer<VacatedJob> checkpointAndVacate(JobKey job, Duration grace) throws InterruptedException;
}
