package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import java.time.Duration;

/** Can change the walltime limit of a job. */
public interface Altering {

    /** @param walltime the new limit of its present run, or of its next one while it waits */
    Answer<Accepted> setWalltime(JobKey job, Duration walltime);
}
