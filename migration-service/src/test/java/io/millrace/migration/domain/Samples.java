package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.StopRequested;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The small language of these tests: {@code job("A").cores(4).from(ALPHA)}. */
public record Samples(
        GlobalJobId id,
        int cores,
        Duration walltime,
        ClusterId source,
        ClusterId target,
        String partition,
        boolean made) {

    static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    public static final ClusterId ALPHA = ClusterId.of("alpha");
    public static final ClusterId BETA = ClusterId.of("beta");
    static final ClusterId GAMMA = ClusterId.of("gamma");
    public static final UserName ANNA = UserName.of("anna");

    public static Samples job(final String letters) {
        final String id = "01J0000000000000000000" + "0000".substring(Math.min(4, letters.length())) + letters;
        return new Samples(GlobalJobId.of(id), 4, Duration.ofHours(1), ALPHA, null, null, false);
    }

    public Samples cores(final int n) {
        return new Samples(id, n, walltime, source, target, partition, made);
    }

    Samples hours(final int n) {
        return new Samples(id, cores, Duration.ofHours(n), source, target, partition, made);
    }

    Samples from(final ClusterId cluster) {
        return new Samples(id, cores, walltime, cluster, target, partition, made);
    }

    Samples pinnedTo(final ClusterId cluster) {
        return new Samples(id, cores, walltime, source, cluster, partition, made);
    }

    Samples in(final String name) {
        return new Samples(id, cores, walltime, source, target, name, made);
    }

    public Samples withMake() {
        return new Samples(id, cores, walltime, source, target, partition, true);
    }

    public JobSubmitted submitted(final Instant at) {
        final JobSpec spec = new JobSpec(
                "sample " + id,
                "#!/bin/sh\ntrue\n",
                made ? "#!/bin/sh\nmake\n" : null,
                Resources.cores(cores),
                walltime,
                partition == null ? null : PartitionName.of(partition),
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        return new JobSubmitted(id, ANNA, spec, source, "/home/anna/" + id, target, at, "signed");
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
