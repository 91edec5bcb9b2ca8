package io.millrace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.Maintenance;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.Placement;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.SitePartition;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each rule for a job that is submitted and for one that waits in a queue. */
class JobEligibilityTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final PartitionName MAIN = PartitionName.of("main");
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final UserName ANNA = UserName.of("anna");

    private Resources resources = new Resources(6, 2, 0, 0);
    private Duration walltime = Duration.ofHours(4);
    private PartitionName partition = MAIN;
    private @Nullable ProjectName project;
    private @Nullable String qos;
    private List<String> features = List.of();
    private Map<String, Integer> wantedLicences = Map.of();

    private boolean open = true;
    private PartitionLimits limits = new PartitionLimits(true, 2, 2, 6, null);
    private Access access = Access.EVERYBODY;
    private @Nullable SiteMappingObserved mapping;
    private @Nullable Map<String, LicenceTokens> licences;
    private List<Maintenance> maintenance = List.of();

    private JobEligibility cluster() {
        final List<NodeObserved> nodes = List.of(node("n1", List.of("ib")), node("n2", List.of()));
        return JobEligibility.of(
                List.of(new PartitionObserved(ALPHA, MAIN, open, true, 8, Duration.ofHours(4), limits, access)),
                new ClusterOffering(nodes, mapping, new ClusterConditions(ALPHA, null, licences, maintenance)),
                Resources.cores(4));
    }

    private static NodeObserved node(final String name, final List<String> features) {
        return new NodeObserved(
                ALPHA,
                NodeName.of(name),
                NodeObserved.Availability.UP,
                new Resources(5, 1, 1000, 1),
                new Resources(5, 1, 1000, 1),
                null,
                features,
                List.of(MAIN));
    }

    private JobEligibility.Request queued() {
        return JobEligibility.Request.of(new JobObserved(
                        new JobKey(new JobId(ALPHA, "1"), Instant.EPOCH),
                        "job",
                        ANNA,
                        project,
                        partition,
                        new JobState.Queued(),
                        null,
                        resources,
                        walltime,
                        Eligibility.since(Instant.EPOCH),
                        null,
                        0,
                        0,
                        new CheckpointMethod.None(),
                        JobDetail.NONE)
                .with(new JobDetail(
                        qos,
                        null,
                        List.of(),
                        new Placement(features, 0, false, List.of(), wantedLicences),
                        false,
                        true,
                        null)));
    }

    private JobEligibility.Request submitted() {
        return JobEligibility.Request.of(
                ANNA,
                new JobSpec(
                        "job",
                        "#!/bin/sh",
                        null,
                        resources,
                        walltime,
                        partition,
                        project,
                        Map.of(),
                        new CheckpointMethod.None(),
                        false),
                new TargetRequest(null, List.of(), features, false, wantedLicences, List.of(), 0));
    }

    private void refusesBoth(final VetoCode code, final String reason) {
        assertThat(cluster().veto(queued())).contains(code.veto(reason));
        assertThat(cluster().veto(submitted())).contains(code.veto(reason));
    }

    private void acceptsBoth() {
        assertThat(cluster().veto(queued())).isEmpty();
        assertThat(cluster().veto(submitted())).isEmpty();
    }

    @Test
    void a_job_within_all_limits_is_eligible() {
        acceptsBoth();
    }

    @Test
    void size_and_walltime_are_limited_by_the_cluster_and_by_the_partition() {
        resources = Resources.cores(11);
        refusesBoth(VetoCode.EXCEEDS_CLUSTER, "needs 11 cores, the cluster has 10");
        resources = new Resources(3, 3, 0, 0);
        refusesBoth(VetoCode.EXCEEDS_CLUSTER, "needs 3 nodes, the cluster has 2");
        resources = new Resources(1, 0, 2001, 0);
        refusesBoth(VetoCode.EXCEEDS_CLUSTER, "needs 2001 MiB of memory, the cluster has 2000 MiB");
        resources = new Resources(1, 0, 0, 3);
        refusesBoth(VetoCode.EXCEEDS_CLUSTER, "needs 3 GPUs, the cluster has 2");
        resources = Resources.cores(9);
        refusesBoth(VetoCode.EXCEEDS_PARTITION, "needs 9 cores, partition 'main' has 8");
        resources = Resources.cores(7);
        refusesBoth(VetoCode.EXCEEDS_PARTITION, "needs 7 cores, partition 'main' allows 6 a job");
        resources = new Resources(1, 1, 0, 0);
        refusesBoth(VetoCode.EXCEEDS_PARTITION, "needs 1 nodes, partition 'main' requires 2 a job");
        resources = Resources.cores(1);
        walltime = Duration.ofHours(5);
        refusesBoth(VetoCode.EXCEEDS_WALLTIME_LIMIT, "requests PT5H, partition 'main' allows PT4H");
    }

    @Test
    void a_closed_partition_starts_nothing_and_one_that_does_not_accept_jobs_keeps_those_it_has() {
        limits = new PartitionLimits(false, 0, null, null, null);
        assertThat(cluster().veto(queued())).isEmpty();
        assertThat(code(cluster().veto(submitted()))).isEqualTo(VetoCode.PARTITION_CLOSED.code());
        open = false;
        refusesBoth(VetoCode.PARTITION_CLOSED, "partition 'main' is closed");
    }

    @Test
    void only_a_submission_needs_a_partition_that_is_known() {
        partition = PartitionName.of("gpu");
        assertThat(cluster().veto(queued())).isEmpty();
        assertThat(cluster().veto(submitted()))
                .contains(VetoCode.PARTITION_UNKNOWN.veto("partition 'gpu' not found; partitions: 'main'"));
    }

    @Test
    void access_lists_name_users_projects_and_qualities_of_service() {
        access = access(Set.of("bob"), Set.of(), Set.of(), Set.of(), null);
        refusesBoth(VetoCode.ACCESS_DENIED, "'anna' may not use partition 'main'");
        access = access(Set.of(), Set.of("anna"), Set.of(), Set.of(), null);
        refusesBoth(VetoCode.ACCESS_DENIED, "'anna' may not use partition 'main'");
        access = access(Set.of("anna"), Set.of(), Set.of("physics"), Set.of(), null);
        acceptsBoth();
        project = ProjectName.of("chemistry");
        refusesBoth(VetoCode.ACCESS_DENIED, "project 'chemistry' may not use partition 'main'");
        access = access(Set.of(), Set.of(), Set.of(), Set.of("chemistry"), null);
        refusesBoth(VetoCode.ACCESS_DENIED, "project 'chemistry' may not use partition 'main'");
        access = access(Set.of(), Set.of(), Set.of(), Set.of(), Set.of("normal"));
        acceptsBoth();
        qos = "scavenger";
        assertThat(cluster().veto(queued()))
                .contains(VetoCode.ACCESS_DENIED.veto("partition 'main' takes no jobs of QoS 'scavenger'"));
    }

    @Test
    void access_lists_contain_the_names_that_the_cluster_uses() {
        project = ProjectName.of("chemistry");
        access = access(Set.of("xa123"), Set.of(), Set.of("che"), Set.of(), null);
        mapping = new SiteMappingObserved(
                ALPHA,
                true,
                Map.of(ANNA, UserName.of("xa123")),
                Map.of(ProjectName.of("chemistry"), ProjectName.of("che")),
                Map.of());
        acceptsBoth();
        mapping = new SiteMappingObserved(ALPHA, true, Map.of(), Map.of(), Map.of());
        assertThat(code(cluster().veto(submitted()))).isEqualTo(VetoCode.NO_ACCOUNT.code());
    }

    @Test
    void a_name_of_the_site_means_the_partitions_of_its_mapping_before_one_of_the_cluster() {
        partition = PartitionName.of("gpu");
        named(Map.of(partition, SitePartition.of(PartitionName.of("a100"), MAIN)));
        assertThat(cluster().veto(submitted())).isEmpty();
        assertThat(cluster().accepting(submitted())).containsExactly(MAIN);

        partition = MAIN;
        named(Map.of(MAIN, SitePartition.of(PartitionName.of("a100"))));
        assertThat(cluster().veto(submitted()))
                .contains(
                        VetoCode.PARTITION_UNKNOWN.veto("the site mapping names 'a100' for partition 'main', which the"
                                + " cluster does not have; partitions: 'main'"));
        assertThat(cluster().veto(queued())).isEmpty();

        partition = PartitionName.of("night");
        named(Map.of(PartitionName.of("normal"), SitePartition.of(MAIN)));
        assertThat(cluster().veto(submitted()))
                .contains(VetoCode.PARTITION_UNKNOWN.veto("partition 'night' not found; partitions: 'normal', 'main'"));
    }

    @Test
    void the_site_limits_a_job_under_its_own_name_and_reasons_name_it() {
        partition = PartitionName.of("short");
        named(Map.of(
                partition,
                new SitePartition(List.of(MAIN), Duration.ofHours(1), 2, 1, 0),
                PartitionName.of("long"),
                SitePartition.of(MAIN)));
        resources = new Resources(2, 0, 0, 0);
        assertThat(cluster().veto(submitted()))
                .contains(VetoCode.EXCEEDS_WALLTIME_LIMIT.veto("requests PT4H, the site allows PT1H a job in 'short'"));
        walltime = Duration.ofMinutes(30);
        assertThat(cluster().veto(submitted())).isEmpty();
        resources = Resources.cores(3);
        assertThat(cluster().veto(submitted()))
                .contains(VetoCode.EXCEEDS_PARTITION.veto("needs 3 cores, the site allows 2 a job in 'short'"));
        resources = new Resources(2, 2, 0, 0);
        assertThat(cluster().veto(submitted()))
                .contains(VetoCode.EXCEEDS_PARTITION.veto("needs 2 nodes, the site allows 1 a job in 'short'"));
        resources = new Resources(2, 0, 0, 1);
        assertThat(cluster().veto(submitted()))
                .contains(VetoCode.EXCEEDS_PARTITION.veto("needs 1 GPUs, the site allows 0 a job in 'short'"));

        named(Map.of(PartitionName.of("normal"), SitePartition.of(MAIN)));
        partition = MAIN;
        resources = Resources.cores(9);
        refusesBoth(VetoCode.EXCEEDS_PARTITION, "needs 9 cores, partition 'normal' (main) has 8");
    }

    private void named(final Map<PartitionName, SitePartition> names) {
        mapping = SiteMappingObserved.none(ALPHA).naming(names);
    }

    private static Access access(
            final Set<String> users,
            final Set<String> deniedUsers,
            final Set<String> projects,
            final Set<String> deniedProjects,
            final @Nullable Set<String> qos) {
        return new Access(
                Set.copyOf(users.stream().map(UserName::of).toList()),
                Set.of(),
                Set.copyOf(projects.stream().map(ProjectName::of).toList()),
                Set.copyOf(deniedUsers.stream().map(UserName::of).toList()),
                Set.of(),
                Set.copyOf(deniedProjects.stream().map(ProjectName::of).toList()),
                qos,
                null);
    }

    @Test
    void features_and_licences_must_exist() {
        features = List.of("ib");
        resources = new Resources(6, 2, 0, 0);
        assertThat(code(cluster().veto(queued()))).isEqualTo(VetoCode.FEATURES_MISSING.code());
        assertThat(code(cluster().veto(submitted()))).isEqualTo(VetoCode.FEATURES_MISSING.code());
        features = List.of();
        wantedLicences = Map.of("ansys", 3);
        acceptsBoth();
        licences = Map.of("ansys", new LicenceTokens(2, 2));
        refusesBoth(VetoCode.EXCEEDS_LICENCES, "has 2 tokens of licence 'ansys', 3 requested");
        licences = Map.of("ansys", new LicenceTokens(4, 2));
        acceptsBoth();
        assertThat(cluster().notNow(queued(), NOON))
                .contains(VetoCode.LICENCES_IN_USE.veto("fewer than 3 tokens of licence 'ansys' are free"));
        assertThat(cluster().notNow(submitted(), NOON)).isPresent();
    }

    @Test
    void a_job_does_not_start_if_it_would_run_into_maintenance_of_too_many_nodes() {
        maintenance = List.of(new Maintenance("pm", NOON.plusSeconds(3600), NOON.plusSeconds(7200), List.of()));
        for (final JobEligibility.Request job : List.of(queued(), submitted())) {
            assertThat(code(cluster().notNow(job, NOON))).isEqualTo(VetoCode.MAINTENANCE.code());
            assertThat(cluster().notNow(job, NOON.plusSeconds(7200))).isEmpty();
        }
        walltime = Duration.ofHours(1);
        assertThat(cluster().notNow(queued(), NOON)).isEmpty();
        walltime = null;
        assertThat(cluster().notNow(queued(), NOON)).as("no limit").isPresent();
        walltime = Duration.ofHours(4);
        maintenance = List.of(
                new Maintenance("n1", NOON.plusSeconds(3600), NOON.plusSeconds(7200), List.of(NodeName.of("n1"))));
        assertThat(cluster().notNow(queued(), NOON)).as("6 cores, 5 are left").isPresent();
        resources = Resources.cores(5);
        assertThat(cluster().notNow(queued(), NOON)).isEmpty();
    }

    private static String code(final Optional<Veto> veto) {
        return veto.map(Veto::code).orElse("none");
    }
}
