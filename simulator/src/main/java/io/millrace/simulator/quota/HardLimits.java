package io.millrace.simulator.quota;

import io.millrace.simulator.ClusterScheduler;
import io.millrace.simulator.SimulatedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Hard limits, the scheme that quotas replace: a user never gets more than a fixed number of cores, even if others are idle. */
public final class HardLimits implements ClusterScheduler {

    private final int coresEach;
    private final long round_s;
    private final Map<Long, Integer> used = new HashMap<>();
    private final Set<SimulatedJob> waiting = new LinkedHashSet<>();
    private int idle;

    /** @param round_s jobs are considered at multiples of this time in seconds */
    public HardLimits(final int cores, final int coresEach, final long round_s) {
        this.idle = cores;
        this.coresEach = coresEach;
        this.round_s = round_s;
    }

    @Override
    public void submitted(final SimulatedJob job, final long now_s) {
        waiting.add(job);
    }

    @Override
    public void ended(final SimulatedJob job, final long now_s) {
        idle += job.cores();
        used.merge(job.user(), -job.cores(), Integer::sum);
    }

    @Override
    public void preempted(final SimulatedJob job, final long now_s) {
        throw new IllegalStateException("hard limits do not preempt jobs, but job " + job.id() + " was preempted");
    }

    @Override
    public void coresChanged(final int by, final long now_s) {
        idle += by;
    }

    @Override
    public Decisions decide(final long now_s) {
        final List<SimulatedJob> starts = new ArrayList<>();
        if (now_s % round_s == 0) {
            for (final Iterator<SimulatedJob> turn = waiting.iterator(); turn.hasNext(); ) {
                final SimulatedJob job = turn.next();
                if (hasRoomFor(job, now_s)) {
                    turn.remove();
                    idle -= job.cores();
                    used.merge(job.user(), job.cores(), Integer::sum);
                    starts.add(job);
                }
            }
        }
        return new Decisions(starts, List.of(), waiting.isEmpty() ? Long.MAX_VALUE : (now_s / round_s + 1) * round_s);
    }

    @Override
    public boolean hasRoomFor(final SimulatedJob job, final long now_s) {
        return job.cores() <= idle && used.getOrDefault(job.user(), 0) + job.cores() <= coresEach;
    }

    @Override
    public boolean startedBeforeTurn(final SimulatedJob job) {
        return false;
    }
}
