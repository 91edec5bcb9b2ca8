package io.millrace.simulator.workload;

import io.millrace.simulator.swf.SwfJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Jobs in whole hours, as in the published simulation of UPQPP: cores, run time, hour of submission and user are uniformly distributed. Jobs
 * are generated until the offered work is a given share of the cluster's capacity.
 *
 * @param width cores
 * @param length_h run time in hours, known in advance
 * @param cores of the cluster
 * @param hours within which jobs are submitted
 * @param load core-hours offered / (cores x hours)
 * @param campaign_h each user submits only within one period of this length; equal to {@code hours}: at any time
 */
public record HourlyJobs(Range width, Range length_h, int users, int cores, int hours, double load, int campaign_h)
        implements Workload {

    private static final long HOUR_S = 3600;

    @Override
    public List<SwfJob> jobs(final long seed) {
        final RandomDistributions random = new RandomDistributions(seed);
        final int[] from_h = new int[users];
        for (int user = 0; user < users; user++) {
            from_h[user] = random.below(hours - campaign_h + 1);
        }
        final List<SwfJob> drawn = new ArrayList<>();
        double open = load * cores * hours;
        while (open > 0) {
            final int width_ = (int) width.drawWhole(random);
            final long length = length_h.drawWhole(random);
            final int user = random.below(users);
            final long at_h = from_h[user] + random.below(campaign_h);
            drawn.add(new SwfJob(0, at_h * HOUR_S, length * HOUR_S, width_, length * HOUR_S, 1 + user, -1));
            open -= (double) width_ * length;
        }
        drawn.sort(Comparator.comparingLong(SwfJob::submit_s));
        final List<SwfJob> jobs = new ArrayList<>(drawn.size());
        for (final SwfJob job : drawn) {
            jobs.add(new SwfJob(
                    jobs.size() + 1, job.submit_s(), job.run_s(), job.cores(), job.requested_s(), job.user(), -1));
        }
        return jobs;
    }
}
