package io.millrace.migration.domain.plan;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.GAMMA;
import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Policies;
import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.migration.domain.World;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.Maintenance;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.SitePartition;
import io.millrace.model.command.Action;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.TargetRequest;
import io.millrace.model.job.TargetRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a job requests of its cluster beside resources: features, software, licences, disk space, its own clusters and rule. */
class TargetRequestTest {

    private final World world = new World(Policies.fast(GAMMA, BETA));
    private final ScriptedCluster alpha = world.cluster(ALPHA, 8);
    private final ScriptedCluster beta = world.cluster(BETA, 16);
    private final ScriptedCluster gamma = world.cluster(GAMMA, 32);

    private static TargetRequest clusters(final @Nullable TargetRule rule, final ClusterId... clusters) {
        return new TargetRequest(rule, List.of(clusters), List.of(), false, Map.of(), List.of(), 0);
    }

    private static TargetRequest features(final String... features) {
        return new TargetRequest(null, List.of(), List.of(features), false, Map.of(), List.of(), 0);
    }

    private static TargetRequest software(final String... names) {
        return new TargetRequest(null, List.of(), List.of(), false, Map.of(), List.of(names), 0);
    }

    private static TargetRequest matlab(final int tokens) {
        return new TargetRequest(null, List.of(), List.of(), false, Map.of("matlab", tokens), List.of(), 0);
    }

    private static TargetRequest disk(final long mib) {
        return new TargetRequest(null, List.of(), List.of(), false, Map.of(), List.of(), mib);
    }

    private void submit(final Samples... samples) {
        for (final Samples sample : samples) {
            world.say(sample.submitted(world.now));
        }
        world.decide();
    }

    private void look() {
        world.pass(Duration.ofSeconds(11));
        world.clusters.values().forEach(ScriptedCluster::observe);
        world.decide();
    }

    private ClusterId placeOf(final Samples sample) {
        final Attempt attempt = world.job(sample).attempt();
        assertThat(attempt).as("placement, but %s", world.state(sample)).isNotNull();
        return attempt.cluster();
    }

    private String code(final Samples sample, final ClusterId cluster) {
        assertThat(world.state(sample)).isInstanceOf(Waiting.class);
        return world.plan(sample).vetoes().stream()
                .filter(veto -> veto.reason().startsWith(cluster + ":"))
                .map(Veto::code)
                .findFirst()
                .orElseThrow();
    }

    private void conditions(
            final ClusterId cluster,
            final @Nullable Long diskMib,
            final @Nullable Map<String, LicenceTokens> licences,
            final Maintenance... windows) {
        world.say(new ClusterConditions(cluster, diskMib, licences, List.of(windows)));
        look();
    }

    private void nodes(final ScriptedCluster cluster, final int cores, final String... features) {
        for (int i = 1; i <= 2; i++) {
            world.say(new NodeObserved(
                    cluster.id,
                    NodeName.of("n" + i),
                    NodeObserved.Availability.UP,
                    new Resources(cores, 1, 0, 0),
                    new Resources(cores, 1, 0, 0),
                    null,
                    i == 1 ? List.of(features) : List.of(),
                    List.of()));
        }
        look();
    }

    private void only(final ScriptedCluster cluster) {
        for (final ScriptedCluster other : List.of(alpha, beta, gamma)) {
            if (other != cluster) {
                other.occupy(other == alpha ? 8 : other == beta ? 16 : 32);
            }
        }
        look();
    }

    @Test
    void an_owners_list_of_clusters_is_tried_in_its_order_and_no_other_cluster_is() {
        submit(job("A").cores(4).requesting(clusters(null, BETA, ALPHA)));
        assertThat(placeOf(job("A")))
                .as("before the source cluster and the faster gamma")
                .isEqualTo(BETA);

        submit(job("B").cores(20).requesting(clusters(null, BETA, ALPHA)));
        assertThat(((Aborted) world.state(job("B"))).reason()).contains("beta").doesNotContain("gamma");
    }

