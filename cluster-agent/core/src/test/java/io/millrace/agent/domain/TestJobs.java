package io.millrace.agent.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A tiny language for scenes: one cluster of eight cores at noon. */
final class TestJobs {

    static final ClusterId CLUSTER = ClusterId.of("alpha");
    static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    static final JobState AT_THE_GATE = new JobState.Held(HoldKind.ENTRY);
    static final JobState RUNNING = new JobState.Running(NOON.minusSeconds(100), List.of(NodeName.of("n1")));

    private TestJobs() {}

    static JobKey key(final int id) {
        return new JobKey(new JobId(CLUSTER, Integer.toString(id)), NOON.minusSeconds(3600));
    }

    static JobObserved job(final int id, final String owner, final int cores, final JobState state) {
        return job(id, owner, cores, state, 0);
    }

    static JobObserved job(
            final int id, final String owner, final int cores, final JobState state, final int restarts) {
        return new JobObserved(
                key(id),
                "job " + id,
                UserName.of(owner),
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(cores),
                Duration.ofHours(1),
                Eligibility.since(Instant.EPOCH),
                null,
                restarts,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    /** Two cores of anna's, at which she sits. */
    static JobObserved interactive(final int id, final JobState state) {
        return job(id, "anna", 2, state)
                .with(new JobDetail(null, null, List.of(), Placement.ANYWHERE, true, false, null));
    }

    static LiveCluster live(final Control control, final int idle, final JobObserved... jobs) {
        final NodeObserved node = new NodeObserved(
                CLUSTER,
                NodeName.of("n1"),
                NodeObserved.Availability.UP,
                Resources.cores(8),
                Resources.cores(idle),
                null,
                List.of(),
                List.of());
        final NodeObserved drained = new NodeObserved(
                CLUSTER,
                NodeName.of("n2"),
                NodeObserved.Availability.DRAINED,
                Resources.cores(8),
                Resources.cores(8),
                "broken",
                List.of(),
                List.of());
        return LiveCluster.of(control, List.of(jobs), List.of(node, drained));
    }

    static LiveCluster live(final int idle, final JobObserved... jobs) {
        return live(Control.DIRECTED, idle, jobs);
    }
}
