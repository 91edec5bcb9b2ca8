package io.millrace.quota.domain.budget;

import io.millrace.model.Resources;
import io.millrace.model.policy.LedgerEntry.Surcharge;
import io.millrace.model.policy.ProcessorTime;
import org.jspecify.annotations.Nullable;

/**
 * What a job costs: the factor of its cluster times that of its class, exact to the millionth.
 *
 * @param cluster_permille the factor of the cluster
 * @param jobClass the class that has a factor; null: none of the job's has
 * @param class_permille the factor of the class; 1000 if there is none
 */
public record JobRate(long cluster_permille, @Nullable String jobClass, long class_permille) {

    /** 31 years: a longer limit means "none" in some workload managers. */
    private static final long LONGEST_S = 1_000_000_000L;

    /** 28 billion core-hours: what one run can cost at most, so that sums of runs stay within a long. */
    private static final long LARGEST_S = 100_000_000_000_000L;

    private static final long PAR_MILLIONTHS = Tariff.PAR * Tariff.PAR;

    /** What these resources cost for so long; parts of a second are dropped. */
    public ProcessorTime cost(final Resources resources, final long seconds) {
        return new ProcessorTime(cost(resources.cores(), seconds), cost(resources.gpus(), seconds));
    }

    private long cost(final int units, final long seconds) {
        final long amount = Math.min(units * Math.min(seconds, LONGEST_S), LARGEST_S);
        final long millionths = cluster_permille * class_permille;
        return amount / PAR_MILLIONTHS * millionths + amount % PAR_MILLIONTHS * millionths / PAR_MILLIONTHS;
    }

    @Nullable
    Surcharge surcharge() {
        return jobClass == null ? null : new Surcharge(jobClass, class_permille);
    }
}
