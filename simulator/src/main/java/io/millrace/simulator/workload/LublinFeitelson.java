package io.millrace.simulator.workload;

import io.millrace.simulator.swf.SwfJob;
import java.util.ArrayList;
import java.util.List;

/**
 * The model of Lublin and Feitelson ("The workload on parallel supercomputers", JPDC 2003) with its published parameters for all jobs: two-stage
 * uniform widths (many serial, many powers of two), run times whose logarithm is hyper-gamma and longer for wider jobs, gaps whose logarithm is
 * gamma, with a daily cycle. The model has no estimates and users: these are uniformly distributed.
 *
 * @param cores of the cluster
 * @param overestimate requested time / run time
 */
public record LublinFeitelson(int cores, int count, int users, Range overestimate) implements Workload {

    private static final double SERIAL = 0.244;
    private static final double POWER_OF_TWO = 0.576;
    private static final double LEAST = 0.8;
    private static final double MIDDLE_BELOW_MOST = 2.5;
    private static final double LOWER_STAGE = 0.86;

    private static final double LOG_RUN_MOST = 12;
    private static final double LOG_GAP_MOST = 13;
    private static final double GAP_SHAPE = 10.2303;
    private static final double GAP_SCALE = 0.4871;
    private static final double DAY_SHAPE = 8.1737;
    private static final double DAY_SCALE = 3.9631;
    private static final double RUSH_TO_ALL = 1.0225;
    private static final int BUCKETS = 48;
    private static final int BUCKET_S = 1800;
    /** The day begins at half past five. */
    private static final int FIRST_BUCKET = 11;

    @Override
    public List<SwfJob> jobs(final long seed) {
        final RandomDistributions random = new RandomDistributions(seed);
        final double[] rhythm = rhythm();
        final List<SwfJob> jobs = new ArrayList<>(count);
        long bucket = FIRST_BUCKET;
        double points = 0;
        for (int i = 0; i < count; i++) {
            points += gap(random) / BUCKET_S;
            while (points > rhythm[(int) (bucket % BUCKETS)]) {
                points -= rhythm[(int) (bucket % BUCKETS)];
                bucket++;
            }
            final double within = points / rhythm[(int) (bucket % BUCKETS)];
            final long submit = (long) ((bucket - FIRST_BUCKET + within) * BUCKET_S);
            final int width = width(random);
            final long run = run(random, width);
            final long requested = (long) Math.ceil(run * overestimate.draw(random));
            jobs.add(new SwfJob(i + 1, submit, run, width, requested, 1 + random.below(users), -1));
        }
        return jobs;
    }

    private int width(final RandomDistributions random) {
        final double kind = random.uniform();
        if (kind <= SERIAL || cores == 1) {
            return 1;
        }
        final double most = StrictMath.log(cores) / StrictMath.log(2);
        final double middle = Math.max(LEAST, most - MIDDLE_BELOW_MOST);
        final double low = Math.min(LEAST, most);
        final double log2 = random.uniform() <= LOWER_STAGE
                ? low + (Math.min(middle, most) - low) * random.uniform()
                : middle + (Math.max(most, middle) - middle) * random.uniform();
        final double exact = kind <= SERIAL + POWER_OF_TWO ? StrictMath.floor(log2 + 0.5) : log2;
        return (int) Math.clamp((long) (StrictMath.pow(2, exact) + 0.5), 1, cores);
    }

    private static long run(final RandomDistributions random, final int width) {
        final double shortOnes = Math.clamp(-0.0054 * width + 0.78, 0, 1);
        double log;
        do {
            log = random.hyperGamma(4.2, 0.94, 312, 0.03, shortOnes);
        } while (log > LOG_RUN_MOST);
        return Math.max(1, (long) StrictMath.exp(log));
    }

    private static double gap(final RandomDistributions random) {
        double log;
        do {
            log = random.gamma(GAP_SHAPE, GAP_SCALE * RUSH_TO_ALL);
        } while (log > LOG_GAP_MOST);
        return StrictMath.exp(log);
    }

    /** The relative load of each half hour of the day; 1 on average. */
    private static double[] rhythm() {
        final double[] rhythm = new double[BUCKETS];
        double sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            final double share = density(i + 0.5);
            rhythm[(FIRST_BUCKET + i) % BUCKETS] = share;
            sum += share;
        }
        for (int i = 0; i < BUCKETS; i++) {
            rhythm[i] = Math.max(1e-3, rhythm[i] * BUCKETS / sum);
        }
        return rhythm;
    }

    /** The density of the gamma distribution, up to a factor; evaluated at the middle of a half hour. */
    private static double density(final double x) {
        return StrictMath.exp((DAY_SHAPE - 1) * StrictMath.log(x) - x / DAY_SCALE);
    }
}
