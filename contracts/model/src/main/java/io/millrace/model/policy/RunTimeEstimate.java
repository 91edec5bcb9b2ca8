package io.millrace.model.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long a job is expected to run, from the runs of similar jobs. It is not a limit: the workload manager ends a job at its walltime only.
 *
 * @param expected at most the walltime
 * @param confidencePercent the probability that the job ends within this time, 1 to 100
 * @param runs number of runs that the estimate is based on
 * @param basis what these runs have in common, e.g. {@code user, program, cores, walltime}
 * @param quantiles other quantiles of these runs, ascending; null: not known
 * @param recent2 mean of the user's last two similar jobs, else of the user's last two jobs, at most the walltime (Tsafrir, Etsion and
 *     Feitelson 2007); null: not known
 */
public record RunTimeEstimate(
        Duration expected,
        int confidencePercent,
        int runs,
        String basis,
        @Nullable List<RunTimeQuantile> quantiles,
        @Nullable Duration recent2) {

    public RunTimeEstimate {
        check(expected, confidencePercent);
        if (runs < 1) {
            throw new IllegalArgumentException("runs must be at least 1, got " + runs);
        }
        quantiles = quantiles == null ? null : List.copyOf(quantiles);
    }

    /** Only the expected run time. */
    public RunTimeEstimate(final Duration expected, final int confidencePercent, final int runs, final String basis) {
        this(expected, confidencePercent, runs, basis, null, null);
    }

    static void check(final Duration expected, final int confidencePercent) {
        if (expected.isNegative() || expected.isZero()) {
            throw new IllegalArgumentException("expected must be greater than zero, got " + expected);
        }
        if (confidencePercent < 1 || confidencePercent > 100) {
            throw new IllegalArgumentException("confidencePercent must be from 1 to 100, got " + confidencePercent);
        }
    }

    /** The quantile of this percentage; the expected run time if it is not published. */
    public Duration quantile(final int percent) {
        return quantiles == null
                ? expected
                : quantiles.stream()
                        .filter(one -> one.percent() == percent)
                        .map(RunTimeQuantile::expected)
                        .findFirst()
                        .orElse(expected);
    }
}
