package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.StartRule;

/** Can start a job on command, regardless of the order of the local scheduler. */
public interface Starting {

    /** Releases the entry hold, if the job has one, and starts the job now. Submission, user and operator holds are never released. */
    Answer<Accepted> start(JobKey job);

    /**
     * Whether several jobs may be started at the same time. Not if the adapter chooses free nodes for a job, because two jobs
     * would get the same ones.
     */
    default boolean startsTogether() {
        return false;
    }

    /** Which parts of nodes a start can use. Queried again whenever the workload manager was unavailable. */
    default StartRule startRule() {
        return StartRule.PARTS_OF_NODES;
    }
}
