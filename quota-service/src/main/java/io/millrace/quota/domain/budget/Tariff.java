package io.millrace.quota.domain.budget;

import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.policy.ProcessorTime;
import java.util.Map;

/**
 * What a core-second costs, in thousandths of one, by cluster.
 *
 * @param rates_permille of clusters; of others it is 1000
 */
public record Tariff(Map<ClusterId, Long> rates_permille) {

    public static final long PAR = 1000;

    /** A hundred core-seconds for one: more is a slip of the pen. */
    static final long HIGHEST = 100 * PAR;

    /** 31 years: a longer limit means "none" in some workload managers. */
    private static final long LONGEST_S = 1_000_000_000L;

    /** 28 billion core-hours: what one run can cost at most, so that sums of runs stay within a long. */
    private static final long LARGEST_S = 100_000_000_000_000L;

    public static final Tariff FLAT = new Tariff(Map.of());

    public Tariff {
        rates_permille = Map.copyOf(rates_permille);
        rates_permille.forEach((cluster, rate) -> {
            if (rate < 0 || rate > HIGHEST) {
                throw new IllegalArgumentException("the factor of " + cluster + " is between 0 and 100");
            }
        });
    }

    public long rate(final ClusterId cluster) {
        return rates_permille.getOrDefault(cluster, PAR);
    }

    /** What these resources cost for so long on a cluster; parts of a second are dropped. */
    public ProcessorTime cost(final ClusterId cluster, final Resources resources, final long seconds) {
        final long rate = rate(cluster);
        return new ProcessorTime(
                atRate(amount(resources.cores(), seconds), rate), atRate(amount(resources.gpus(), seconds), rate));
    }

    private static long amount(final int units, final long seconds) {
        return Math.min(units * Math.min(seconds, LONGEST_S), LARGEST_S);
    }

    private static long atRate(final long amount, final long rate) {
        return amount / PAR * rate + amount % PAR * rate / PAR;
    }
}
