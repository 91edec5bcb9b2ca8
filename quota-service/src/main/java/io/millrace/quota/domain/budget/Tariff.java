package io.millrace.quota.domain.budget;

import io.millrace.model.ClusterId;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The cost of a core-second, in thousandths, by cluster and class of the job.
 *
 * @param rates_permille by cluster; 1000 for others
 * @param classes_permille by class; 1000 for others
 */
public record Tariff(Map<ClusterId, Long> rates_permille, Map<String, Long> classes_permille) {

    public static final long PAR = 1000;

    /** Factor 100; a larger one is a typing error. */
    static final long HIGHEST = 100 * PAR;

    public static final Tariff FLAT = new Tariff(Map.of(), Map.of());

    public Tariff {
        rates_permille = Map.copyOf(rates_permille);
        classes_permille = Map.copyOf(classes_permille);
        rates_permille.forEach((cluster, rate) -> requireSane("cluster '" + cluster + "'", rate));
        classes_permille.forEach((name, rate) -> requireSane("class '" + name + "'", rate));
        if (dearest(rates_permille.values()) * dearest(classes_permille.values()) > HIGHEST * PAR) {
            throw new IllegalArgumentException(
                    "the highest cluster factor times the highest class factor must be at most 100: lower one of them");
        }
    }

    private static void requireSane(final String of, final long rate) {
        if (rate < 0 || rate > HIGHEST) {
            throw new IllegalArgumentException("the factor of " + of + " must be between 0 and 100");
        }
    }

    private static long dearest(final Collection<Long> rates) {
        return rates.isEmpty() ? PAR : Math.max(PAR, Collections.max(rates));
    }

    /** Whether the class of a job changes its cost. */
    public boolean usesClasses() {
        return !classes_permille.isEmpty();
    }

    /** The rate of a job of these classes on a cluster. Of several classes with a factor, the highest counts. */
    public JobRate rate(final ClusterId cluster, final List<String> classes) {
        final long permille = rates_permille.getOrDefault(cluster, PAR);
        return classes.stream()
                .filter(classes_permille::containsKey)
                .max(Comparator.<String>comparingLong(name -> Objects.requireNonNull(classes_permille.get(name)))
                        .thenComparing(Comparator.reverseOrder()))
                .map(name -> new JobRate(permille, name, Objects.requireNonNull(classes_permille.get(name))))
                .orElseGet(() -> new JobRate(permille, null, PAR));
    }
}
