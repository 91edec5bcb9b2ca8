package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import java.time.Duration;

/** Can checkpoint the process tree of a job with CRIU, if the agent has access to its processes. */
public interface ProcessCheckpointing {

    /**
     * Saves the processes of the running job and requeues it held. When it is started again, the processes continue from the checkpoint.
     *
     * @param grace time limit of the checkpoint; after it the answer is {@code TIMEOUT}, and the job continues to run
     */
    Answer<NativeCheckpointing.VacatedJob> checkpointAndVacate(JobKey job, Duration grace) throws InterruptedException;
}
