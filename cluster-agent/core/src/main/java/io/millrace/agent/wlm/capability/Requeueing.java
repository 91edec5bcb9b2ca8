package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;

/** Can requeue a running job. It keeps its job key, and its number of restarts increases by one. */
public interface Requeueing {

    /** Requeues the job: {@code Held(ENTRY)} under directed control, {@code Queued} under native control. */
    Answer<Accepted> requeue(JobKey job);

    /** Requeues the job as {@code Held(ENTRY)}, regardless of the control. */
    Answer<Accepted> requeueHeld(JobKey job);
}
