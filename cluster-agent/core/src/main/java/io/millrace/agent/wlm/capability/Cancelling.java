package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;

/** Cancels jobs. Every adapter has this role. */
public interface Cancelling {

    /** Cancels the job, pending or running. */
    Answer<Accepted> cancel(JobKey job);
}
