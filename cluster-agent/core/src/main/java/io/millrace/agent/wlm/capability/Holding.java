package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;

/** Can hold waiting jobs, and remembers whose hold it is. */
public interface Holding {

    /** Sets this hold on a waiting job. */
    Answer<Accepted> hold(JobKey job, HoldKind kind);

    /**
     * Lifts a hold of exactly this kind; with another kind of hold on the job the answer is {@code WRONG_STATE} and nothing changes.
     * A lifted submission hold leaves {@code Held(ENTRY)} under directed control and {@code Queued} under native control.
     */
    Answer<Accepted> release(JobKey job, HoldKind kind);
}
