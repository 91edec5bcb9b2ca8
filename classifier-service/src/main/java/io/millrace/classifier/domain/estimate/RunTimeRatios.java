package io.millrace.classifier.domain.estimate;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.policy.RunTimeRatio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much longer jobs run on one cluster than on another (k_run of Bychkov et al. 2013), from programs that ran on both: jobs of the same
 * user and name, with the same number of cores. Each program counts once, by its median run times; the ratio is the median of all
 * programs, so that a few programs that changed do not matter.
 */
public final class RunTimeRatios {

    /** With fewer programs, the ratio says more about them than about the clusters. */
    static final int LEAST_PROGRAMS = 10;

    /** Runs of a program on each of the two clusters. */
    static final int LEAST_RUNS = 3;

    private static final int KEPT_RUNS = 9;
    private static final int KEPT_PROGRAMS = 20_000;
    /** In shorter runs, starting a job takes a large part. */
    private static final long SHORTEST_S = 10;

    private record Program(String user, String name, int cores) {}

    private record Pair(ClusterId from, ClusterId to) {}

    /** The program that was not used for the longest time is forgotten first. */
    private final Map<Program, Map<ClusterId, RecentRuns>> programs = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<Program, Map<ClusterId, RecentRuns>> eldest) {
            return size() > KEPT_PROGRAMS;
        }
    };

    /** Only successful runs count: the others end at any time. */
    public void ended(final RunEnded end) {
        if (end.startedAt() == null || !(end.outcome() instanceof RunOutcome.Exited exited) || exited.exitCode() != 0) {
            return;
        }
        final long ran_s = Duration.between(end.startedAt(), end.endedAt()).toSeconds();
        if (ran_s >= SHORTEST_S && !end.name().isEmpty()) {
            programs.computeIfAbsent(
                            new Program(
                                    end.owner().value(),
                                    end.name(),
                                    end.resources().cores()),
                            p -> new TreeMap<>())
                    .computeIfAbsent(end.cluster(), c -> new RecentRuns(KEPT_RUNS))
                    .add(ran_s);
        }
    }

    /** The ratio of each pair of clusters, in both directions, that enough programs ran on; rounded, so that it changes rarely. */
    public List<RunTimeRatio> measured() {
        final Map<Pair, List<Double>> ratios = new LinkedHashMap<>();
        programs.values()
                .forEach(byCluster -> byCluster.forEach((from, there) -> byCluster.forEach((to, here) -> {
                    if (!from.equals(to) && there.size() >= LEAST_RUNS && here.size() >= LEAST_RUNS) {
                        ratios.computeIfAbsent(new Pair(from, to), p -> new ArrayList<>())
                                .add((double) median_s(here) / median_s(there));
                    }
                })));
        return ratios.entrySet().stream()
                .filter(entry -> entry.getValue().size() >= LEAST_PROGRAMS)
                .map(entry -> ratio(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(RunTimeRatio::from).thenComparing(RunTimeRatio::to))
                .toList();
    }

    private static long median_s(final RecentRuns runs) {
        return runs.ranked_s((runs.size() + 1) / 2);
    }

    private static RunTimeRatio ratio(final Pair pair, final List<Double> all) {
        all.sort(Comparator.naturalOrder());
        final double median = all.get(all.size() / 2);
        return new RunTimeRatio(pair.from, pair.to, Math.max(1, 5 * (int) Math.round(median * 20)), all.size());
    }
}
