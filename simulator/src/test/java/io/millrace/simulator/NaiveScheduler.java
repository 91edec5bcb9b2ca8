package io.millrace.simulator;

import io.millrace.simulator.swf.SwfJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * FCFS and EASY written down a second time, second by second and without any of the production classes: slow, and short enough to be
 * believed. Gives the start of each job.
 */
final class NaiveScheduler {

    private final int cores;
    private final boolean backfill;
    private final boolean pyss;
    private final List<SwfJob> queue = new ArrayList<>();
    private final Map<SwfJob, Long> running = new LinkedHashMap<>();
    private final Map<Long, Long> starts = new HashMap<>();

    NaiveScheduler(final int cores, final boolean backfill, final boolean pyss) {
        this.cores = cores;
        this.backfill = backfill;
        this.pyss = pyss;
    }

    Map<Long, Long> run(final List<SwfJob> trace) {
        final TreeSet<Long> times =
                new TreeSet<>(trace.stream().map(SwfJob::submit_s).toList());
        while (!times.isEmpty()) {
            final long now = times.pollFirst();
            final int before = starts.size();
            if (!pyss) {
                running.keySet().removeIf(job -> end(job) <= now);
            }
            for (final SwfJob job : trace) {
                if (job.submit_s() == now && !starts.containsKey(job.id()) && !queue.contains(job)) {
                    queue.add(job);
                    if (pyss && job.cores() <= free(now)) {
                        pass(now);
                    }
                }
            }
            if (pyss) {
                final List<SwfJob> ending =
                        running.keySet().stream().filter(job -> end(job) == now).toList();
                for (final SwfJob job : ending) {
                    running.remove(job);
                    pass(now);
                }
            } else {
                pass(now);
            }
            running.keySet().forEach(job -> times.add(Math.max(now, end(job))));
            if (starts.size() == before) {
                times.remove(now);
            }
        }
        return starts;
    }

    private static long run(final SwfJob job) {
        return Math.min(job.run_s(), job.requested_s());
    }

    private long end(final SwfJob job) {
        return running.get(job) + run(job);
    }

    private int free(final long at) {
        int busy = 0;
        for (final SwfJob job : running.keySet()) {
            final boolean limitOver = running.get(job) + job.requested_s() <= at;
            busy += pyss && limitOver ? 0 : job.cores();
        }
        return cores - busy;
    }

    private void start(final SwfJob job, final long now) {
        queue.remove(job);
        running.put(job, now);
        starts.put(job.id(), now);
    }

    private void pass(final long now) {
        while (!queue.isEmpty() && queue.getFirst().cores() <= free(now)) {
            start(queue.getFirst(), now);
        }
        if (queue.isEmpty() || !backfill) {
            return;
        }
        final SwfJob head = queue.getFirst();
        int then = free(now);
        long shadow = now;
        final List<SwfJob> byEnd = running.keySet().stream()
                .filter(job -> !pyss || running.get(job) + job.requested_s() > now)
                .sorted(Comparator.comparingLong(job -> running.get(job) + job.requested_s()))
                .toList();
        for (int i = 0; i < byEnd.size(); i++) {
            then += byEnd.get(i).cores();
            shadow = running.get(byEnd.get(i)) + byEnd.get(i).requested_s();
            final boolean last = i + 1 == byEnd.size()
                    || running.get(byEnd.get(i + 1)) + byEnd.get(i + 1).requested_s() > shadow;
            if (last && then >= head.cores()) {
                break;
            }
        }
        int extra = then - head.cores();
        for (final SwfJob job : List.copyOf(queue).subList(1, queue.size())) {
            final boolean inTime = now + job.requested_s() <= shadow;
            if (job.cores() <= free(now) && (inTime || job.cores() <= extra)) {
                extra -= inTime ? 0 : job.cores();
                start(job, now);
            }
        }
    }
}
