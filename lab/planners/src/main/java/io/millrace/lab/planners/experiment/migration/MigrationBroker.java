package io.millrace.lab.planners.experiment.migration;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.attempt.TransferStates;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.GlobalJobLifecycle;
import io.millrace.migration.domain.job.GlobalJobs;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.migration.domain.plan.JobPlacement;
import io.millrace.migration.domain.plan.PlacementPass;
import io.millrace.migration.domain.plan.PlacementPlan;
import io.millrace.migration.domain.plan.PlanView;
import io.millrace.migration.domain.plan.Rescheduling;
import io.millrace.migration.domain.view.CheapestPlacement;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.PlacementTable;
import io.millrace.simulator.Broker;
import io.millrace.simulator.SimulatedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * migration-service's own {@link PlacementPass} and {@link Rescheduling} in front of simulated clusters: a job goes to its own cluster or
 * to another one that can start it now, or waits in the queue of its source cluster, from where it may move. Commands take effect at once, and files
 * need no time.
 */
final class MigrationBroker implements Broker {

    /** An attempt in the queue of a cluster, or running there. */
    private record Local(SimulatedJob job, int cluster, JobKey key) {}

    private record Release(long at_s, int cores) {}

    private final List<ClusterId> clusters;
    private final int[] cores;
    private final int[] used;
    /** Since the last revision. */
    private final boolean[] changed;
    /** Since the last prediction of starts. */
    private final boolean[] unpredicted;

    private final TargetClusters view = new TargetClusters();
    private final GlobalJobs jobs = new GlobalJobs();
    private final MigrationPolicy policy;
    private final PlanView planView;
    private final Rescheduling rescheduling;
    private final Map<GlobalJobId, SimulatedJob> simulated = new HashMap<>();
    private final Map<SimulatedJob, GlobalJobId> ids = new IdentityHashMap<>();
    private final Map<SimulatedJob, Local> locals = new IdentityHashMap<>();
    /** By cluster, in the order of the queue. */
    private final List<Map<SimulatedJob, Local>> waiting = new ArrayList<>();

    private final List<Map<SimulatedJob, Local>> running = new ArrayList<>();
    private long revision;
    private int number;

    MigrationBroker(final List<ClusterId> clusters, final int[] cores, final MigrationPolicy policy) {
        this.clusters = clusters;
        this.cores = cores.clone();
        this.used = new int[cores.length];
        this.changed = new boolean[cores.length];
        this.unpredicted = new boolean[cores.length];
        for (int c = 0; c < cores.length; c++) {
            changed[c] = true;
            waiting.add(new LinkedHashMap<>());
            running.add(new LinkedHashMap<>());
        }
        final TransferStates none = new TransferStates();
        this.policy = policy;
        planView = new PlanView(
                view, jobs.placed(), jobs.waiting(), none.times(), new CheapestPlacement(), PlacementTable.EMPTY);
        rescheduling = new Rescheduling(policy);
    }

