package io.millrace.simulator.workload;

import io.millrace.simulator.swf.SwfJob;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs whose cores and run times are uniformly distributed in two ranges.
 *
 * @param overestimate requested time / run time
 */
public record UniformJobs(int count, int users, Range width, Range length_s, Arrivals arrivals, Range overestimate)
        implements Workload {

    @Override
    public List<SwfJob> jobs(final long seed) {
        final RandomDistributions chance = new RandomDistributions(seed);
        final long[] times = arrivals.times_s(count, chance);
        final List<SwfJob> jobs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            final long run = length_s.drawWhole(chance);
            final int cores = (int) width.drawWhole(chance);
            final long requested = (long) Math.ceil(run * overestimate.draw(chance));
            jobs.add(new SwfJob(i + 1, times[i], run, cores, requested, 1 + chance.below(users)));
        }
        return jobs;
    }
}
