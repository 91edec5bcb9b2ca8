package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.TargetRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FeasibilityTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final UserName ANNA = UserName.of("anna");

    private final List<ClusterOffer> site =
            List.of(cluster("alps", "slurm 22.05.8", 16), cluster("jura", "pbs 23.06.06", 64));

    @Test
    void a_job_that_is_too_large_for_every_cluster_is_refused_with_each_reason() {
        assertThat(Feasibility.of(job(64).submitted(), site).refusal()).isEmpty();
        assertThat(Feasibility.of(job(65).submitted(), site).refusal())
                .hasValue("no cluster can run the job: alps: needs 65 cores, the cluster has 16"
                        + " (exceeds-cluster); jura: needs 65 cores, the cluster has 64"
                        + " (exceeds-cluster)");
        assertThat(Feasibility.of(job(17).on("alps").submitted(), site).refusal())
                .hasValue("the cluster cannot run the job: alps: needs 17 cores, the cluster has 16"
                        + " (exceeds-cluster)");
    }

    @Test
    void nodes_that_are_down_may_return() {
        final ClusterOffer up = cluster("alps", "slurm", 16);
        final NodeObserved down = new NodeObserved(
                ClusterId.of("alps"),
                NodeName.of("n2"),
                NodeObserved.Availability.DOWN,
                Resources.cores(32),
                Resources.NONE,
                "repair",
                List.of(),
                List.of());
        final ClusterOffer all = new ClusterOffer(up.marker(), up.partitions(), List.of(down), null, up.conditions());
        assertThat(Feasibility.of(job(32).submitted(), List.of(all)).refusal()).isEmpty();
        assertThat(Feasibility.of(job(33).submitted(), List.of(all)).refusal()).isPresent();
    }

    @Test
    void a_partition_that_no_cluster_has_and_a_walltime_beyond_every_limit_are_refused() {
        assertThat(Feasibility.of(job(1).partition("night").submitted(), site).refusal())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("partition 'night' not found; partitions: 'day'")
                        .contains("(partition-unknown)"));
        assertThat(Feasibility.of(job(1).hours(25).submitted(), site).refusal())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("partition 'day' allows PT24H")
                        .contains("(exceeds-walltime-limit)"));
    }

    @Test
    void an_obstacle_that_can_go_away_is_no_reason() {
        final ClusterOffer closed = cluster("alps", "slurm", 16);
        final PartitionObserved shut = partition("alps", false);
        assertThat(Feasibility.of(
                                job(1).submitted(),
                                List.of(new ClusterOffer(
                                        closed.marker(), List.of(shut), List.of(), null, closed.conditions())))
                        .refusal())
                .isEmpty();
        assertThat(Feasibility.of(job(1).submitted(), List.of()).refusal()).isEmpty();
    }

    @Test
    void a_user_without_an_account_anywhere_is_refused() {
        final ClusterOffer alps = cluster("alps", "slurm", 16);
        final SiteMappingObserved bensOnly = new SiteMappingObserved(
                ClusterId.of("alps"), true, Map.of(UserName.of("ben"), UserName.of("b1")), Map.of(), Map.of());
        assertThat(Feasibility.of(
                                job(1).submitted(),
                                List.of(new ClusterOffer(
                                        alps.marker(), alps.partitions(), List.of(), bensOnly, alps.conditions())))
                        .refusal())
                .hasValueSatisfying(reason -> assertThat(reason).contains("(no-account)"));
    }

    @Test
    void an_option_that_changes_the_meaning_needs_a_cluster_that_has_it() {
        final Job reserved = job(1).script("#SBATCH --reservation=course");
        assertThat(Feasibility.of(reserved.submitted(), site).refusal()).isEmpty();
        assertThat(Feasibility.of(reserved.on("jura").submitted(), site).refusal())
                .hasValue("the cluster cannot run the job: jura: line 2: #SBATCH --reservation=course: PBS Pro has no"
                        + " equivalent (option-unsupported)");
    }

    @Test
    void each_workload_manager_is_recognized_by_what_its_adapter_publishes() {
        for (final String wlm : List.of(
                "pbs 23.06.06", "torque 6.1.2", "lsf 10.1.0.12", "openlava 4.0", "local 1 (4 nodes of 4 cores)")) {
            assertThat(Feasibility.of(
                                    job(1).script("#SBATCH --comment=mine")
                                            .strict()
                                            .submitted(),
                                    List.of(cluster("c", wlm, 16)))
                            .refusal())
                    .as(wlm)
                    .isPresent();
        }
    }

    @Test
    void other_losses_are_noted_with_the_clusters_and_strict_refuses_them() {
        final Job job = job(1).script("#SBATCH --qos=high\n#SBATCH --comment=mine");
        assertThat(Feasibility.of(job.submitted(), site).notes())
                .containsExactlyInAnyOrder(
                        "left out on jura: line 2: #SBATCH --qos=high: PBS Pro has no equivalent",
                        "left out: line 3: #SBATCH --comment=mine: Millrace uses the comment for its tag");
        assertThat(Feasibility.of(job.strict().submitted(), site).refusal())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("alps: line 3: #SBATCH --comment=mine")
                        .contains("jura: line 2: #SBATCH --qos=high"));
        assertThat(Feasibility.of(job(1).script("#SBATCH --qos=high").strict().submitted(), site)
                        .refusal())
                .isEmpty();
    }

    private static Job job(final int cores) {
        return new Job(cores, 1, null, null, "", false);
    }

    private static ClusterOffer listing(final ClusterOffer cluster, final String software, final String project) {
        return new ClusterOffer(
                cluster.marker(),
                cluster.partitions(),
                cluster.nodes(),
                new SiteMappingObserved(
                        cluster.name(),
                        false,
                        Map.of(),
                        Map.of(ProjectName.of(project), ProjectName.of(project)),
                        Map.of(software, List.of(software + "/1"))),
                cluster.conditions());
    }

    private static JobSubmitted named(final String software, final String project) {
        final JobSubmitted job = job(1).submitted();
        return new JobSubmitted(
                job.job(),
                1,
                job.owner(),
                job.spec().withProject(ProjectName.of(project)),
                job.source(),
                job.directory(),
                null,
                job.submittedAt(),
                job.signature(),
                null,
                null,
                new TargetRequest(null, List.of(), List.of(), false, Map.of(), List.of(software), 0),
                null);
    }

    @Test
    void names_that_nothing_lists_are_noted() {
        final List<ClusterOffer> one = List.of(site.getFirst(), listing(site.getLast(), "gromacs", "aero"));

        assertThat(UnlistedNames.notes(named("gromacs", "aero"), one, false)).isEmpty();
        assertThat(UnlistedNames.notes(named("gromacs", "aeor"), one, true)).isEmpty();
        assertThat(UnlistedNames.notes(named("gromasc", "aeor"), one, false))
                .containsExactly(
                        "project 'aeor' is in no list of the site; check its spelling",
                        "software 'gromasc' is listed by no cluster that can run the job; no modules are loaded for"
                                + " it");
        assertThat(UnlistedNames.notes(job(1).submitted(), one, false)).isEmpty();
    }

    private record Job(
            int cores,
            int hours,
            @Nullable String partitionName,
            @Nullable String target,
            String directives,
            boolean isStrict) {

        Job hours(final int walltime) {
            return new Job(cores, walltime, partitionName, target, directives, isStrict);
        }

        Job partition(final String name) {
            return new Job(cores, hours, name, target, directives, isStrict);
        }

        Job on(final String cluster) {
            return new Job(cores, hours, partitionName, cluster, directives, isStrict);
        }

        Job script(final String lines) {
            return new Job(cores, hours, partitionName, target, lines, isStrict);
        }

        Job strict() {
            return new Job(cores, hours, partitionName, target, directives, true);
        }

        JobSubmitted submitted() {
            return new JobSubmitted(
                    GlobalJobId.of("01JQZ8Y6T0000000000000000A"),
                    1,
                    ANNA,
                    new JobSpec(
                            "job",
                            "#!/bin/sh\n" + directives + "\n",
                            null,
                            Resources.cores(cores),
                            Duration.ofHours(hours),
                            partitionName == null ? null : PartitionName.of(partitionName),
                            null,
                            Map.of(),
                            new CheckpointMethod.None(),
                            isStrict),
                    ClusterId.of("alps"),
                    "/home/anna",
                    target == null ? null : ClusterId.of(target),
                    NOON,
                    "signature");
        }
    }

    private static ClusterOffer cluster(final String name, final String wlm, final int cores) {
        return new ClusterOffer(
                new RevisionClosed(
                        ClusterId.of(name),
                        1,
                        NOON,
                        new WlmHealth.Answering(),
                        Control.NATIVE,
                        wlm,
                        Resources.cores(cores),
                        Resources.cores(cores),
                        Set.of(),
                        0,
                        "/stage",
                        null,
                        Map.of()),
                List.of(partition(name, true)),
                List.of(),
                null,
                ClusterConditions.unknown(ClusterId.of(name)));
    }

    private static PartitionObserved partition(final String cluster, final boolean open) {
        return new PartitionObserved(
                ClusterId.of(cluster),
                PartitionName.of("day"),
                open,
                true,
                64,
                Duration.ofHours(24),
                PartitionLimits.NONE,
                Access.EVERYBODY);
    }
}
