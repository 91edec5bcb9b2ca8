package io.millrace.quota.domain.budget;

import io.millrace.model.ClusterId;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a core-second costs, in thousandths of one, by cluster and by class of the job.
 *
 * @param rates_permille of clusters; of others it is 1000
 * @param classes_permille of classes; what is not named costs nothing more and nothing less
 */
public record Tariff(Map<ClusterId, Long> rates_permille, Map<String, Long> classes_permille) {

    public static final long PAR = 1000;

    /** A hundred core-seconds for one: more is a slip of the pen. */
    static final long HIGHEST = 100 * PAR;

    public static final Tariff FLAT = new Tariff(Map.of(), Map.of());

    public Tariff {
        rates_permille = Map.copyOf(rates_permille);
        classes_permille = Map.copyOf(classes_permille);
        rates_permille.forEach((cluster, rate) -> requireSane("cluster '" + cluster + "'", rate));
        classes_permille.forEach((name, rate) -> requireSane("class '" + name + "'", rate));
        if (dearest(rates_permille.values()) * dearest(classes_permille.values()) > HIGHEST * PAR) {
            throw new IllegalArgumentException(
                    "the highest factor of a cluster times the highest of a class is at most 100: lower one of them");
        }
    }

    private static void requireSane(final String of, final long rate) {
        if (rate < 0 || rate > HIGHEST) {
            throw new IllegalArgumentException("the factor of " + of + " is between 0 and 100");
        }
    }

    private static long dearest(final Collection<Long> rates) {
        return rates.isEmpty() ? PAR : Math.max(PAR, Collections.max(rates));
    }

    /** Whether the class of a job changes its cost. */
    public boolean usesClasses() {
        return !classes_permille.isEmpty();
    }

    /** What a job of these classes costs on a cluster: of several classes with a factor the highest counts. */
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
