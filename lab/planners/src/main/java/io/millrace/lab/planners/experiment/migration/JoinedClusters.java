package io.millrace.lab.planners.experiment.migration;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.attempt.TransferStates;
import io.millrace.migration.domain.attempt.TransferTimes;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.GlobalJobLifecycle;
import io.millrace.migration.domain.job.GlobalJobs;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.migration.domain.plan.JobPlacement;
import io.millrace.migration.domain.plan.PlacementPass;
import io.millrace.migration.domain.plan.PlanView;
import io.millrace.migration.domain.view.CheapestPlacement;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.TargetRule;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.transfer.Place;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;

/**
 * Clusters of equal size whose waiting jobs migration-service's own {@link PlacementPass} places in hourly rounds. Waiting jobs stay at
 * Millrace. One cluster alone is a queue with first fit.
 */
final class JoinedClusters {

    /** A job of the batch. */
    record Job(int submit_h, int source, int cores, int hours) {}

    /**
     * @param idle the share of all cores that ran no job, from 0 to 1
     * @param wait_h mean time from submission to the start of the run
     * @param moved share of the jobs that ran on another cluster than their own
     */
    record Result(double idle, double wait_h, double moved) {}

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration NEVER = Duration.ofDays(10_000);

    private record End(int at_h, int cluster, int cores, JobKey job) {}

    private final List<ClusterId> clusters;
    private final int cores;
    private final int transfer_h;
    private final int[] used;
    private final TargetClusters view = new TargetClusters();
    private final GlobalJobs jobs = new GlobalJobs();
    private final MigrationPolicy policy;
    private final PlanView planView;
    private final Map<GlobalJobId, Job> batch = new HashMap<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingInt(End::at_h));
    private long revision;
    private long busy_coreHours;
    private long wait_h;
    private int started;
    private int moved;

    /** @param transfer_h hours from a placement on another cluster to the start of the run there; the cores are promised meanwhile */
    JoinedClusters(final List<ClusterId> clusters, final int cores, final TargetRule rule, final int transfer_h) {
        this.clusters = clusters;
        this.cores = cores;
        this.transfer_h = transfer_h;
        this.used = new int[clusters.size()];
        policy = MigrationPolicy.DEFAULT
                .withPerformanceOrder(clusters)
                .withQueueAfter(NEVER)
                .withRule(rule, Map.of());
        planView = new PlanView(
                view, jobs.placed(), jobs.waiting(), times(), new CheapestPlacement(), PlacementTable.EMPTY);
    }

    /** The measured transfer times that the rules see: the same between any two clusters. */
    private TransferTimes times() {
        final TransferStates transfers = new TransferStates();
        for (final ClusterId from : clusters) {
            for (final ClusterId to : clusters) {
                if (transfer_h > 0 && !from.equals(to)) {
                    transfers.read(transfer(from, to, new TransferState.Copying(0), BEGIN));
                    transfers.read(transfer(from, to, new TransferState.Verified("measured"), at(transfer_h)));
                }
            }
        }
        return transfers.times();
    }

    private static Transfer transfer(
            final ClusterId from, final ClusterId to, final TransferState state, final Instant since) {
        return new Transfer(
                TransferId.of(from + "/" + to),
                id(0).attempt(1),
                UserName.of("user"),
                new Place(from, null, "/home"),
                new Place(to, null, "/staging"),
                state,
                since,
                "signature");
    }

    private static Instant at(final int hour) {
        return BEGIN.plus(Duration.ofHours(hour));
    }

    private static GlobalJobId id(final int number) {
        return GlobalJobId.of("01J%023d".formatted(number));
    }

    /** @param all in order of submission; the sources are numbers of these clusters */
    Result run(final List<Job> all, final int hours) {
        int next = 0;
        for (int hour = 0; hour < hours; hour++) {
            for (End end = ends.peek(); end != null && end.at_h() <= hour; end = ends.peek()) {
                final End over = ends.remove();
                used[over.cluster()] -= over.cores();
                view.of(clusters.get(over.cluster())).vanished(JobObserved.keyOf(over.job()));
            }
            while (next < all.size() && all.get(next).submit_h() <= hour) {
                submit(all.get(next), next++, at(hour));
            }
            for (int i = 0; i < used.length; i++) {
                view.of(clusters.get(i)).observed(marker(i, at(hour)));
            }
            for (final JobPlacement placement :
                    new PlacementPass(planView, policy, at(hour)).plan().placements()) {
                place(placement, hour, hours);
            }
        }
        final double available = (double) used.length * cores * hours;
        return new Result(
                1 - busy_coreHours / available,
                started == 0 ? 0 : wait_h / (double) started,
                started == 0 ? 0 : moved / (double) started);
    }

    private void submit(final Job job, final int number, final Instant now) {
        final JobSpec spec = new JobSpec(
                "job",
                "#!/bin/sh\n",
                null,
                Resources.cores(job.cores()),
                Duration.ofHours(job.hours()),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        final JobSubmitted submission = new JobSubmitted(
                id(number), 1, UserName.of("user"), spec, clusters.get(job.source()), "/home", null, now, "signed");
        batch.put(submission.job(), job);
        jobs.put(GlobalJobLifecycle.accepted(submission, now));
    }

    private void place(final JobPlacement placement, final int hour, final int hours) {
        final GlobalJob job = placement.job();
        if (!(placement.fact() instanceof JobFact.Placed placed)) {
            throw new IllegalStateException("job " + job.id() + " cannot run on any cluster: " + placement.fact());
        }
        final Job one = Objects.requireNonNull(batch.remove(job.id()));
        final int target = clusters.indexOf(placed.cluster());
        final int start_h = hour + (target == one.source() ? 0 : transfer_h);
        final JobKey local = new JobKey(new JobId(placed.cluster(), job.id().value()), at(hour));
        used[target] += one.cores();
        if (used[target] > cores) {
            throw new IllegalStateException(
                    placed.cluster() + " would run " + used[target] + " of " + cores + " cores");
        }
        ends.add(new End(start_h + one.hours(), target, one.cores(), local));
        view.of(placed.cluster()).observed(running(local, one, at(start_h)));
        busy_coreHours += (long) one.cores() * Math.max(0, Math.min(hours, start_h + one.hours()) - start_h);
        wait_h += start_h - one.submit_h();
        started++;
        moved += target == one.source() ? 0 : 1;
        forget(job, placed, at(hour));
    }

    /** The run is in the view of its cluster now: the promise to the attempt is kept. */
    private void forget(final GlobalJob job, final JobFact.Placed placed, final Instant now) {
        final GlobalJob onItsWay = GlobalJobLifecycle.after(job, placed, now).orElseThrow();
        jobs.put(onItsWay);
        jobs.put(GlobalJobLifecycle.after(onItsWay, new JobFact.AttemptFailed("simulated", false), now)
                .orElseThrow());
    }

    private static JobObserved running(final JobKey local, final Job job, final Instant start) {
        return new JobObserved(
                local,
                "job",
                UserName.of("user"),
                null,
                PartitionName.of("main"),
                new JobState.Running(start, List.of()),
                null,
                Resources.cores(job.cores()),
                Duration.ofHours(job.hours()),
                Eligibility.since(start),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private RevisionClosed marker(final int cluster, final Instant now) {
        return new RevisionClosed(
                clusters.get(cluster),
                ++revision,
                now,
                new WlmHealth.Answering(),
                Control.NATIVE,
                "simulated",
                Resources.cores(cores),
                Resources.cores(cores - used[cluster]),
                EnumSet.of(Capability.TRANSFER),
                0,
                "/staging",
                null,
                Map.of());
    }
}
