package io.millrace.simulator.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The figures by kind of jobs, policy and seed. */
final class UpqppResults {

    private final Map<String, Map<String, List<QuotaFigures>>> all = new LinkedHashMap<>();

    void add(final String jobs, final Map<String, QuotaFigures> byPolicy) {
        byPolicy.forEach((policy, figures) -> all.computeIfAbsent(jobs, name -> new LinkedHashMap<>())
                .computeIfAbsent(policy, name -> new ArrayList<>())
                .add(figures));
    }

    Iterable<String> jobs() {
        return all.keySet();
    }

    Mean mean(final String jobs, final String policy, final ToDoubleFunction<QuotaFigures> figure) {
        return Mean.of(runs(jobs, policy).stream().mapToDouble(figure).toArray());
    }

    /** Of the differences seed by seed: the runs of one seed have the same jobs. */
    Mean less(final String jobs, final String policy, final String than, final ToDoubleFunction<QuotaFigures> figure) {
        final List<QuotaFigures> ours = runs(jobs, policy);
        final List<QuotaFigures> theirs = runs(jobs, than);
        final double[] differences = new double[ours.size()];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = figure.applyAsDouble(theirs.get(i)) - figure.applyAsDouble(ours.get(i));
        }
        return Mean.of(differences);
    }

    private List<QuotaFigures> runs(final String jobs, final String policy) {
        return Objects.requireNonNull(
                Objects.requireNonNull(all.get(jobs), jobs).get(policy), policy);
    }
}
