package io.millrace.lab.planners.bench;

import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.job.Start;
import io.millrace.backfill.domain.live.DirtyJobs;
import io.millrace.backfill.domain.live.LivePlan;
import io.millrace.backfill.domain.live.RetainedState;
import io.millrace.backfill.domain.live.SiteSettings;
import io.millrace.backfill.domain.live.StartSettings;
import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.backfill.domain.planner.Schedule;
import io.millrace.decide.Changes;
import io.millrace.decide.ClusterView;
import io.millrace.decide.CommandView;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A full live cluster with a long queue, as backfill-service plans it. Jobs that it starts run before the next revision. */
final class LiveClusterFixture {

    private static final ClusterId CLUSTER = ClusterId.of("bench");
    private static final PartitionName PARTITION = PartitionName.of("main");
    private static final Instant BEGIN = Instant.parse("2026-03-02T12:00:00Z");
    private static final JobState WAITS = new JobState.Held(HoldKind.ENTRY);

    private final Random random = new Random(7);
    private final DirtyJobs touched = new DirtyJobs();
    private final ClusterView view = new ClusterView(CLUSTER, touched);
    private final Map<JobKey, Entitlement> entitlements = new HashMap<>();
    private final RunTimeHistory history = new RunTimeHistory();
    private final LivePlan plan = new LivePlan(
            view,
            new CommandView(Issuer.BACKFILL),
            touched,
            entitlements,
            new RetainedState(),
            SiteSettings.NONE,
            StartSettings.DEFAULT,
            BackfillPolicy.EASY.keepsHead(true));
    private final Deque<JobObserved> running = new ArrayDeque<>();
    private final List<JobKey> waiting = new ArrayList<>();
    private List<Start> due = List.of();
    private Instant now = BEGIN;
    private int number;
    private int cores;
    private int busy;
    private long revision;

    LiveClusterFixture(final int queued, final int runs) {
        for (int i = 0; i < runs; i++) {
            runs(job(new JobState.Running(BEGIN.minusSeconds(random.nextInt(3600)), List.of())));
        }
        cores = busy;
        for (int i = 0; i < queued; i++) {
            arrivesLast();
        }
        close();
        pass();
    }

    private JobObserved job(final JobState state) {
        final int order = number++;
        return new JobObserved(
                new JobKey(new JobId(CLUSTER, Integer.toString(order)), BEGIN.minusSeconds(4000 - order / 100)),
                "j" + order,
                UserName.of("u" + order % 200),
                null,
                PARTITION,
                state,
                null,
                Resources.cores(1 + random.nextInt(64)),
                Duration.ofMinutes(60 + random.nextInt(600)),
                Eligibility.since(BEGIN),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private void runs(final JobObserved job) {
        running.add(job);
        busy += job.resources().cores();
        view.apply(job);
    }

    void arrivesLast() {
        arrives(EntitlementLevel.BORROWED);
    }

    void arrivesFirst() {
        arrives(EntitlementLevel.GUARANTEED);
    }

    private void arrives(final EntitlementLevel right) {
        final JobObserved job = job(WAITS);
        waiting.add(job.job());
        entitlements.put(job.job(), new Entitlement(job.job(), right, 0, "for the bench"));
        plan.markDirty(job.job());
        view.apply(job);
    }

    void leaves() {
        final int last = waiting.size() - 1;
        Collections.swap(waiting, random.nextInt(last + 1), last);
        final JobKey job = waiting.remove(last);
        view.remove(JobObserved.keyOf(job));
    }

    void ends() {
        final JobObserved job = running.remove();
        busy -= job.resources().cores();
        view.remove(JobObserved.keyOf(job.job()));
    }

    void forget() {
        plan.reset();
    }

    /** Closes a revision one second after the last. */
    void close() {
        due.forEach(this::starts);
        due = List.of();
        now = now.plusSeconds(1);
        view.apply(new RevisionClosed(
                CLUSTER,
                ++revision,
                now,
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "bench",
                Resources.cores(cores),
                Resources.cores(cores - busy),
                Set.of(Capability.START),
                0,
                null,
                null,
                Map.of()));
    }

    void pass() {
        final Schedule schedule = plan.pass(history, now, new Changes())
                .orElseThrow(() -> new IllegalStateException("nothing may be started"));
        due = schedule.starts();
    }

    /** Jobs that have left in between are skipped. */
    private void starts(final Start start) {
        final JobObserved job = view.job(start.job().job());
        if (job != null) {
            runs(job.in(new JobState.Running(now, List.of())));
        }
    }
}
