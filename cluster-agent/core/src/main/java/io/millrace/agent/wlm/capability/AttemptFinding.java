package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds jobs by the tag of their attempt. */
public interface AttemptFinding {

    /** @param ended whether the job has left the queue */
    record Found(JobKey job, boolean ended) {

        /** In the order of submission. */
        public static List<Found> oldestFirst(final Collection<Found> found) {
            return found.stream()
                    .sorted(Comparator.comparing((Found one) -> one.job().submittedAt())
                            .thenComparing(one -> one.job().toString()))
                    .toList();
        }
    }

    /**
     * All jobs with this tag, in the queue and in accounting, in the order of submission.
     *
     * @param owner account of the jobs; a job of another account has a forged tag
     */
    Answer<List<Found>> find(AttemptId attempt, UserName owner);
}
