package io.millrace.lab.planners.bench;

import io.millrace.backfill.PlanStarts;
import io.millrace.backfill.PlannerSettings;
import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.decide.FollowedCluster;
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
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
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
    private final PlanStarts plan = new PlanStarts(new PlannerSettings(BackfillPolicy.EASY.keepsHead(true), Map.of()));
    private final FollowedCluster cluster = plan.followed(CLUSTER);
    private final Deque<JobObserved> running = new ArrayDeque<>();
    private final List<JobKey> waiting = new ArrayList<>();
    private List<JobKey> due = List.of();
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
        close(1);
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
        cluster.observed(job);
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
        plan.entitled(job.job(), new Entitlement(job.job(), right, 0, "for the bench"));
        cluster.observed(job);
    }

    void leaves() {
        final int last = waiting.size() - 1;
        Collections.swap(waiting, random.nextInt(last + 1), last);
        final JobKey job = waiting.remove(last);
        cluster.gone(JobObserved.keyOf(job));
    }

    void ends() {
        final JobObserved job = running.remove();
        busy -= job.resources().cores();
        cluster.gone(JobObserved.keyOf(job.job()));
    }

    /** Closes a revision some seconds after the last: all of 100,000 jobs are forecast every 10 seconds. */
    void close(final int seconds) {
        due.forEach(this::starts);
        due = List.of();
        now = now.plusSeconds(seconds);
        cluster.observed(new RevisionClosed(
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
        due = plan.decide(now).events().stream()
                .filter(Command.class::isInstance)
                .map(command -> ((Command) command).action())
                .filter(Action.Start.class::isInstance)
                .map(start -> ((Action.Start) start).job())
                .toList();
    }

    /** Jobs that have left in between are skipped. */
    private void starts(final JobKey key) {
        final JobObserved job = cluster.view().job(key);
        if (job != null) {
            runs(job.in(new JobState.Running(now, List.of())));
        }
    }
}
