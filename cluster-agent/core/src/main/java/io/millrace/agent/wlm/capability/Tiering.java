package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Tier;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Preempts borrowed jobs for guaranteed jobs in its own scheduler, based on the tier that Millrace sets for each job. Not offered if
 * the adapter withholds it.
 */
public interface Tiering {

    /** Sets the tier of the job; {@code WRONG_STATE} if the tier of a running job cannot be changed. */
    Answer<Accepted> setTier(JobKey job, Tier tier);

    /** Sets the tiers of several jobs with as few commands as the workload manager allows; the answer for each job. */
    default Map<JobKey, Answer<Accepted>> setTiers(final Map<JobKey, Tier> tiers) {
        final Map<JobKey, Answer<Accepted>> answers = new LinkedHashMap<>();
        tiers.forEach((job, tier) -> answers.put(job, setTier(job, tier)));
        return answers;
    }
}
