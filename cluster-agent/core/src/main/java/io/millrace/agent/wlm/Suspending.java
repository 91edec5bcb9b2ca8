package io.millrace.agent.wlm;

import io.millrace.model.JobKey;

/** Can stop a running job in place and let it go on. */
public interface Suspending {

    Answer<Accepted> suspend(JobKey job);

    Answer<Accepted> resume(JobKey job);
}