    @Test
    void a_listed_cluster_that_becomes_idle_gets_the_job_and_another_one_does_not() {
        final JobKey onAlpha = alpha.occupy(8);
        final JobKey onBeta = beta.occupy(16);
        look();
        submit(job("A").cores(4).requesting(clusters(null, BETA)));
        assertThat(code(job("A"), BETA)).isEqualTo(VetoCode.NO_IDLE_CORES.code());
        assertThat(world.plan(job("A")).vetoes()).hasSize(1);

        alpha.end(onAlpha, new RunOutcome.Exited(0));
        look();
        assertThat(world.state(job("A"))).isInstanceOf(Waiting.class);
        beta.end(onBeta, new RunOutcome.Exited(0));
        look();
        assertThat(placeOf(job("A"))).isEqualTo(BETA);
    }

    @Test
    void a_rule_of_the_job_overrides_that_of_the_site() {
        final JobKey busy = alpha.occupy(8);
        look();
        submit(job("A").requesting(clusters(null)), job("B").requesting(clusters(TargetRule.DATA_LOCALITY)));
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
        assertThat(code(job("B"), GAMMA)).isEqualTo(VetoCode.PREFERS_OTHER_CLUSTER.code());
        alpha.end(busy, new RunOutcome.Exited(0));
        look();
        assertThat(placeOf(job("B"))).isEqualTo(ALPHA);
    }

    @Test
    void a_cluster_without_the_features_of_a_job_never_runs_it() {
        nodes(alpha, 4, "ib");
        nodes(beta, 8);
        nodes(gamma, 16, "gpu", "rack2");

        submit(job("A").cores(4).requesting(features("rack1|rack2", "gpu")));
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);

