package io.millrace.quota.domain.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.PlacementRequest;
import io.millrace.model.JobKey;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.StartRule;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.plan.QuotaPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * a reclaim is planned only if the agent could start the beneficiary on what becomes free. The start of each kind of agent is
 * simulated here by itself: on any free cores (Slurm, PBS), with a number of cores on each node (Torque, {@code span[ptile]} of LSF), and by
 * {@code brun} of OpenLava, which fills each host that it is given.
 */
class ReclaimStartsTest {

    private static final int WORLDS = 2_000;

    private record Node(String name, int total, boolean up) {}

    private record Running(String name, Map<String, Integer> coresOn) {}

    private record World(
            QuotaScenario scene, List<Node> nodes, List<Running> running, int cores, int perNode, StartRule rule) {

        Map<String, Integer> freeWithout(final Set<JobKey> victims) {
            final Map<String, Integer> free = new LinkedHashMap<>();
            nodes.stream().filter(Node::up).forEach(node -> free.put(node.name(), node.total()));
            running.stream()
                    .filter(job -> !victims.contains(scene.key(job.name())))
                    .forEach(job -> job.coresOn()
                            .forEach((node, cores) -> free.computeIfPresent(node, (name, left) -> left - cores)));
            return free;
        }

        boolean canStart(final Map<String, Integer> free) {
            if (rule == StartRule.FILLS_NODES) {
                return fills(free, cores, Set.of());
            }
            return perNode == 0
                    ? free.values().stream().mapToInt(left -> left).sum() >= cores
                    : free.values().stream().filter(left -> left >= perNode).count() >= cores / perNode;
        }

        private boolean fills(final Map<String, Integer> free, final int left, final Set<String> named) {
            return left == 0
                    || nodes.stream().anyMatch(node -> {
                        final int taken = Math.min(left, node.total());
                        final boolean wanted = perNode == 0 || taken == Math.min(left, perNode);
                        return node.up()
                                && !named.contains(node.name())
                                && wanted
                                && taken <= free.get(node.name())
                                && fills(free, left - taken, with(named, node.name()));
                    });
        }

        private static Set<String> with(final Set<String> named, final String one) {
            final Set<String> more = new java.util.HashSet<>(named);
            more.add(one);
            return more;
        }
    }

    private static World world(final long seed, final StartRule rule) {
        final RandomGenerator random =
                RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        final List<Node> nodes = new ArrayList<>();
        final Map<String, Integer> free = new LinkedHashMap<>();
        for (int i = random.nextInt(2, 6); i > 0; i--) {
            final Node node = new Node("n" + i, random.nextInt(2, 5), random.nextInt(8) > 0);
            nodes.add(node);
            free.put(node.name(), node.total());
        }
        final List<Running> running = new ArrayList<>();
        for (int i = random.nextInt(3, 9); i > 0; i--) {
            final Map<String, Integer> on = new LinkedHashMap<>();
            for (int part = random.nextInt(3) == 0 ? 2 : 1; part > 0; part--) {
                final String node = nodes.get(random.nextInt(nodes.size())).name();
                final int cores = Math.min(free.get(node), random.nextInt(1, 4));
                if (cores > 0) {
                    on.merge(node, cores, Integer::sum);
                    free.merge(node, -cores, Integer::sum);
                }
            }
            if (!on.isEmpty()) {
                running.add(new Running("a" + i, on));
            }
        }
        final int up = nodes.stream().filter(Node::up).mapToInt(Node::total).sum();
        final QuotaScenario scene = QuotaScenario.cluster(up).quota("bob", 100).startsBy(rule);
        nodes.forEach(node -> scene.node(node.name(), node.total(), free.get(node.name())));
        nodes.stream().filter(node -> !node.up()).forEach(node -> scene.drained(node.name()));
        running.forEach(job -> scene.runs(
                job.name(),
                "anna",
                job.coresOn().values().stream().mapToInt(cores -> cores).sum(),
                random.nextInt(1, 60),
                job.coresOn().keySet().toArray(String[]::new)));
        final int perNode = random.nextInt(3) == 0 ? random.nextInt(1, 4) : 0;
        final int cores = perNode == 0 ? random.nextInt(1, 10) : perNode * random.nextInt(1, 4);
        scene.waits("b1", "bob", cores);
        if (perNode > 0) {
            scene.perNode(perNode);
        }
        return new World(scene, nodes, running, cores, perNode, rule);
    }

