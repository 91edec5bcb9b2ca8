package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.Stage;
import io.millrace.classifier.domain.model.StageRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The formulas of the paper written out with matrices and vectors, index by index, without any concern for speed: what {@link Classifier}
 * must agree with. Indexes are those of the model, from 0.
 */
final class PaperFormulas {

    private final ClassModel model;
    /** Number of characteristics and of classes. */
    private final int k;

    private final int m;
    /** Matrices A and B. */
    private final boolean[][] a;

    private final boolean[][] b;
    private final Domain[][] domain;

    PaperFormulas(final ClassModel model) {
        this.model = model;
        k = model.characteristics().size();
        m = model.classes().size();
        a = new boolean[k][m];
        b = new boolean[k][m];
        domain = new Domain[k][m];
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < m; j++) {
                final String name = model.characteristics().get(i).name();
                final JobClass c = model.classes().get(j);
                a[i][j] = c.mandatory().containsKey(name);
                b[i][j] = c.optional().containsKey(name);
                domain[i][j] = a[i][j] ? c.mandatory().get(name) : c.optional().get(name);
            }
        }
    }

    boolean chi(final Domain[] x, final int j) {
        for (int i = 0; i < k; i++) {
            if (a[i][j] && (x[i] == null || !domain[i][j].includes(x[i]))) {
                return false;
            }
            if (b[i][j] && x[i] != null && !domain[i][j].includes(x[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean satisfied(final Domain[] x, final int i, final int j) {
        return x[i] != null && (a[i][j] || b[i][j]) && domain[i][j].includes(x[i]);
    }

    private int k(final Domain[] x, final int j) {
        int count = 0;
        for (int i = 0; i < k; i++) {
            count += satisfied(x, i, j) ? 1 : 0;
        }
        return count;
    }

    private int n(final int j) {
        int count = 0;
        for (int i = 0; i < k; i++) {
            count += a[i][j] || b[i][j] ? 1 : 0;
        }
        return count;
    }

    double rho(final Domain[] x, final int j) {
        double sum = 0;
        for (int l = 0; l < m; l++) {
            sum += (double) k(x, l) / n(l);
        }
        return (double) k(x, j) / n(j) / sum;
    }

    double sigma(final Domain[] x, final int j) {
        final TreeSet<Integer> ranks = new TreeSet<>(Comparator.reverseOrder());
        model.characteristics().forEach(h -> ranks.add(h.rank()));
        final List<Integer> s = new ArrayList<>(ranks);
        final int t = s.size();
        final int[] n = new int[t];
        for (int i = 0; i < k; i++) {
            if (satisfied(x, i, j)) {
                n[s.indexOf(model.characteristics().get(i).rank())]++;
            }
        }
        int q = 0;
        while (n[q] == 0) {
            q++;
        }
        if (q == t - 1) {
            return (double) n[q] * s.get(q);
        }
        double sum = 0;
        for (int v = q; v < t; v++) {
            sum += (double) n[v] * s.get(v);
        }
        for (int v = q + 1; v < t; v++) {
            sum += (double) k * s.get(v);
        }
        return sum;
    }

    double omega(final Domain[] x, final int j) {
        double sum = 0;
        for (int i = 0; i < k; i++) {
            sum += satisfied(x, i, j) ? model.characteristics().get(i).weight() : 0;
        }
        return sum;
    }

    double psi(final long[] gamma, final int j) {
        double sum = 0;
        for (int l = 0; l < m; l++) {
            sum += gamma[l];
        }
        return sum == 0 ? 1.0 / m : gamma[j] / sum;
    }

    private double value(final Stage stage, final Domain[] x, final long[] gamma, final int j) {
        return switch (stage) {
            case RHO -> rho(x, j);
            case SIGMA -> sigma(x, j);
            case OMEGA -> omega(x, j);
            case PSI -> psi(gamma, j);
        };
    }

    /** Vector y after primary classification. */
    boolean[] primary(final Domain[] x) {
        final boolean[] y = new boolean[m];
        for (int j = 0; j < m; j++) {
            y[j] = chi(x, j);
        }
        return y;
    }

    /** Vector y after all stages. */
    boolean[] classify(final Domain[] x, final long[] gamma) {
        boolean[] y = primary(x);
        for (final StageRule rule : model.stages()) {
            double max = Double.NEGATIVE_INFINITY;
            for (int l = 0; l < m; l++) {
                max = y[l] ? Math.max(max, value(rule.stage(), x, gamma, l)) : max;
            }
            final boolean[] next = new boolean[m];
            for (int j = 0; j < m; j++) {
                next[j] = y[j] && max - value(rule.stage(), x, gamma, j) <= rule.delta() + 1e-12;
            }
            y = next;
        }
        return y;
    }

    Map<Stage, double[]> values(final Domain[] x, final long[] gamma) {
        final Map<Stage, double[]> values = new EnumMap<>(Stage.class);
        final boolean[] y = primary(x);
        for (final StageRule rule : model.stages()) {
            final double[] byClass = new double[m];
            for (int j = 0; j < m; j++) {
                byClass[j] = y[j] ? value(rule.stage(), x, gamma, j) : Double.NaN;
            }
            values.put(rule.stage(), byClass);
        }
        return values;
    }
}
