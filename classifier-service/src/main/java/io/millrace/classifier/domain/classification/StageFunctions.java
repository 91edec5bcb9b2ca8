package io.millrace.classifier.domain.classification;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.StageRule;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The functions rho, sigma, omega and psi, and the reduction of the candidates by their values. */
final class StageFunctions {

    /** Sums of doubles may differ by their order. */
    private static final double TOLERANCE = 1e-12;

    private final ClassModel model;
    /** For each class, the indexes of the characteristics that it uses. */
    private final int[][] used;

    /** For each class, k_j / n_j for each possible k_j. */
    private final double[][] shares;

    private final int[] ranks;
    private final double[] weights;
    /** For each characteristic, k times the sum of the distinct ranks below its own. */
    private final long[] bonus;

    StageFunctions(final ClassModel model) {
        this.model = model;
        final List<Characteristic> all = model.characteristics();
        used = model.classes().stream().map(one -> used(all, one)).toArray(int[][]::new);
        shares = Arrays.stream(used).map(StageFunctions::shares).toArray(double[][]::new);
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

    private static int[] used(final List<Characteristic> all, final JobClass by) {
        return IntStream.range(0, all.size())
                .filter(i -> by.domain(all.get(i).name()) != null)
                .toArray();
    }

    private static double[] shares(final int[] usedByClass) {
        return IntStream.rangeClosed(0, usedByClass.length)
                .mapToDouble(k -> (double) k / usedByClass.length)
                .toArray();
    }

    /** Applies the stages of the model to the candidates, of which there is at least one. */
    Classification reduce(
            final GivenDomains job, final int[] candidates, final ClassTally satisfied, final SimilarJobs history) {
        final List<StageRule> stages = model.stages();
        final double[][] values = new double[stages.size()][];
        final int[] remaining = new int[stages.size()];
        int[] left = positions(candidates.length);
        for (int s = 0; s < stages.size(); s++) {
            final StageRule rule = stages.get(s);
            values[s] = switch (rule.stage()) {
                case RHO -> rho(candidates, satisfied);
                case SIGMA -> sigma(job, candidates);
                case OMEGA -> omega(job, candidates);
                case PSI -> psi(candidates, history.count(job));
            };
            left = keepLargest(left, values[s], rule.delta());
            remaining[s] = left.length;
        }
        rank(left, values);
        return Classification.of(model, candidates, values, remaining, left);
    }

    private static int[] positions(final int count) {
        final int[] positions = new int[count];
        for (int c = 0; c < count; c++) {
            positions[c] = c;
        }
        return positions;
    }

    /** k_j / n_j: the share of the characteristics of a class that the job satisfies. */
    double share(final int jobClass, final ClassTally satisfied) {
        return shares[jobClass][satisfied.count(jobClass)];
    }

    private double[] rho(final int[] candidates, final ClassTally satisfied) {
        double sum = 0;
        for (int l = 0; l < used.length; l++) {
            sum += share(l, satisfied);
        }
        final double[] rho = new double[candidates.length];
        for (int c = 0; c < rho.length; c++) {
            rho[c] = share(candidates[c], satisfied) / sum;
        }
        return rho;
    }

    /** A job satisfies every characteristic that both it and a candidate use, because chi excluded all other classes. */
    private double[] sigma(final GivenDomains job, final int[] candidates) {
        final double[] sigma = new double[candidates.length];
        for (int c = 0; c < sigma.length; c++) {
            long sum = 0;
            long bonusOfBest = 0;
            for (final int i : used[candidates[c]]) {
                if (job.get(i) != null) {
                    sum += ranks[i];
                    bonusOfBest = Math.max(bonusOfBest, bonus[i]);
                }
            }
            sigma[c] = sum + bonusOfBest;
        }
        return sigma;
    }

    private double[] omega(final GivenDomains job, final int[] candidates) {
        final double[] omega = new double[candidates.length];
        for (int c = 0; c < omega.length; c++) {
            for (final int i : used[candidates[c]]) {
                if (job.get(i) != null) {
                    omega[c] += weights[i];
                }
            }
        }
        return omega;
    }

    private double[] psi(final int[] candidates, final long[] gamma) {
        long sum = 0;
        for (final long executed : gamma) {
            sum += executed;
        }
        final double[] psi = new double[candidates.length];
        for (int c = 0; c < psi.length; c++) {
            psi[c] = sum == 0 ? 1.0 / used.length : (double) gamma[candidates[c]] / sum;
        }
        return psi;
    }

    private static int[] keepLargest(final int[] left, final double[] values, final double delta) {
        if (left.length == 1) {
            return left;
        }
        double largest = Double.NEGATIVE_INFINITY;
        for (final int c : left) {
            largest = Math.max(largest, values[c]);
        }
        final int[] kept = new int[left.length];
        int count = 0;
        for (final int c : left) {
            if (largest - values[c] <= delta + TOLERANCE) {
                kept[count++] = c;
            }
        }
        return count == kept.length ? kept : Arrays.copyOf(kept, count);
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
