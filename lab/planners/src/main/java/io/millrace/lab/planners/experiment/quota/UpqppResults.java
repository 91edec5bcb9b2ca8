package io.millrace.lab.planners.experiment.quota;

import io.millrace.lab.planners.experiment.ConfidenceInterval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** Metrics by kind of jobs, policy and seed. */
final class UpqppResults {

    private final Map<String, Map<String, List<QuotaMetrics>>> all = new LinkedHashMap<>();

    void add(final String jobs, final Map<String, QuotaMetrics> byPolicy) {
        byPolicy.forEach((policy, figures) -> all.computeIfAbsent(jobs, name -> new LinkedHashMap<>())
                .computeIfAbsent(policy, name -> new ArrayList<>())
                .add(figures));
    }

    Iterable<String> jobs() {
        return all.keySet();
    }

    ConfidenceInterval mean(final String jobs, final String policy, final ToDoubleFunction<QuotaMetrics> figure) {
        return ConfidenceInterval.of(
                runs(jobs, policy).stream().mapToDouble(figure).toArray());
    }

    /** The confidence interval of the differences per seed: runs with the same seed have the same jobs. */
    ConfidenceInterval less(
            final String jobs, final String policy, final String than, final ToDoubleFunction<QuotaMetrics> figure) {
        final List<QuotaMetrics> ours = runs(jobs, policy);
        final List<QuotaMetrics> theirs = runs(jobs, than);
        final double[] differences = new double[ours.size()];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = figure.applyAsDouble(theirs.get(i)) - figure.applyAsDouble(ours.get(i));
        }
        return ConfidenceInterval.of(differences);
    }

    private List<QuotaMetrics> runs(final String jobs, final String policy) {
        return Objects.requireNonNull(
                Objects.requireNonNull(all.get(jobs), jobs).get(policy), policy);
    }
}