        submit(job("B").cores(5).requesting(features("ib")));
        assertThat(((Aborted) world.state(job("B"))).reason())
                .contains("alpha: 1 nodes with 4 cores have the features ib; 1 nodes with 5 cores requested");
    }

    @Test
    void a_job_waits_for_a_node_with_its_feature_although_others_are_idle() {
        only(alpha);
        nodes(alpha, 4, "ib");
        submit(job("A").cores(4).requesting(features("ib")), job("B").cores(4).requesting(features("ib")));
        assertThat(placeOf(job("A"))).isEqualTo(ALPHA);
        assertThat(code(job("B"), ALPHA)).isEqualTo(VetoCode.NO_SUITABLE_NODES.code());
    }

    @Test
    void whole_nodes_are_promised_as_wholes() {
        only(alpha);
        nodes(alpha, 4);
        final TargetRequest whole = new TargetRequest(null, List.of(), List.of(), true, Map.of(), List.of(), 0);
        submit(
                job("A").cores(1).requesting(whole),
                job("B").cores(1).requesting(whole),
                job("C").cores(1).requesting(whole));
        assertThat(placeOf(job("A"))).isEqualTo(ALPHA);
        assertThat(placeOf(job("B"))).isEqualTo(ALPHA);
        assertThat(code(job("C"), ALPHA)).isEqualTo(VetoCode.NO_SUITABLE_NODES.code());
    }

    @Test
    void a_name_of_the_site_becomes_the_partition_where_the_job_starts_now() {
        partition("a100", 1);
        partition("v100", 2);
        world.say(SiteMappingObserved.none(ALPHA)
                .naming(Map.of(
                        PartitionName.of("gpu"),
                        SitePartition.of(PartitionName.of("a100"), PartitionName.of("v100")))));
        look();

        submit(
                job("A").cores(2).in("gpu"),
                job("B").cores(4).in("gpu"),
                job("C").cores(2).in("a100"));
        assertThat(placeOf(job("A"))).isEqualTo(ALPHA);
        assertThat(submittedTo("A")).isEqualTo("a100");
        assertThat(submittedTo("B"))
                .as("two cores of a100 are idle, promised to A or taken by C")
                .isEqualTo("v100");
        assertThat(submittedTo("C")).isEqualTo("a100");
    }

    private void partition(final String name, final int node) {
        world.say(new PartitionObserved(
                ALPHA, PartitionName.of(name), true, false, 4, null, PartitionLimits.NONE, Access.EVERYBODY));
        world.say(new NodeObserved(
                ALPHA,
                NodeName.of("n" + node),
                NodeObserved.Availability.UP,
                new Resources(4, 1, 0, 0),
                new Resources(4, 1, 0, 0),
                null,
                List.of(),
                List.of(PartitionName.of(name))));
    }

    private String submittedTo(final String sample) {
        return world
                .commands(command -> command.action() instanceof Action.Submit submit
                        && submit.attempt().job().equals(job(sample).id()))
                .stream()
                .map(command -> ((Action.Submit) command.action()).spec().partition())
                .map(String::valueOf)
                .findFirst()
                .orElse("nowhere");
    }

    @Test
    void a_cluster_that_lists_software_must_list_that_of_the_job() {
        world.say(new SiteMappingObserved(ALPHA, false, Map.of(), Map.of(), Map.of("gcc", List.of("GCC/13"))));
        world.say(new SiteMappingObserved(GAMMA, false, Map.of(), Map.of(), Map.of("lammps", List.of("lammps/2023"))));
        look();
        submit(job("A").requesting(software("lammps")));
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);

        submit(job("B").requesting(software("lammps")).pinnedTo(ALPHA));
        assertThat(((Aborted) world.state(job("B"))).reason()).contains("alpha: does not have the software lammps");
    }

    @Test
    void licence_tokens_promised_to_a_job_are_not_promised_again() {
        only(alpha);
        conditions(ALPHA, null, Map.of("matlab", new LicenceTokens(5, 3)));
        submit(job("A").cores(1).requesting(matlab(2)), job("B").cores(1).requesting(matlab(2)));
        assertThat(placeOf(job("A"))).isEqualTo(ALPHA);
        assertThat(code(job("B"), ALPHA)).isEqualTo(VetoCode.LICENCES_IN_USE.code());

        conditions(ALPHA, null, Map.of("matlab", new LicenceTokens(5, 4)));
        assertThat(placeOf(job("B"))).isEqualTo(ALPHA);
        submit(job("C").cores(1).requesting(matlab(6)).pinnedTo(ALPHA));
        assertThat(((Aborted) world.state(job("C"))).reason())
                .contains("alpha: has 5 tokens of licence 'matlab', 6 requested");
    }

    @Test
    void a_cluster_with_too_little_free_space_gets_no_files_until_it_has_more() {
        only(beta);
        conditions(BETA, 30_000L, null);
        world.transfers.paused = true;
        submit(job("A").cores(4).requesting(disk(20_000)), job("B").cores(4).requesting(disk(20_000)));
        assertThat(placeOf(job("A"))).isEqualTo(BETA);
        assertThat(code(job("B"), BETA)).as("promised").isEqualTo(VetoCode.DISK_FULL.code());

        conditions(BETA, 50_000L, null);
        assertThat(placeOf(job("B"))).isEqualTo(BETA);

        conditions(BETA, 50L, null);
        submit(job("C").cores(4), job("D").cores(4).from(BETA).requesting(disk(20_000)));
        assertThat(code(job("C"), BETA)).as("a full disk").isEqualTo(VetoCode.DISK_FULL.code());
        assertThat(placeOf(job("D"))).as("its files are there already").isEqualTo(BETA);
    }

    @Test
    void a_job_that_would_run_into_a_maintenance_window_goes_elsewhere_or_waits() {
        final Instant begin = world.now.plus(Duration.ofHours(2));
        conditions(ALPHA, null, null, new Maintenance("disks", begin, begin.plusSeconds(3600), List.of()));
        submit(job("A").cores(4).hours(3));
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
        submit(job("B").cores(4).hours(1));
        assertThat(placeOf(job("B"))).as("ends before it").isEqualTo(ALPHA);

        only(alpha);
        submit(job("C").cores(4).hours(3));
        assertThat(code(job("C"), ALPHA)).isEqualTo(VetoCode.MAINTENANCE.code());
        conditions(ALPHA, null, null);
        assertThat(placeOf(job("C"))).isEqualTo(ALPHA);
    }

    @Test
    void nodes_outside_of_a_maintenance_window_run_the_job() {
        only(alpha);
        nodes(alpha, 4);
        final Maintenance half =
                new Maintenance("half", world.now, world.now.plus(Duration.ofHours(5)), List.of(NodeName.of("n2")));
        conditions(ALPHA, null, null, half);

        submit(job("A").cores(5).hours(1));
        assertThat(code(job("A"), ALPHA)).isEqualTo(VetoCode.MAINTENANCE.code());
        submit(job("B").cores(4).hours(1), job("C").cores(4).hours(1));
        assertThat(placeOf(job("B"))).isEqualTo(ALPHA);
        assertThat(code(job("C"), ALPHA)).isEqualTo(VetoCode.NO_SUITABLE_NODES.code());
    }
}
