package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Tier;

/**
 * Preempts borrowed jobs for guaranteed jobs in its own scheduler, based on the tier that Millrace sets for each job. Not offered if
 * {@link WorkloadManager#withheld()} contains it.
 */
public interface Tiering {

    /** Sets the tier of the job; {@code WRONG_STATE} if the tier of a running job cannot be changed. */
    Answer<Accepted> setTier(JobKey job, Tier tier);
}
