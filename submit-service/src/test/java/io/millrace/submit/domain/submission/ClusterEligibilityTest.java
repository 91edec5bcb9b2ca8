package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import io.millrace.submit.domain.log.ClusterStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClusterEligibilityTest {

    private static final ClusterId ALPS = ClusterId.of("alps");
    private static final UserName ANNA = UserName.of("anna");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final PartitionObserved DAY = partition("day", true, Duration.ofHours(24));

    @Test
    void a_user_without_an_account_is_refused_with_the_remedy() {
        final SiteMappingObserved bensOnly =
                new SiteMappingObserved(ALPS, true, Map.of(UserName.of("ben"), UserName.of("b1")), Map.of(), Map.of());

        assertThat(ClusterEligibility.runObstacle(
                        ANNA,
                        job(1, 1, null),
                        TargetRequest.NONE,
                        offer(marker(new WlmHealth.Answering()), bensOnly, DAY)))
                .hasValueSatisfying(veto -> assertThat(veto.reason())
                        .contains("user 'anna' has no account on this cluster")
                        .contains("site mapping"));
    }

    @Test
    void the_limits_of_the_jobs_partition_apply() {
        final RevisionClosed marker = marker(new WlmHealth.Answering());

        assertThat(ClusterEligibility.runObstacle(
                        ANNA, job(8, 24, "day"), TargetRequest.NONE, offer(marker, null, DAY)))
                .isEmpty();
        assertThat(ClusterEligibility.runObstacle(ANNA, job(8, 25, null), TargetRequest.NONE, offer(marker, null, DAY)))
                .hasValueSatisfying(
                        veto -> assertThat(veto.reason()).contains("'day'").contains("PT24H"));
        assertThat(ClusterEligibility.runObstacle(
                        ANNA, job(8, 1, "night"), TargetRequest.NONE, offer(marker, null, DAY)))
                .hasValueSatisfying(
                        veto -> assertThat(veto.reason()).contains("partition 'night' not found; partitions: 'day'"));
        assertThat(ClusterEligibility.runObstacle(
                        ANNA,
                        job(8, 1, "shut"),
                        TargetRequest.NONE,
                        offer(marker, null, partition("shut", false, null))))
                .hasValueSatisfying(veto -> assertThat(veto.reason()).contains("closed"));
        assertThat(ClusterEligibility.runObstacle(ANNA, job(17, 1, null), TargetRequest.NONE, offer(marker, null, DAY)))
                .hasValueSatisfying(veto -> assertThat(veto.reason()).contains("needs 17 cores, the cluster has 16"));
    }

    @Test
    void an_unavailable_cluster_is_not_asked() {
        final Duration silent = Duration.ofSeconds(45);
        assertThat(ClusterEligibility.dryRunObstacle(
                        new ClusterStatus(marker(new WlmHealth.Answering()), NOON), NOON.plusSeconds(9), silent))
                .isEmpty();
        assertThat(ClusterEligibility.dryRunObstacle(
                        new ClusterStatus(marker(new WlmHealth.Answering()), NOON), NOON.plusSeconds(99), silent))
                .hasValueSatisfying(because -> assertThat(because).contains("has not reported since"));
        assertThat(ClusterEligibility.dryRunObstacle(
                        new ClusterStatus(marker(new WlmHealth.Stale(NOON, "squeue is silent")), NOON), NOON, silent))
                .hasValueSatisfying(because -> assertThat(because).contains("squeue is silent"));
    }

    @Test
    void an_agents_refusal_is_found_in_its_notes() {
        final DryRunResult strict =
                new DryRunResult(List.of("sbatch"), "", List.of(), List.of("a", "it would be refused: b"));

        assertThat(ClusterEligibility.agentRefusal(strict)).isEqualTo(Optional.of("b"));
    }

    private static ClusterOffer offer(
            final RevisionClosed marker,
            final @Nullable SiteMappingObserved mapping,
            final PartitionObserved... partitions) {
        return new ClusterOffer(
                marker, List.of(partitions), List.of(), mapping, ClusterConditions.unknown(marker.cluster()));
    }

    private static PartitionObserved partition(final String name, final boolean open, final Duration limit) {
        return new PartitionObserved(
                ALPS, PartitionName.of(name), open, true, 16, limit, PartitionLimits.NONE, Access.EVERYBODY);
    }

    private static JobSpec job(final int cores, final int hours, final String partition) {
        return new JobSpec(
                "job",
                "#!/bin/sh\n",
                null,
                Resources.cores(cores),
                Duration.ofHours(hours),
                partition == null ? null : PartitionName.of(partition),
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
    }

    private static RevisionClosed marker(final WlmHealth health) {
        return new RevisionClosed(
                ALPS,
                1,
                NOON,
                health,
                Control.NATIVE,
                "slurm",
                Resources.cores(16),
                Resources.cores(16),
                Set.of(Capability.DRY_RUN),
                0,
                "/stage",
                null,
                Map.of());
    }
}
