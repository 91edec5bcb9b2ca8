package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.ClusterConditions;

/** Reports licences and maintenance windows. Queried every 20 seconds, apart from the observation of jobs and nodes. */
public interface ConditionReporting {

    /** The free space of the staging directory is left out; the agent adds it. */
    Answer<ClusterConditions> conditions();
}
