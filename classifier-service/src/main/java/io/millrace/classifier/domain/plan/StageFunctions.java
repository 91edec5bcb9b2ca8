package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.StageRule;
import java.util.Arrays;
import java.util.List;

/** The functions rho, sigma, omega and psi, and the reduction of the candidates by their values. */
final class StageFunctions {

    /** Sums of doubles may differ by their order. */
    private static final double TOLERANCE = 1e-12;

    private final ClassModel model;
    private final Requirements[] classes;
    /** The distinct n_j: how many characteristics a class uses. */
    private final int[] sizes;

    private final int[] ranks;
    private final double[] weights;
    /** For each characteristic, k times the sum of the distinct ranks below its own. */
    private final long[] bonus;

    StageFunctions(final ClassModel model, final Requirements[] classes) {
        this.model = model;
        this.classes = classes;
        final List<Characteristic> all = model.characteristics();
        sizes = Arrays.stream(classes)
                .mapToInt(one -> one.used().length)
                .distinct()
                .toArray();
        ranks = all.stream().mapToInt(Characteristic::rank).toArray();
        weights = all.stream().mapToDouble(Characteristic::weight).toArray();
        bonus = all.stream()
                .mapToLong(one -> all.size()
                        * Arrays.stream(ranks)
                                .distinct()
                                .filter(rank -> rank < one.rank())
                                .asLongStream()
                                .sum())
                .toArray();
    }

    /** Applies the stages of the model to the candidates, of which there is at least one. */
    Classification reduce(
            final GivenDomains job, final int[] candidates, final int[] satisfied, final SimilarJobs history) {
        final List<StageRule> stages = model.stages();
        final double[][] values = new double[stages.size()][];
        final int[] remaining = new int[stages.size()];
        final int[] left = positions(candidates.length);
        int count = left.length;
        for (int s = 0; s < remaining.length; s++) {
            final StageRule rule = stages.get(s);
            values[s] = switch (rule.stage()) {
                case RHO -> rho(candidates, satisfied);
                case SIGMA ->
                    Arrays.stream(candidates).mapToDouble(j -> sigma(j, job)).toArray();
                case OMEGA ->
                    Arrays.stream(candidates).mapToDouble(j -> omega(j, job)).toArray();
                case PSI -> psi(candidates, history.count(job));
            };
            count = keepLargest(left, count, values[s], rule.delta());
            remaining[s] = count;
        }
        final int[] ranked = count == left.length ? left : Arrays.copyOf(left, count);
        rank(ranked, values);
        return Classification.of(model, candidates, values, remaining, ranked);
    }

    private static int[] positions(final int count) {
        final int[] positions = new int[count];
        for (int c = 0; c < count; c++) {
            positions[c] = c;
        }
        return positions;
    }

    /** k_j / n_j: the share of the characteristics of a class that the job satisfies. */
    double share(final int jobClass, final int[] satisfied) {
        return (double) satisfied[jobClass] / classes[jobClass].used().length;
    }

    private double[] rho(final int[] candidates, final int[] satisfied) {
        double sum = 0;
        for (final int size : sizes) {
            long total = 0;
            for (int j = 0; j < classes.length; j++) {
                total += classes[j].used().length == size ? satisfied[j] : 0;
            }
            sum += (double) total / size;
        }
        final double[] rho = new double[candidates.length];
        for (int c = 0; c < rho.length; c++) {
            rho[c] = share(candidates[c], satisfied) / sum;
        }
        return rho;
    }

    /** A job satisfies every characteristic that both it and a candidate use, because chi excluded all other classes. */
    private double sigma(final int jobClass, final GivenDomains job) {
        long sum = 0;
        long bonusOfBest = 0;
        for (final int i : classes[jobClass].used()) {
            if (job.has(i)) {
                sum += ranks[i];
                bonusOfBest = Math.max(bonusOfBest, bonus[i]);
            }
        }
        return sum + bonusOfBest;
    }

    private double omega(final int jobClass, final GivenDomains job) {
        double sum = 0;
        for (final int i : classes[jobClass].used()) {
            if (job.has(i)) {
                sum += weights[i];
            }
        }
        return sum;
    }

    private double[] psi(final int[] candidates, final long[] gamma) {
        long sum = 0;
        for (final long executed : gamma) {
            sum += executed;
        }
        final double[] psi = new double[candidates.length];
        for (int c = 0; c < psi.length; c++) {
            psi[c] = sum == 0 ? 1.0 / classes.length : (double) gamma[candidates[c]] / sum;
        }
        return psi;
    }

    /**
     * Moves those of the first positions whose value is within delta of the largest to the front.
     *
     * @param count how many positions remain so far
     * @return how many remain now
     */
    private static int keepLargest(final int[] left, final int count, final double[] values, final double delta) {
        if (count == 1) {
            return count;
        }
        double largest = Double.NEGATIVE_INFINITY;
        for (int n = 0; n < count; n++) {
            largest = Math.max(largest, values[left[n]]);
        }
        int kept = 0;
        for (int n = 0; n < count; n++) {
            if (largest - values[left[n]] <= delta + TOLERANCE) {
                left[kept++] = left[n];
            }
        }
        return kept;
    }

    /** Orders by the values of the first stage in which they differ; of equal classes, the first in the model stays first. */
    private static void rank(final int[] left, final double[][] values) {
        for (int n = 1; n < left.length; n++) {
            final int moved = left[n];
            int to = n;
            while (to > 0 && isBetter(moved, left[to - 1], values)) {
                left[to] = left[to - 1];
                to--;
            }
            left[to] = moved;
        }
    }

    private static boolean isBetter(final int one, final int other, final double[][] values) {
        for (final double[] stage : values) {
            if (Math.abs(stage[one] - stage[other]) > TOLERANCE) {
                return stage[one] > stage[other];
            }
        }
        return false;
    }
}
