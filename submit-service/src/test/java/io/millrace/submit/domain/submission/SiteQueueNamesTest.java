package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.SitePartition;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scripts of three workload managers run unchanged on three clusters whose queues have different names. */
class SiteQueueNamesTest {

    private static final UserName ANNA = UserName.of("anna");
    private static final PartitionName NORMAL = PartitionName.of("normal");
    private static final PartitionName GPU = PartitionName.of("gpu");

    private static final String SLURM = """
        #!/bin/bash
        #SBATCH --job-name=wrf
        #SBATCH -p normal -N 2 --ntasks-per-node=16
        #SBATCH -t 02:00:00
        srun ./wrf.exe
        """;
    private static final String PBS = """
        #!/bin/bash
        #PBS -N wrf
        #PBS -q normal
        #PBS -l select=2:ncpus=16:mpiprocs=16
        #PBS -l walltime=02:00:00
        cd $PBS_O_WORKDIR
        mpiexec ./wrf.exe
        """;
    private static final String LSF = """
        #!/bin/bash
        #BSUB -J wrf
        #BSUB -q normal
        #BSUB -n 32 -R "span[ptile=16]"
        #BSUB -W 2:00
        mpirun ./wrf.exe
        """;

    private final ClusterOffer alps = cluster(
            "alps",
            "slurm 22.05.8",
            Map.of(NORMAL, SitePartition.of(PartitionName.of("cpu"))),
            partition("cpu", 64, 24));
    private final ClusterOffer jura = cluster(
            "jura",
            "pbs 23.06.06",
            Map.of(NORMAL, SitePartition.of(PartitionName.of("workq"))),
            partition("workq", 64, 24));
    /** Its own queue {@code normal} is another one than the site's. */
    private final ClusterOffer etna = cluster(
            "etna",
            "lsf 10.1.0.12",
            Map.of(
                    NORMAL,
                    SitePartition.of(PartitionName.of("short"), PartitionName.of("long")),
                    GPU,
                    new SitePartition(List.of(PartitionName.of("a100")), Duration.ofHours(1), null, null, null)),
            partition("normal", 64, 24),
            partition("short", 64, 1),
            partition("long", 64, 48),
            partition("a100", 64, 24));

    private static Stream<String> scripts() {
        return Stream.of(SLURM, PBS, LSF);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void a_script_with_a_queue_of_the_site_runs_on_each_cluster(final String script) {
        final JobSpec spec = JobValidatorTest.ofScript(script);
        assertThat(spec.partition()).isEqualTo(NORMAL);
        assertThat(spec.resources().cores()).isEqualTo(32);
        assertThat(queueOn(alps, spec)).isEqualTo("cpu");
        assertThat(queueOn(jura, spec)).isEqualTo("workq");
        assertThat(queueOn(etna, spec)).as("the short one is too short").isEqualTo("long");
    }

    @Test
    void a_queue_of_a_cluster_runs_only_there_and_the_others_say_which_they_have() {
        final JobSpec spec = JobValidatorTest.ofScript(SLURM.replace("normal", "cpu"));
        assertThat(queueOn(alps, spec)).isEqualTo("cpu");
        assertThat(ClusterEligibility.runObstacle(ANNA, spec, TargetRequest.NONE, etna)
                        .map(Veto::reason))
                .hasValue("partition 'cpu' not found; partitions: 'gpu', 'normal', 'a100', 'long', 'short'");
    }

    @Test
    void the_site_limits_a_job_in_its_own_queue() {
        final JobSpec spec = JobValidatorTest.ofScript(LSF.replace("normal", "gpu"));
        assertThat(ClusterEligibility.runObstacle(ANNA, spec, TargetRequest.NONE, etna)
                        .map(Veto::reason))
                .hasValue("requests PT2H, the site allows PT1H a job in 'gpu'");
    }

    private static String queueOn(final ClusterOffer cluster, final JobSpec spec) {
        assertThat(ClusterEligibility.runObstacle(ANNA, spec, TargetRequest.NONE, cluster))
                .isEmpty();
        return Objects.requireNonNull(ClusterEligibility.onCluster(ANNA, spec, TargetRequest.NONE, cluster)
                        .partition())
                .value();
    }

    private static ClusterOffer cluster(
            final String name,
            final String wlm,
            final Map<PartitionName, SitePartition> names,
            final PartitionObserved... partitions) {
        final ClusterId id = ClusterId.of(name);
        return new ClusterOffer(
                new RevisionClosed(
                        id,
                        1,
                        Instant.EPOCH,
                        new WlmHealth.Answering(),
                        Control.NATIVE,
                        wlm,
                        new Resources(64, 4, 0, 0),
                        new Resources(64, 4, 0, 0),
                        Set.of(),
                        0,
                        "/stage",
                        null,
                        Map.of()),
                List.of(partitions),
                List.of(),
                SiteMappingObserved.none(id).naming(names),
                ClusterConditions.unknown(id));
    }

    private static PartitionObserved partition(final String name, final int cores, final int hours) {
        return new PartitionObserved(
                ClusterId.of("any"),
                PartitionName.of(name),
                true,
                false,
                cores,
                Duration.ofHours(hours),
                PartitionLimits.NONE,
                Access.EVERYBODY);
    }
}
