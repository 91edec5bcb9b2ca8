package io.millrace.agent.wlm;

import io.millrace.model.JobKey;

/** Can signal the processes of a running job. */
public interface Signalling {

    /** @param signal name without SIG, e.g. {@code USR1}; it reaches the script and what the script started */
    Answer<Accepted> signal(JobKey job, String signal);
}
