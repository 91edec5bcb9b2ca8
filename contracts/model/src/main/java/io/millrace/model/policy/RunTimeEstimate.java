package io.millrace.model.policy;

import java.time.Duration;

/**
 * How long a job is expected to run, from the runs of similar jobs. It is not a limit: the workload manager ends a job at its walltime only.
 *
 * @param expected at most the walltime
 * @param confidencePercent the probability that the job ends within this time, 1 to 100
 * @param runs number of runs that the estimate is based on
 * @param basis what these runs have in common, e.g. {@code user, program, cores, walltime}
 */
public record RunTimeEstimate(Duration expected, int confidencePercent, int runs, String basis) {

    public RunTimeEstimate {
        if (expected.isNegative() || expected.isZero()) {
            throw new IllegalArgumentException("expected must be greater than zero, got " + expected);
        }
        if (confidencePercent < 1 || confidencePercent > 100) {
            throw new IllegalArgumentException("confidencePercent must be from 1 to 100, got " + confidencePercent);
        }
        if (runs < 1) {
            throw new IllegalArgumentException("runs must be at least 1, got " + runs);
        }
    }
}
