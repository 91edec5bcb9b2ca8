package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;

/** Can start a job on command, past the local scheduler's order. */
public interface Starting {

    /** Lifts the entry hold, if it is there, and starts the job now. A submission, user's or operator's hold is never touched. */
    Answer<Accepted> start(JobKey job);
}
