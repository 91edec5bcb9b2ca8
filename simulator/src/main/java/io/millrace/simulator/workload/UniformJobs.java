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
        final RandomDistributions random = new RandomDistributions(seed);
        final long[] times = arrivals.times_s(count, random);
        final List<SwfJob> jobs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            final long run = length_s.drawWhole(random);
            final int cores = (int) width.drawWhole(random);
            final long requested = (long) Math.ceil(run * overestimate.draw(random));
            jobs.add(new SwfJob(i + 1, times[i], run, cores, requested, 1 + random.below(users), -1));
        }
        return jobs;
    }
}
