package io.millrace.agent.wlm.capability;

import io.millrace.agent.domain.Run;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.model.JobKey;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Can report how runs ended after the job has left the queue. */
public interface Accounting {

    /**
     * The ended runs of these jobs, by one query, oldest run first. They include requeued runs, with {@code RunOutcome.Requeued}. Jobs that
     * are not (yet) in accounting are missing.
     */
    Answer<List<Run>> ended(Collection<JobKey> jobs);

    /**
     * All jobs of all users that left the queue at or after this instant, by one query. It is the only source for jobs that start and end
     * between two observations. The results of two queries may overlap; the caller publishes each end once.
     *
     * @param since on the clock of the workload manager
     * @return {@code REJECTED} if accounting cannot be queried by time
     */
    default Answer<List<EndedJob>> endedSince(final Instant since) {
        return Answer.trouble(
                Answer.Kind.REJECTED, "the accounting of this workload manager is asked by job, not by time");
    }

    /**
     * Selects the arrays that have not ended. The record of an array's pending tasks also disappears when the last of them becomes a
     * separate job.
     *
     * @param arrays arrays that are no longer in the queue
     */
    default Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return Answer.ok(Set.of());
    }
}
