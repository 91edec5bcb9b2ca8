package io.millrace.quota.domain.budget;

import io.millrace.model.Resources;
import io.millrace.model.quota.LedgerEntry.Surcharge;
import io.millrace.model.quota.ProcessorTime;
import org.jspecify.annotations.Nullable;

/**
 * The rate of a job: the factor of its cluster times the factor of its class, exact to one millionth.
 *
 * @param cluster_permille factor of the cluster
 * @param jobClass class with a factor; null if the job has none
 * @param class_permille factor of the class; 1000 if there is none
 */
public record JobRate(long cluster_permille, @Nullable String jobClass, long class_permille) {

    /** 31 years. In some workload managers a longer limit means no limit. */
    private static final long LONGEST_S = 1_000_000_000L;

    /** 28 billion core-hours: the largest charge of one run, so that sums fit in a long. */
    private static final long LARGEST_S = 100_000_000_000_000L;

    private static final long PAR_MILLIONTHS = Tariff.PAR * Tariff.PAR;

    /** The cost of these resources for this time; fractions of a second are dropped. */
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
