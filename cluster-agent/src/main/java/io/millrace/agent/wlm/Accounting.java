package io.millrace.agent.wlm;

import io.millrace.model.JobKey;
import java.util.Collection;
import java.util.List;

/** Knows how runs ended, long after the job left the queue. */
public interface Accounting {

    /**
     * The ended runs of these jobs, by one query; oldest run first. A run that was requeued is one of them, with
     * {@code RunOutcome.Requeued}. A job that accounting does not know (yet) is simply missing.
     */
    Answer<List<Run>> ended(Collection<JobKey> jobs);
}
