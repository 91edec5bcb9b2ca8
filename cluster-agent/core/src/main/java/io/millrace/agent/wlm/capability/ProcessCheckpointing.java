package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import java.time.Duration;

/** Saves the process tree of a job from outside (CRIU), where the agent can reach its processes. */
public interface ProcessCheckpointing {

    /**
     * Saves the processes of the running job, takes it off its cores and leaves it waiting, held; they go on from there when it is
     * started.
     *
     * @param grace how long saving may take; {@code TIMEOUT} after that, and the job runs on
     */
    Answer<NativeCheckpointing.VacatedJob> checkpointAndVacate(JobKey job, Duration grace) throws InterruptedException;
}
