package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.JobKey;

/** Submits jobs. Every adapter has this role. */
public interface Submitting {

    /** Submits the job as its owner, tagged and held with {@code HoldKind.SUBMISSION}; it does not run before it is released. */
    Answer<JobKey> submit(Submission submission);
}
