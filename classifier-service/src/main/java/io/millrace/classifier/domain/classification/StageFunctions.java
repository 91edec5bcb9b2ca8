package io.millrace.classifier.domain.classification;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.StageRule;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The functions rho, sigma, omega and psi, and the reduction of the candidates by their values. */
final class StageFunctions {

    /** Sums of doubles may differ by their order. */
    private static final double TOLERANCE = 1e-12;

    private final ClassModel model;
    /** For each class, the indexes of the characteristics that it uses. */
    private final int[][] used;
    /** The same as bits. */
    private final long[][] usedBits;
    /** For each class, its mandatory characteristics as bits. */
    private final long[][] mandatoryBits;
    /** The distinct n_j: how many characteristics a class uses. */
    private final int[] sizes;
    /** For each of them, the classes that use so many. */
    private final long[][] bySize;

    private final int[] ranks;
    private final double[] weights;
    /** For each characteristic, k times the sum of the distinct ranks below its own. */
    private final long[] bonus;
    /** For each class, sigma and omega of a job that gives all of its characteristics. */
    private final double[] fullSigma;

    private final double[] fullOmega;

    StageFunctions(final ClassModel model) {
        this.model = model;
        final List<Characteristic> all = model.characteristics();
        used = model.classes().stream()
                .map(one -> indexes(all, name -> one.domain(name) != null))
                .toArray(int[][]::new);
        usedBits = Arrays.stream(used).map(by -> bits(all.size(), by)).toArray(long[][]::new);
        mandatoryBits = model.classes().stream()
                .map(one -> bits(all.size(), indexes(all, one.mandatory()::containsKey)))
                .toArray(long[][]::new);
        sizes = Arrays.stream(used).mapToInt(by -> by.length).distinct().toArray();
        bySize = Arrays.stream(sizes).mapToObj(this::classesOfSize).toArray(long[][]::new);
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
        fullSigma = Arrays.stream(used).mapToDouble(by -> sigma(by, i -> true)).toArray();
        fullOmega = Arrays.stream(used).mapToDouble(by -> omega(by, i -> true)).toArray();
    }

    private static long[] bits(final int characteristics, final int... indexes) {
        final long[] bits = ClassMask.empty(characteristics);
        Arrays.stream(indexes).forEach(i -> ClassMask.add(bits, i));
        return bits;
    }

    private long[] classesOfSize(final int size) {
        final long[] classes = ClassMask.empty(used.length);
        IntStream.range(0, used.length).filter(j -> used[j].length == size).forEach(j -> ClassMask.add(classes, j));
        return classes;
    }

    private static int[] indexes(final List<Characteristic> all, final Predicate<String> isIncluded) {
        return IntStream.range(0, all.size())
                .filter(i -> isIncluded.test(all.get(i).name()))
                .toArray();
    }

    /** Applies the stages of the model to the candidates, of which there is at least one. */
    Classification reduce(
            final GivenDomains job, final int[] candidates, final ClassTally satisfied, final SimilarJobs history) {
        final List<StageRule> stages = model.stages();
        final double[][] values = new double[stages.size()][];
        final int[] remaining = new int[stages.size()];
        final int[] left = positions(candidates.length);
        int count = left.length;
        for (int s = 0; s < remaining.length; s++) {
            final StageRule rule = stages.get(s);
            values[s] = switch (rule.stage()) {
                case RHO -> rho(candidates, satisfied);
                case SIGMA -> sigma(job, candidates);
                case OMEGA -> omega(job, candidates);
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
    double share(final int jobClass, final ClassTally satisfied) {
        return (double) satisfied.count(jobClass) / used[jobClass].length;
    }

    /** How many characteristics exclude a class: mandatory ones that are not given, and used ones that are given but not satisfied. */
    int failed(final int jobClass, final GivenDomains job, final ClassTally satisfied) {
        final int given = job.count(usedBits[jobClass]);
        final int missing = ClassMask.size(mandatoryBits[jobClass]) - job.count(mandatoryBits[jobClass]);
        return missing + given - satisfied.count(jobClass);
    }

    private double[] rho(final int[] candidates, final ClassTally satisfied) {
        double sum = 0;
        for (int n = 0; n < sizes.length; n++) {
            sum += (double) satisfied.sum(bySize[n]) / sizes[n];
        }
        final double[] rho = new double[candidates.length];
        for (int c = 0; c < rho.length; c++) {
            rho[c] = share(candidates[c], satisfied) / sum;
        }
        return rho;
    }

    private double[] sigma(final GivenDomains job, final int[] candidates) {
        final double[] sigma = new double[candidates.length];
        for (int c = 0; c < sigma.length; c++) {
            final int j = candidates[c];
            sigma[c] = job.hasAll(usedBits[j]) ? fullSigma[j] : sigma(used[j], job::has);
        }
        return sigma;
    }

    /** A job satisfies every characteristic that both it and a candidate use, because chi excluded all other classes. */
    private double sigma(final int[] usedByClass, final IntPredicate isGiven) {
        long sum = 0;
        long bonusOfBest = 0;
        for (final int i : usedByClass) {
            if (isGiven.test(i)) {
                sum += ranks[i];
                bonusOfBest = Math.max(bonusOfBest, bonus[i]);
            }
        }
        return sum + bonusOfBest;
    }

    private double[] omega(final GivenDomains job, final int[] candidates) {
        final double[] omega = new double[candidates.length];
        for (int c = 0; c < omega.length; c++) {
            final int j = candidates[c];
            omega[c] = job.hasAll(usedBits[j]) ? fullOmega[j] : omega(used[j], job::has);
        }
        return omega;
    }

    private double omega(final int[] usedByClass, final IntPredicate isGiven) {
        double sum = 0;
        for (final int i : usedByClass) {
            if (isGiven.test(i)) {
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
            psi[c] = sum == 0 ? 1.0 / used.length : (double) gamma[candidates[c]] / sum;
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
