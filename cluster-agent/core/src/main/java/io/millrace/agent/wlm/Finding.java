package io.millrace.agent.wlm;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import java.util.List;

/** Finds jobs by the tag of their attempt. */
public interface Finding {

    /** @param ended whether the job has left the queue */
    record Found(JobKey job, boolean ended) {}

    /** Every job that carries this tag, in the queue and among the ended, in the order of submission. */
    Answer<List<Found>> find(AttemptId attempt);
}
