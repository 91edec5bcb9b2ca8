package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.model.JobKey;
import org.jspecify.annotations.Nullable;

/** Can requeue a running job. It keeps its job key, and its number of restarts increases by one. */
public interface Requeueing {

    /**
     * Requeues the job: {@code Held(ENTRY)} under directed control, {@code Queued} under native control.
     *
     * @param why for users, where the workload manager shows such a sentence beside the job; it never fails the requeue. Null for none
     */
    Answer<Accepted> requeue(JobKey job, @Nullable UserSentence why);

    /** Requeues the job as {@code Held(ENTRY)}, regardless of the control, with such a sentence. */
    Answer<Accepted> requeueHeld(JobKey job, @Nullable UserSentence why);

    default Answer<Accepted> requeue(final JobKey job) {
        return requeue(job, null);
    }

    default Answer<Accepted> requeueHeld(final JobKey job) {
        return requeueHeld(job, null);
    }
}
