package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import java.util.Comparator;

/** Order of jobs where nothing else decides. */
final class JobOrder {

    /** By time of submission, then by local id; of two numbers the shorter is the smaller. */
    static final Comparator<JobKey> BY_SUBMISSION = Comparator.comparing(JobKey::submitted)
            .thenComparingInt(job -> job.id().local().length())
            .thenComparing(job -> job.id().local());

    private JobOrder() {}
}
