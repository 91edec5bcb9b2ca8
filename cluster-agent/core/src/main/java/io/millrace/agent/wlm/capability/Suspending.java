package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;

/** Can suspend and resume a running job. */
public interface Suspending {

    Answer<Accepted> suspend(JobKey job);

    Answer<Accepted> resume(JobKey job);
}
