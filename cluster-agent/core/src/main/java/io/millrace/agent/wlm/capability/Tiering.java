package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Tier;

/**
 * Preempts borrowed work for guaranteed work by itself, and can be told which job is which. Offered only if {@link
 * WorkloadManager#withheld()} does not say otherwise.
 */
public interface Tiering {

    /** Moves the job to this tier; {@code WRONG_STATE} where a running job keeps the one it started in. */
    Answer<Accepted> setTier(JobKey job, Tier tier);
}
