package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.util.List;
import java.util.Map;

/** Finds jobs by the tag of their attempt. */
public interface AttemptFinding {

    /** @param ended whether the job has left the queue */
    record Found(JobKey job, boolean ended) {}

    /**
     * All jobs with these tags, in the queue and in accounting, by one query for all. Each list is in the order of submission, and empty if
     * no job has the tag.
     *
     * @param owners account of the jobs of each attempt; a job of another account has a forged tag
     */
    Answer<Map<AttemptId, List<Found>>> find(Map<AttemptId, UserName> owners);

    /** All jobs with this tag. */
    default Answer<List<Found>> find(final AttemptId attempt, final UserName owner) {
        return find(Map.of(attempt, owner)).map(found -> found.getOrDefault(attempt, List.of()));
    }
}
