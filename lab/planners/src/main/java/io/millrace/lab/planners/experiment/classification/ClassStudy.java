package io.millrace.lab.planners.experiment.classification;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.plan.Classifier;
import io.millrace.classifier.file.ModelFile;
import io.millrace.simulator.BackfillScheduler;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Scenario;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.swf.SwfJob;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The study of Bychkov et al. (2013): jobs of one cluster are classified, and some of them move to two slower clusters that suit their
 * class. A job moves only if it stays in its class there, and a large one only if it does not run longer than a day.
 */
final class ClassStudy {

    /** Table 1; cores and the slow-down factor k_run. */
    record Cluster(String name, int cores, int slowdown) {}

    /**
     * The result of one stream of jobs.
     *
     * @param jobs number of jobs of each class, in the order of the model
     * @param movable of these, the jobs that may move under the rule
     * @param moved of these, the jobs that were moved, because they wait less there
     */
    record Result(
            Map<String, Integer> jobs,
            Map<String, Integer> movable,
            Map<String, Integer> moved,
            int unclassified,
            Schedule alone,
            Schedule together) {}

    /**
     * What a schedule achieves.
     *
     * @param utilisation share of the cores of all clusters that is occupied until the last job ends
     */
    record Schedule(double utilisation, double meanWait_s, double makespan_s) {}

    static final List<Cluster> OTHERS = List.of(new Cluster("mvs-1000-16", 32, 3), new Cluster("workstations", 12, 2));

    private static final double DAY_MIN = 1440;

    private final Classifier classifier = new Classifier(model());
    private final List<Cluster> clusters = new ArrayList<>();

    ClassStudy(final int cores) {
        clusters.add(new Cluster("blackford", cores, 1));
        clusters.addAll(OTHERS);
    }

    private static ClassModel model() {
        try (InputStream in = Classifier.class.getResourceAsStream("/model.yaml")) {
            if (in == null) {
                throw new IllegalStateException("the shipped model is missing from this build");
            }
            return ModelFile.parse("model.yaml", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Result run(final List<SwfJob> trace) {
        final Map<String, Integer> jobs = new LinkedHashMap<>();
        final Map<String, Integer> movable = new LinkedHashMap<>();
        final Map<String, Integer> moved = new LinkedHashMap<>();
        classifier.model().classes().forEach(one -> jobs.put(one.name(), 0));
        int unclassified = 0;
        final Backlog backlog = new Backlog(clusters);
        final Map<Long, Integer> targets = new LinkedHashMap<>();
        for (final SwfJob job : trace) {
            final String jobClass = classOf(job, 1);
            final List<Integer> suitable = jobClass.isEmpty() ? List.of() : suitable(job, jobClass);
            final int target = backlog.assign(job, suitable);
            targets.put(job.id(), target);
            unclassified += jobClass.isEmpty() ? 1 : 0;
            jobs.computeIfPresent(jobClass, (name, count) -> count + 1);
            movable.merge(jobClass, suitable.isEmpty() ? 0 : 1, Integer::sum);
            moved.merge(jobClass, target > 0 ? 1 : 0, Integer::sum);
        }
        return new Result(jobs, movable, moved, unclassified, simulate(trace, Map.of()), simulate(trace, targets));
    }

    /** Empty if it has none. */
    private String classOf(final SwfJob job, final int slowdown) {
        return classifier
                .classify(classifier.given(Map.of(
                        "variants", NumberRange.exactly(1),
                        "cores", NumberRange.exactly(job.cores()),
                        "minutes", NumberRange.exactly(job.requested_s() * slowdown / 60.0))))
                .classes()
                .stream()
                .findFirst()
                .orElse("");
    }

    /** The other clusters that the job may move to. */
    private List<Integer> suitable(final SwfJob job, final String jobClass) {
        final List<Integer> suitable = new ArrayList<>();
        for (int c = 1; c < clusters.size(); c++) {
            final int slowdown = clusters.get(c).slowdown();
            if (suits(c, jobClass)
                    && job.cores() <= clusters.get(c).cores()
                    && classOf(job, slowdown).equals(jobClass)
                    && (!jobClass.endsWith("large") || job.requested_s() * slowdown / 60.0 <= DAY_MIN)) {
                suitable.add(c);
            }
        }
        return suitable;
    }

    /** Sequential classes suit both other clusters, parallel ones only the one with an interconnect. */
    private static boolean suits(final int cluster, final String jobClass) {
        return cluster == 1 || jobClass.contains("sequential");
    }

    private Schedule simulate(final List<SwfJob> trace, final Map<Long, Integer> targets) {
        final List<SwfJob> placed = trace.stream()
                .map(job -> slowed(
                        job, clusters.get(targets.getOrDefault(job.id(), 0)).slowdown()))
                .toList();
        final List<SimulatedJob> ended = Simulation.run(
                placed,
                new Scenario(
                        clusters.stream().map(ClassStudy::site).toList(),
                        job -> targets.getOrDefault(job.id(), 0),
                        EventOrder.PASS_PER_INSTANT,
                        List.of(),
                        Scenario.Staging.NONE,
                        0,
                        1));
        final long first = trace.getFirst().submit_s();
        final long last = ended.stream().mapToLong(SimulatedJob::end_s).max().orElse(first);
        final int cores = clusters.stream().mapToInt(Cluster::cores).sum();
        final double busy = ended.stream()
                .mapToDouble(job -> (double) job.run_s() * job.cores())
                .sum();
        return new Schedule(
                busy / ((double) cores * (last - first)),
                ended.stream().mapToLong(SimulatedJob::wait_s).average().orElse(0),
                last - first);
    }

    private static Scenario.Site site(final Cluster cluster) {
        return new Scenario.Site(
                cluster.name(),
                cluster.cores(),
                () -> new BackfillScheduler(cluster.cores(), BackfillPolicy.EASY_FCFS, false));
    }

    private static SwfJob slowed(final SwfJob job, final int slowdown) {
        return new SwfJob(
                job.id(),
                job.submit_s(),
                job.run_s() * slowdown,
                job.cores(),
                job.requested_s() * slowdown,
                job.user(),
                job.application());
    }

    /** Estimates how long a job waits on each cluster, from the work that was assigned to it before. */
    private static final class Backlog {

        private final List<Cluster> clusters;
        /** When the work assigned so far would end if it were spread over all cores. */
        private final double[] end_s;

        private Backlog(final List<Cluster> clusters) {
            this.clusters = clusters;
            end_s = new double[clusters.size()];
        }

        /** @return the cluster with the earliest estimated end: the first one, or a suitable one */
        private int assign(final SwfJob job, final List<Integer> suitable) {
            int best = 0;
            for (final int c : suitable) {
                if (end(job, c) < end(job, best)) {
                    best = c;
                }
            }
            final Cluster chosen = clusters.get(best);
            end_s[best] = Math.max(end_s[best], job.submit_s())
                    + (double) job.requested_s() * chosen.slowdown() * job.cores() / chosen.cores();
            return best;
        }

        private double end(final SwfJob job, final int cluster) {
            return Math.max(end_s[cluster], job.submit_s())
                    + (double) job.requested_s() * clusters.get(cluster).slowdown();
        }
    }
}
