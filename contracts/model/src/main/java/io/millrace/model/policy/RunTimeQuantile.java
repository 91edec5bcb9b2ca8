package io.millrace.model.policy;

import java.time.Duration;

/**
 * A run time that a given share of similar jobs did not exceed.
 *
 * @param percent that share, 1 to 100
 * @param expected at most the walltime
 * @param confidencePercent the observed probability that a job ends within this time, 1 to 100
 */
public record RunTimeQuantile(int percent, Duration expected, int confidencePercent) {

    public RunTimeQuantile {
        RunTimeEstimate.check(expected, confidencePercent);
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("percent must be from 1 to 100, got " + percent);
        }
    }
}
