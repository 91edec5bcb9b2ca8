package io.millrace.lab.planners.experiment.classification;

import io.millrace.simulator.swf.SwfJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A stream of 62,249 jobs with the class counts of the paper's table 3. Cores, times and arrivals are assumptions: the paper does not
 * publish them.
 */
final class PaperStream {

    /** A row of tables 2 and 3; minutes are in (low, high], and in [1, 5] for small jobs. */
    record Row(String name, boolean parallel, double low, double high, int jobs, int movedInPaper) {}

    static final List<Row> ROWS = List.of(
            new Row("univariant-sequential-small", false, 1, 5, 10_221, 4_675),
            new Row("univariant-sequential-medium", false, 5, 60, 7_927, 5_861),
            new Row("univariant-sequential-large", false, 60, 2_880, 1_211, 972),
            new Row("univariant-parallel-small", true, 1, 5, 33_453, 492),
            new Row("univariant-parallel-medium", true, 5, 60, 6_125, 50),
            new Row("univariant-parallel-large", true, 60, 2_880, 3_312, 95));

    static final int CORES = 160;

    private PaperStream() {}

    /**
     * @param load requested by the jobs, relative to the capacity of the first cluster until the last submission
     * @return in the order of submission
     */
    static List<SwfJob> jobs(final long seed, final double load) {
        final Random random = new Random(seed);
        final List<Row> order = new ArrayList<>();
        ROWS.forEach(row -> order.addAll(Collections.nCopies(row.jobs(), row)));
        Collections.shuffle(order, random);
        final List<SwfJob> jobs = new ArrayList<>(order.size());
        double work = 0;
        for (final Row row : order) {
            final SwfJob job = job(row, jobs.size() + 1L, random);
            jobs.add(job);
            work += (double) job.run_s() * job.cores();
        }
        return submitted(jobs, work / CORES / load / jobs.size(), random);
    }

    private static SwfJob job(final Row row, final long id, final Random random) {
        final double minutes = row.low() * Math.pow(row.high() / row.low(), 1 - random.nextDouble());
        final long requested_s = Math.min(Math.round(row.high() * 60), (long) Math.floor(minutes * 60) + 1);
        final long run_s = Math.max(1, (long) (requested_s * (0.1 + 0.9 * random.nextDouble())));
        final int cores = row.parallel() ? 1 << 1 + random.nextInt(7) : 1;
        return new SwfJob(id, 0, run_s, cores, requested_s, -1, -1);
    }

    /** Exponential times between submissions. */
    private static List<SwfJob> submitted(final List<SwfJob> jobs, final double mean_s, final Random random) {
        final List<SwfJob> submitted = new ArrayList<>(jobs.size());
        double now_s = 0;
        for (final SwfJob job : jobs) {
            now_s -= mean_s * Math.log(1 - random.nextDouble());
            submitted.add(new SwfJob(
                    job.id(),
                    (long) now_s,
                    job.run_s(),
                    job.cores(),
                    job.requested_s(),
                    job.user(),
                    job.application()));
        }
        return submitted;
    }
}
