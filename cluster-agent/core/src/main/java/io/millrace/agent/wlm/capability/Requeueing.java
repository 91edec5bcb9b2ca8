package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;

/** Can end a run and put the job back into the queue: same job key, one restart more. */
public interface Requeueing {

    /** The job waits again: {@code Held(ENTRY)} under directed control, {@code Queued} under native control. */
    Answer<Accepted> requeue(JobKey job);

    /** The job waits again and is {@code Held(ENTRY)} whatever the control. */
    Answer<Accepted> requeueHeld(JobKey job);
}
