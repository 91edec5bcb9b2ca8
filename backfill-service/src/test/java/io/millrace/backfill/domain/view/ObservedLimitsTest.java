package io.millrace.backfill.domain.view;

import static io.millrace.backfill.domain.view.TestCluster.NOON;
import static io.millrace.backfill.domain.view.TestCluster.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.IneligibleJob;
import io.millrace.model.NodeName;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.Maintenance;
import io.millrace.model.cluster.StartRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What an agent observes of its cluster limits the starts that are planned there. */
class ObservedLimitsTest {

    private static List<String> started(final TestCluster scene) {
        return scene.plan().starts().stream()
                .map(start -> start.job().job().id().local())
                .toList();
    }

    private static Map<String, String> vetoes(final TestCluster scene) {
        return scene.queue().ineligible().stream()
                .collect(Collectors.toMap(
                        ineligible -> ineligible.job().id().local(),
                        (IneligibleJob ineligible) -> ineligible.veto().code()));
    }

    @Test
    void a_layout_that_no_start_can_give_is_a_veto_and_holds_up_nobody() {
        final TestCluster scene = TestCluster.scene(12)
                .startsBy(StartRule.FILLS_NODES)
                .node("head", 4, 4)
                .node("n1", 4, 4)
                .node("n2", 4, 4)
                .has(
                        job("ptile").cores(2).perNode(1),
                        job("onehost").cores(4).perNode(4),
                        job("five").cores(5));

        assertThat(vetoes(scene)).containsExactly(Map.entry("ptile", VetoCode.NO_SUITABLE_NODES.code()));
        assertThat(started(scene)).containsExactly("onehost", "five");
    }

    @Test
    void openlava_starts_no_job_on_parts_of_several_hosts() {
        final TestCluster scene = TestCluster.scene(8)
                .startsBy(StartRule.FILLS_NODES)
                .node("n1", 4, 2)
                .node("n2", 4, 2)
                .has(
                        job("a").cores(2).runningFor(10, "n1"),
                        job("b").cores(2).runningFor(20, "n2"),
                        job("four").cores(4),
                        job("two").cores(2).minutes(5));

        assertThat(started(scene)).containsExactly("two");
        assertThat(started(TestCluster.scene(8)
                        .node("n1", 4, 2)
                        .node("n2", 4, 2)
                        .has(
                                job("a").cores(2).runningFor(10, "n1"),
                                job("b").cores(2).runningFor(20, "n2"),
                                job("four").cores(4))))
                .containsExactly("four");
    }

    @Test
    void tokens_in_use_and_those_that_the_cluster_does_not_have() {
        final TestCluster scene = TestCluster.scene(8)
                .conditions(Map.of("ansys", new LicenceTokens(4, 2)))
                .has(
                        job("five").licences("ansys", 5),
                        job("three").licences("ansys", 3),
                        job("two").licences("ansys", 2).minutes(5));

        assertThat(vetoes(scene)).containsExactly(Map.entry("five", VetoCode.EXCEEDS_LICENCES.code()));
        assertThat(started(scene)).doesNotContain("five", "three");
    }

    @Test
    void a_job_that_would_run_into_maintenance_does_not_start() {
        final Maintenance all =
                new Maintenance("pm", NOON.plus(Duration.ofMinutes(30)), NOON.plus(Duration.ofHours(3)), List.of());
        assertThat(started(TestCluster.scene(8)
                        .conditions(null, all)
                        .has(job("long").hours(1), job("short").minutes(20))))
                .containsExactly("short");

        final Maintenance one = new Maintenance("n1", all.from(), all.until(), List.of(NodeName.of("n1")));
        assertThat(started(TestCluster.scene(8)
                        .node("n1", 4, 4)
                        .node("n2", 4, 4)
                        .conditions(null, one)
                        .has(
                                job("wide").cores(5).hours(1),
                                job("narrow").cores(4).hours(1))))
                .containsExactly("narrow");
    }

    @Test
    void who_may_not_use_a_partition_starts_nothing_there() {
        final TestCluster scene = TestCluster.scene(8)
                .partitionOf("main", 8, "bob")
                .partitionOf("free", 8)
                .has(job("denied"), job("allowed").in("free"));

        assertThat(vetoes(scene)).containsExactly(Map.entry("denied", VetoCode.ACCESS_DENIED.code()));
        assertThat(started(scene)).containsExactly("allowed");
    }
}