    @Test
    void a_reclaim_is_planned_only_if_the_agent_could_start_the_beneficiary_on_what_becomes_free() {
        for (final StartRule rule : StartRule.values()) {
            int planned = 0;
            for (long seed = 1; seed <= WORLDS; seed++) {
                final World world = world(seed, rule);
                final Set<JobKey> victims = victims(world.scene().plan());
                if (!victims.isEmpty()) {
                    planned++;
                    assertThat(world.canStart(world.freeWithout(victims)))
                            .as("seed " + seed + " " + world)
                            .isTrue();
                }
            }
            assertThat(planned).as("reclaims under %s", rule).isGreaterThan(WORLDS / 10);
        }
    }

    private static Set<JobKey> victims(final QuotaPlan plan) {
        return plan.reclaims().stream()
                .flatMap(command -> ((Action.Reclaim) command.action()).victims().stream())
                .collect(Collectors.toSet());
    }

    /** Three hosts of four slots; on each, one job within quota and one beyond. */
    private static QuotaScenario threeHosts() {
        final QuotaScenario scene = QuotaScenario.cluster(12)
                .quota("bob", 6)
                .quota("anna", 6)
                .startsBy(StartRule.FILLS_NODES)
                .node("head", 4, 0)
                .node("n1", 4, 0)
                .node("n2", 4, 0);
        for (final String host : List.of("head", "n1", "n2")) {
            scene.runs("g" + host, "anna", 2, 30, host).runs("b" + host, "anna", 2, 10, host);
        }
        return scene;
    }

    @Test
    void openlava_cannot_start_a_job_on_parts_of_two_hosts_so_jobs_of_one_host_are_preempted() {
        final QuotaScenario scene = threeHosts().waits("want4", "bob", 4);

        final Set<JobKey> victims = victims(scene.plan());
        assertThat(victims).hasSize(2);
        assertThat(List.of("head", "n1", "n2"))
                .anyMatch(host -> victims.equals(Set.of(scene.key("g" + host), scene.key("b" + host))));
    }

    @Test
    void nothing_is_preempted_for_a_layout_that_openlava_cannot_start() {
        final QuotaScenario scene = threeHosts().waits("ptile", "bob", 2).perNode(1);

        assertThat(victims(scene.plan())).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("ptile")).reason())
                .contains("fills each node of a job but the last");
    }

    /** Two tasks of three cores fit on four and two cores as one job, but not one by one. */
    @Test
    void tasks_that_fit_only_as_one_job_are_not_made_room_for_together() {
        final QuotaScenario scene = QuotaScenario.cluster(8)
                .quota("bob", 8)
                .startsBy(StartRule.FILLS_NODES)
                .node("n1", 4, 0)
                .node("n2", 4, 0)
                .runs("a1", "anna", 4, 30, "n1")
                .runs("a2", "anna", 2, 20, "n2")
                .runs("b2", "bob", 2, 20, "n2")
                .waits("tasks", "bob", 3)
                .array(2);

        assertThat(victims(scene.offering(Capability.START_TASKS).plan())).containsExactly(scene.key("a1"));
    }

    @Test
    void after_a_start_that_fits_nowhere_nothing_is_preempted_until_the_request_or_the_nodes_change() {
        final QuotaScenario scene = threeHosts().waits("want4", "bob", 4);
        final Command reclaim = scene.plan().reclaims().getFirst();
        scene.commands.apply(reclaim, 1);
        scene.commands.apply(new Outcome(
                reclaim.id(),
                QuotaScenario.ALPHA,
                Issuer.QUOTA,
                reclaim.action().name(),
                reclaim.action().subject(),
                QuotaScenario.NOON,
                Result.Failed.doesNotFit(
                        "job alpha/want4 cannot start there",
                        PlacementRequest.of(scene.view().job(scene.key("want4")))
                                .onNodes(scene.view().nodes()))));
        final java.time.Instant later = QuotaScenario.NOON.plusSeconds(1800);
        scene.observed(later);

        final QuotaPlan blocked = scene.plan(later);
        assertThat(victims(blocked)).isEmpty();
        assertThat(blocked.vetoes().get(scene.key("want4")).code()).isEqualTo(VetoCode.NO_SUITABLE_NODES.code());
        assertThat(blocked.vetoes().get(scene.key("want4")).reason()).contains("until its request or the nodes change");

        scene.node("n3", 2, 0);
        assertThat(victims(scene.plan(later))).as("another node").isNotEmpty();
    }
}
