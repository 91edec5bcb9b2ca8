package io.millrace.lab.planners.bench;

import io.millrace.decide.IgnoredRecords;
import io.millrace.migration.ManageGlobalJobs;
import io.millrace.migration.domain.LogChange;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** migration-service in front of clusters that answer at once: no broker and no waiting, so that only its own work is measured. */
final class SimulatedCentre {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    /** Processor time, so that other work of the machine does not count. */
    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

    private static final int USERS = 1000;
    private static final int[] CORES = {1, 2, 4, 8, 16, 32, 64};
    private static final int[] HOURS = {1, 4, 12, 24};
    /** Every cluster publishes a revision this often. */
    private static final int POLL_SECONDS = 5;

    private final ManageGlobalJobs migration = new ManageGlobalJobs(policy(), new IgnoredRecords());
    private final RandomGenerator random;
    private final List<SimulatedQueue> clusters = new ArrayList<>();
    private final List<Transfer> requested = new ArrayList<>();
    private final List<Long> decisions_ns = new ArrayList<>();
    private Instant now = BEGIN;
    private long submitted;
    private long offset;
    private long placements;
    private long service_ns;

    /** @param runTime_s mean run time of a job */
    SimulatedCentre(final int clusters, final int cores, final int runTime_s, final RandomGenerator random) {
        this.random = random;
        for (int i = 0; i < clusters; i++) {
            this.clusters.add(new SimulatedQueue(ClusterId.of("c" + i), cores, runTime_s));
        }
        this.clusters.forEach(cluster -> observe(cluster));
        decide();
    }

    /** The defaults, but waiting jobs stay at Millrace. */
    private static MigrationPolicy policy() {
        return MigrationPolicy.DEFAULT.withQueueAfter(Duration.ofDays(30));
    }

    /** Submits jobs, and decides once. */
    void submit(final int count) {
        final List<JobSubmitted> jobs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            jobs.add(job());
        }
        measure(() -> jobs.forEach(migration::submitted));
        decide();
    }

    private JobSubmitted job() {
        final int user = random.nextInt(USERS);
        final GlobalJobId id = GlobalJobId.of("01J%023d".formatted(submitted++));
        final JobSpec spec = new JobSpec(
                "job",
                "#!/bin/sh\n",
                null,
                Resources.cores(CORES[random.nextInt(CORES.length)]),
                Duration.ofHours(HOURS[random.nextInt(HOURS.length)]),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        return new JobSubmitted(
                id,
                1,
                UserName.of("u" + user),
                spec,
                clusters.get(user % clusters.size()).id(),
                "/home/u" + user,
                null,
                now,
                "signed");
    }

    /** One second: transfers and commands are answered, jobs end, and a fifth of the clusters publishes a revision. */
    void second() {
        now = now.plusSeconds(1);
        final List<Transfer> arrived = List.copyOf(requested);
        requested.clear();
        measure(() -> arrived.forEach(migration::transferred));
        decide();
        for (int i = (int) (now.getEpochSecond() % POLL_SECONDS); i < clusters.size(); i += POLL_SECONDS) {
            observe(clusters.get(i));
            decide();
        }
    }

    private void observe(final SimulatedQueue cluster) {
        final List<Event> news = new ArrayList<>();
        final List<String> gone = new ArrayList<>();
        cluster.poll(now, offset, random, news, gone);
        measure(() -> {
            gone.forEach(key -> migration.removed(cluster.id(), key));
            news.forEach(this::deliver);
        });
    }

    private void deliver(final Event event) {
        switch (event) {
            case RunEnded end -> migration.ended(end);
            case Outcome outcome -> migration.answered(outcome);
            case ClusterStateEvent seen -> migration.observed(seen);
            default -> throw new IllegalArgumentException("a cluster does not write " + event);
        }
    }

    private void decide() {
        for (List<LogChange> changes = decideOnce(); !changes.isEmpty(); changes = decideOnce()) {
            for (final LogChange change : changes) {
                if (change instanceof LogChange.Publish publish) {
                    written(publish.event());
                }
            }
        }
    }

    private List<LogChange> decideOnce() {
        final long begin = THREAD.getCurrentThreadCpuTime();
        final List<LogChange> changes = migration.decide(now);
        final long took = THREAD.getCurrentThreadCpuTime() - begin;
        service_ns += took;
        decisions_ns.add(took);
        return changes;
    }

    private void written(final Event event) {
        offset++;
        switch (event) {
            case Command command -> {
                measure(() -> migration.issued(command, offset));
                clusters.get(Integer.parseInt(command.cluster().value().substring(1)))
                        .take(command);
            }
            case GlobalJob job -> {
                measure(() -> migration.recorded(job));
                if (job.state() instanceof GlobalJobState.Uploading
                        || job.state() instanceof GlobalJobState.Submitted s && s.localJob() == null && inPlace(job)) {
                    placements++;
                }
            }
            case Request.TransferRequested transfer -> requested.add(verified(transfer));
            default -> {}
        }
    }

    private static boolean inPlace(final GlobalJob job) {
        return job.attempts().getLast().cluster().equals(job.submission().source());
    }

    private Transfer verified(final Request.TransferRequested asked) {
        final AttemptId attempt = asked.attempt();
        return new Transfer(
                asked.id(),
                attempt,
                asked.owner(),
                asked.from(),
                asked.to(),
                new TransferState.Verified("1 file"),
                now,
                asked.signature());
    }

    private void measure(final Runnable work) {
        final long begin = THREAD.getCurrentThreadCpuTime();
        work.run();
        service_ns += THREAD.getCurrentThreadCpuTime() - begin;
    }

    /** Starts the measurement again. */
    void reset() {
        placements = 0;
        service_ns = 0;
        decisions_ns.clear();
    }

    long placements() {
        return placements;
    }

    long waiting() {
        return migration.liveByState().getOrDefault("Waiting", 0L);
    }

    double serviceSeconds() {
        return service_ns / 1e9;
    }

    /** The time below which so many of a thousand decisions stayed, in milliseconds. */
    double decisionMillis(final int permille) {
        final long[] sorted =
                decisions_ns.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1L) * permille / 1000)] / 1e6;
    }
}
