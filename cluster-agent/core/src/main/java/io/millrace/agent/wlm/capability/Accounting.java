package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Run;
import io.millrace.model.JobKey;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Knows how runs ended, long after the job left the queue. */
public interface Accounting {

    /**
     * The ended runs of these jobs, by one query; oldest run first. A run that was requeued is one of them, with
     * {@code RunOutcome.Requeued}. A job that accounting does not know (yet) is simply missing.
     */
    Answer<List<Run>> ended(Collection<JobKey> jobs);

    /**
     * Every job that left the queue at or after this instant, whoever handed it in, by one query; jobs that end between two looks are
     * only known from here. A job may come twice in the answers to two questions: the caller tells each end once.
     *
     * @param since on the workload manager's clock
     * @return {@code REJECTED} where the accounting cannot be asked by time
     */
    default Answer<List<EndedJob>> endedSince(final Instant since) {
        return Answer.trouble(
                Answer.Kind.REJECTED, "the accounting of this workload manager is asked by job, not by time");
    }

    /**
     * Of these arrays, whose waiting tasks were one job and are gone, those that did not end: their last tasks have become jobs of
     * their own.
     */
    default Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return Answer.ok(Set.of());
    }
}