    @Override
    public void submitted(final SimulatedJob job, final int home, final long now_s) {
        final GlobalJobId id = GlobalJobId.of("01J%023d".formatted(number++));
        final JobSpec spec = new JobSpec(
                "job",
                "#!/bin/sh\n",
                null,
                Resources.cores(job.cores()),
                Duration.ofSeconds(Math.max(1, job.requested_s())),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        final JobSubmitted submission = new JobSubmitted(
                id,
                1,
                UserName.of("u" + home + "-" + Math.max(0, job.user())),
                spec,
                clusters.get(home),
                "/home",
                null,
                at(now_s),
                "signed");
        simulated.put(id, job);
        ids.put(job, id);
        jobs.put(GlobalJobLifecycle.accepted(submission, at(now_s)));
    }

    @Override
    public void started(final SimulatedJob job, final long now_s) {
        final Local local = Objects.requireNonNull(locals.get(job));
        waiting.get(local.cluster).remove(job);
        running.get(local.cluster).put(job, local);
        used[local.cluster] += job.cores();
        observe(local, new JobState.Running(at(now_s), List.of()));
        view.of(clusters.get(local.cluster)).predicted(local.key, null);
    }

    @Override
    public void ended(final SimulatedJob job, final long now_s) {
        final Local local = Objects.requireNonNull(locals.remove(job));
        running.get(local.cluster).remove(job);
        used[local.cluster] -= job.cores();
        vanished(local);
        GlobalJob over = after(global(job), new JobFact.RunFinished(local.key, new RunOutcome.Exited(0)), at(now_s));
        if (over.state() instanceof GlobalJobState.Downloading) {
            over = after(over, new JobFact.ResultsReturned(), at(now_s));
        }
        jobs.put(over);
        simulated.remove(over.id());
        ids.remove(job);
    }

    @Override
    public Decisions decide(final long now_s) {
        final List<SimulatedJob> withdrawn = new ArrayList<>();
        final List<Assignment> assigned = new ArrayList<>();
        predict(now_s);
        closeRevisions(now_s);
        Optional<Instant> next = place(assigned, now_s);
        for (final Rescheduling.Move move : rescheduling.of(pass(now_s), at(now_s))) {
            withdrawn.add(withdraw(move, now_s));
        }
        closeRevisions(now_s);
        if (!withdrawn.isEmpty()) {
            next = place(assigned, now_s);
            closeRevisions(now_s);
        }
        final long againAt_s = next.map(Instant::getEpochSecond).orElse(Long.MAX_VALUE);
        return new Decisions(withdrawn, assigned, againAt_s);
    }

    private PlacementPass pass(final long now_s) {
        return new PlacementPass(planView, policy, at(now_s));
    }

    /** Returns when time alone changes the plan. */
    private Optional<Instant> place(final List<Assignment> assigned, final long now_s) {
        final PlacementPlan plan = pass(now_s).plan();
        for (final JobPlacement placement : plan.placements()) {
            if (!(placement.fact() instanceof JobFact.Placed placed)) {
                throw new IllegalStateException(
                        "job " + placement.job().id() + " cannot run on any cluster: " + placement.fact());
            }
            final SimulatedJob job =
                    Objects.requireNonNull(simulated.get(placement.job().id()));
            final int cluster = clusters.indexOf(placed.cluster());
            GlobalJob next = after(placement.job(), placed, at(now_s));
            if (next.state() instanceof GlobalJobState.Uploading) {
                next = after(next, new JobFact.Uploaded(), at(now_s));
            }
            final String name = next.id() + "." + next.attempts().size();
            final Local local = new Local(job, cluster, new JobKey(new JobId(placed.cluster(), name), at(now_s)));
            next = after(next, new JobFact.LocalJobFound(local.key), at(now_s));
            jobs.put(after(next, new JobFact.Released(), at(now_s)));
            locals.put(job, local);
            waiting.get(cluster).put(job, local);
            observe(local, new JobState.Queued());
            assigned.add(new Assignment(job, cluster));
        }
        return plan.next();
    }

    private SimulatedJob withdraw(final Rescheduling.Move move, final long now_s) {
        final SimulatedJob job = Objects.requireNonNull(simulated.get(move.job().id()));
        final Local local = Objects.requireNonNull(locals.remove(job));
        waiting.get(local.cluster).remove(job);
        final GlobalJob leaving = after(move.job(), new JobFact.WithdrawalDecided(move.withdrawal()), at(now_s));
        jobs.put(leaving);
        vanished(local);
        jobs.put(after(leaving, new JobFact.Withdrawn(local.key), at(now_s)));
        return job;
    }

    /** The starts of waiting jobs as backfill-service predicts them: in the order of the queue, if all jobs use their walltime. */
    private void predict(final long now_s) {
        for (int c = 0; c < cores.length; c++) {
            if (!unpredicted[c] || waiting.get(c).isEmpty()) {
                continue;
            }
            unpredicted[c] = false;
            final PriorityQueue<Release> releases = new PriorityQueue<>(Comparator.comparingLong(Release::at_s));
            running.get(c)
                    .values()
                    .forEach(one ->
                            releases.add(new Release(one.job.start_s() + one.job.requested_s(), one.job.cores())));
            int free = cores[c] - used[c];
            long cursor_s = now_s;
            for (final Local next : waiting.get(c).values()) {
                while (free < next.job.cores()) {
                    final Release release = releases.remove();
                    free += release.cores;
                    cursor_s = Math.max(cursor_s, release.at_s);
                }
                free -= next.job.cores();
                releases.add(new Release(cursor_s + next.job.requested_s(), next.job.cores()));
                view.of(clusters.get(c)).predicted(next.key, at(cursor_s));
            }
        }
    }

    private GlobalJob global(final SimulatedJob job) {
        return jobs.find(Objects.requireNonNull(ids.get(job))).orElseThrow();
    }

    private static GlobalJob after(final GlobalJob job, final JobFact fact, final Instant now) {
        return GlobalJobLifecycle.after(job, fact, now)
                .orElseThrow(() -> new IllegalStateException(fact + " does not change " + job));
    }

    private static Instant at(final long second) {
        return Instant.ofEpochSecond(second);
    }

    private void vanished(final Local local) {
        view.of(clusters.get(local.cluster)).vanished(JobObserved.keyOf(local.key));
        changed[local.cluster] = true;
        unpredicted[local.cluster] = true;
    }

    private void observe(final Local local, final JobState state) {
        final GlobalJob global = global(local.job);
        changed[local.cluster] = true;
        unpredicted[local.cluster] = true;
        view.of(clusters.get(local.cluster))
                .observed(new JobObserved(
                        local.key,
                        "job",
                        global.submission().owner(),
                        null,
                        PartitionName.of("main"),
                        state,
                        null,
                        global.submission().spec().resources(),
                        global.submission().spec().walltime(),
                        Eligibility.since(local.key.submittedAt()),
                        global.id().attempt(global.attempts().size()),
                        0,
                        0,
                        new CheckpointMethod.None(),
                        JobDetail.NONE));
    }

    private void closeRevisions(final long now_s) {
        for (int c = 0; c < cores.length; c++) {
            if (changed[c]) {
                changed[c] = false;
                view.of(clusters.get(c))
                        .observed(new RevisionClosed(
                                clusters.get(c),
                                ++revision,
                                at(now_s),
                                new WlmHealth.Answering(),
                                Control.DIRECTED,
                                "simulated",
                                Resources.cores(cores[c]),
                                Resources.cores(cores[c] - used[c]),
                                EnumSet.of(Capability.TRANSFER),
                                0,
                                "/staging",
                                null,
                                Map.of()));
            }
        }
    }
}
