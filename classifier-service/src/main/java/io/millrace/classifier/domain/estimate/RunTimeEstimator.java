package io.millrace.classifier.domain.estimate;

import io.millrace.model.policy.RunTimeEstimate;
import java.util.Optional;

/** Estimates run times from ended runs. Not thread-safe. */
public interface RunTimeEstimator {

    /** @param run_s seconds that the job ran until its end */
    void ended(JobProfile job, long run_s);

    /** The expected run time, at least one second, at most the requested walltime; empty without comparable runs. */
    Optional<RunTimeEstimate> estimate(JobProfile job);
}
