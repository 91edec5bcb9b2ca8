package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import org.jspecify.annotations.Nullable;

/** Can hold pending jobs, and keeps the kind of each hold. */
public interface Holding {

    /**
     * Sets this hold on a pending job.
     *
     * @param why for users, where the workload manager shows such a sentence beside the job; it never fails the hold. Null for none
     */
    Answer<Accepted> hold(JobKey job, HoldKind kind, @Nullable UserSentence why);

    default Answer<Accepted> hold(final JobKey job, final HoldKind kind) {
        return hold(job, kind, null);
    }

    /**
     * Releases a hold of exactly this kind. If the job has another kind of hold, the answer is {@code WRONG_STATE} and nothing changes.
     * After the release of a submission hold, the job is {@code Held(ENTRY)} under directed control and {@code Queued} under native control.
     */
    Answer<Accepted> release(JobKey job, HoldKind kind);
}
