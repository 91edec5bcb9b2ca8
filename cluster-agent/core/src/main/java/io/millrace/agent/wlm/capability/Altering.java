package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import java.time.Duration;

/** Can change the walltime limit of a job. */
public interface Altering {

    /** @param walltime the new limit of the current run, or of the next run if the job is pending */
    Answer<Accepted> setWalltime(JobKey job, Duration walltime);
}
