package io.millrace.migration.domain;

import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.TargetRequest;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.FilterRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The small language of these tests: {@code job("A").cores(4).from(ALPHA)}. */
public record Samples(
        GlobalJobId id,
        Resources resources,
        Duration walltime,
        ClusterId source,
        ClusterId target,
        String partition,
        boolean made,
        @Nullable BatchMember batch,
        @Nullable JobDependency dependency,
        CheckpointMethod checkpoint,
        TargetRequest request) {

    public static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    public static final ClusterId ALPHA = ClusterId.of("alpha");
    public static final ClusterId BETA = ClusterId.of("beta");
    public static final ClusterId GAMMA = ClusterId.of("gamma");
    public static final UserName ANNA = UserName.of("anna");
    public static final FileFilters FILES =
            new FileFilters(List.of(FilterRule.of("- *.tmp")), List.of(FilterRule.of("- /scratch/")));

    public static Samples job(final String letters) {
        final String id = "01J0000000000000000000" + "0000".substring(Math.min(4, letters.length())) + letters;
        return new Samples(
                GlobalJobId.of(id),
                Resources.cores(4),
                Duration.ofHours(1),
                ALPHA,
                null,
                null,
                false,
                null,
                null,
                new CheckpointMethod.None(),
                TargetRequest.NONE);
    }

    public Samples cores(final int n) {
        return needing(Resources.cores(n));
    }

    public Samples needing(final Resources resources) {
        return new Samples(
                id, resources, walltime, source, target, partition, made, batch, dependency, checkpoint, request);
    }

    public Samples hours(final int n) {
        return new Samples(
                id,
                resources,
                Duration.ofHours(n),
                source,
                target,
                partition,
                made,
                batch,
                dependency,
                checkpoint,
                request);
    }

    public Samples from(final ClusterId cluster) {
        return new Samples(
                id, resources, walltime, cluster, target, partition, made, batch, dependency, checkpoint, request);
    }

    public Samples pinnedTo(final ClusterId cluster) {
        return new Samples(
                id, resources, walltime, source, cluster, partition, made, batch, dependency, checkpoint, request);
    }

    public Samples in(final String name) {
        return new Samples(id, resources, walltime, source, target, name, made, batch, dependency, checkpoint, request);
    }

    public Samples withMake() {
        return new Samples(
                id, resources, walltime, source, target, partition, true, batch, dependency, checkpoint, request);
    }

    public Samples saving(final CheckpointMethod method) {
        return new Samples(
                id, resources, walltime, source, target, partition, made, batch, dependency, method, request);
    }

    /** A job of the batch that the ids of these samples share. */
    public Samples inBatch(final int size, final @Nullable Integer maxConcurrent) {
        final BatchId shared = BatchId.around(id);
        final BatchMember member = new BatchMember(shared, 1, size, maxConcurrent);
        return new Samples(
                id, resources, walltime, source, target, partition, made, member, dependency, checkpoint, request);
    }

    /** All conditions must hold. */
    public Samples after(final JobDependency.Condition... conditions) {
        return after(new JobDependency(true, List.of(conditions)));
    }

    public Samples after(final JobDependency other) {
        return new Samples(id, resources, walltime, source, target, partition, made, batch, other, checkpoint, request);
    }

    public Samples requesting(final TargetRequest other) {
        return new Samples(
                id, resources, walltime, source, target, partition, made, batch, dependency, checkpoint, other);
    }

    public JobDependency.Condition ends(final JobDependency.End how) {
        return JobDependency.Condition.on(id, how);
    }

    public JobSubmitted submitted(final Instant at) {
        final JobSpec spec = new JobSpec(
                "sample " + id,
                "#!/bin/sh\ntrue\n",
                made ? "#!/bin/sh\nmake\n" : null,
                resources,
                walltime,
                partition == null ? null : PartitionName.of(partition),
                null,
                Map.of(),
                checkpoint,
                false);
        return new JobSubmitted(
                id, 1, ANNA, spec, source, "/home/anna/" + id, target, at, "signed", batch, dependency, request, FILES);
    }

    /** A job without a request of its cluster. */
    public Samples(
            final GlobalJobId id,
            final Resources resources,
            final Duration walltime,
            final ClusterId source,
            final ClusterId target,
            final String partition,
            final boolean made,
            final @Nullable BatchMember batch,
            final @Nullable JobDependency dependency,
            final CheckpointMethod checkpoint) {
        this(
                id,
                resources,
                walltime,
                source,
                target,
                partition,
                made,
                batch,
                dependency,
                checkpoint,
                TargetRequest.NONE);
    }

    /** An operator drains, fences or opens a cluster. */
    public static Request.AvailabilityRequested availability(
            final ClusterId cluster, final ClusterAvailability.Status wanted, final Instant at) {
        return new Request.AvailabilityRequested(cluster, wanted, UserName.of("olga"), "maintenance", at);
    }

    public StopRequested stop(final Instant at) {
        return new StopRequested(id, ANNA, at, "no longer needed");
    }

    public HoldRequested hold(final UserName by, final Instant at) {
        return new HoldRequested(id, by, at, "input is incomplete");
    }

    public AlterRequested alter(
            final Instant at,
            final @Nullable Duration limit,
            final @Nullable Integer wanted,
            final @Nullable Integer priority) {
        return new AlterRequested(id, ANNA, at, null, limit, wanted, null, priority);
    }

    public ReleaseRequested release(final Instant at) {
        return new ReleaseRequested(id, ANNA, at);
    }

    public static JobKey local(final ClusterId cluster, final int number) {
        return new JobKey(new JobId(cluster, "" + number), NOON.plusSeconds(number));
    }
}
