package io.millrace.quota.domain.reclaim;

import io.millrace.quota.domain.preemption.AllocatedJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The set of jobs of one account with the most cores that does not exceed the surplus. Exact, because a greedy selection can miss a
 * sufficient set. Takes at most jobs x surplus steps, and stops when a set meets the surplus exactly.
 */
final class LargestSubset {

    private final List<AllocatedJob> jobs;
    /** For each reachable sum: the last job of one set with this sum. */
    private final int[] lastJob;

    private final int largest;

    private LargestSubset(final List<AllocatedJob> jobs, final int[] lastJob, final int largest) {
        this.jobs = jobs;
        this.lastJob = lastJob;
        this.largest = largest;
    }

    static LargestSubset largest(final List<AllocatedJob> jobs, final int surplus) {
        final BitSet reached = new BitSet(surplus + 1);
        reached.set(0);
        final int[] lastJob = new int[surplus + 1];
        Arrays.fill(lastJob, -1);
        for (int j = 0; j < jobs.size() && !reached.get(surplus); j++) {
            final int cores = jobs.get(j).cores();
            if (cores > surplus) {
                continue;
            }
            for (int sum = reached.previousSetBit(surplus - cores); sum >= 0; sum = reached.previousSetBit(sum - 1)) {
                if (!reached.get(sum + cores)) {
                    reached.set(sum + cores);
                    lastJob[sum + cores] = j;
                }
            }
        }
        return new LargestSubset(jobs, lastJob, reached.previousSetBit(surplus));
    }

    int cores() {
        return largest;
    }

    /** One set of jobs with exactly {@link #cores()} cores. */
    List<AllocatedJob> jobs() {
        final List<AllocatedJob> chosen = new ArrayList<>();
        for (int sum = largest; sum > 0; sum -= jobs.get(lastJob[sum]).cores()) {
            chosen.add(jobs.get(lastJob[sum]));
        }
        return chosen;
    }
}
