package io.millrace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.Placement;
import io.millrace.model.cluster.StartRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Against a simulation of {@code brun} of OpenLava, which is tried with every order of every set of nodes. */
class FilledNodesTest {

    private static final int WORLDS = 3_000;

    private record Node(int total, int free) {}

    private static final FilledNodes<Node> RULE = new FilledNodes<>(Node::total, Node::free);

    /** Cores that brun takes on each of these nodes. */
    private static List<Integer> taken(final int cores, final List<Node> named) {
        final List<Integer> taken = new ArrayList<>();
        int left = cores;
        for (final Node node : named) {
            taken.add(Math.min(left, node.total()));
            left -= Math.min(left, node.total());
        }
        return left > 0 ? List.of() : taken;
    }

    private static boolean isRight(final int cores, final int perNode, final List<Node> named) {
        final List<Integer> taken = taken(cores, named);
        int left = cores;
        for (int i = 0; i < taken.size(); i++) {
            final int wanted = perNode == 0 ? taken.get(i) : Math.min(left, perNode);
            if (taken.get(i) == 0
                    || taken.get(i) != wanted
                    || taken.get(i) > named.get(i).free()) {
                return false;
            }
            left -= wanted;
        }
        return !taken.isEmpty();
    }

    private static boolean isPossible(
            final int cores, final int perNode, final List<Node> named, final List<Node> others) {
        if (isRight(cores, perNode, named)) {
            return true;
        }
        for (int i = 0; i < others.size(); i++) {
            final List<Node> more = new ArrayList<>(named);
            final List<Node> fewer = new ArrayList<>(others);
            more.add(fewer.remove(i));
            if (isPossible(cores, perNode, more, fewer)) {
                return true;
            }
        }
        return false;
    }

    private static List<Node> nodes(final RandomGenerator random) {
        final List<Node> nodes = new ArrayList<>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            final int total = random.nextInt(1, 5);
            nodes.add(new Node(total, random.nextBoolean() ? total : random.nextInt(total + 1)));
        }
        return nodes;
    }

    private static RandomGenerator random(final long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    @Test
    void nodes_are_selected_if_and_only_if_brun_can_start_the_job_on_some() {
        int startable = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            final RandomGenerator random = random(seed);
            final List<Node> nodes = nodes(random);
            final int cores = random.nextInt(1, 12);
            final int perNode = random.nextBoolean() ? 0 : random.nextInt(1, cores + 1);
            final List<Node> chosen = RULE.choose(cores, perNode, nodes);
            final String world = "seed " + seed + ": " + cores + " cores, " + perNode + " per node, " + nodes;
            assertThat(!chosen.isEmpty()).as(world).isEqualTo(isPossible(cores, perNode, List.of(), nodes));
            assertThat(chosen.isEmpty() || isRight(cores, perNode, chosen))
                    .as(world)
                    .isTrue();
            startable += chosen.isEmpty() ? 0 : 1;
        }
        assertThat(startable).isBetween(WORLDS / 4, WORLDS * 3 / 4);
    }

    @Test
    void free_capacity_agrees_and_takes_what_brun_takes() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            final RandomGenerator random = random(seed);
            final List<Node> nodes = nodes(random);
            final int perNode = random.nextBoolean() ? 0 : random.nextInt(1, 4);
            final int cores = perNode == 0 ? random.nextInt(1, 12) : perNode * random.nextInt(1, 4);
            final PlacementRequest job = new PlacementRequest(
                    new Resources(cores, perNode == 0 ? 0 : cores / perNode, 0, 0),
                    new Placement(List.of(), perNode, false, List.of(), Map.of()),
                    null);
            final FreeNodeCapacity capacity = FreeNodeCapacity.of(observed(nodes), StartRule.FILLS_NODES);
            final boolean possible = isPossible(cores, perNode, List.of(), nodes);
            final String world = "seed " + seed + ": " + cores + " cores, " + perNode + " per node, " + nodes;
            assertThat(capacity.fits(job)).as(world).isEqualTo(possible);
            assertThat(capacity.hasRoomFor(job)).as(world).isEqualTo(possible);
            if (possible) {
                assertThat(capacity.never(job)).as(world).isNull();
                final List<NodeShare> shares = capacity.choose(job, capacity);
                assertThat(shares.stream().map(NodeShare::cores))
                        .as(world)
                        .containsExactlyElementsOf(taken(
                                cores,
                                shares.stream()
                                        .map(share -> nodes.get(share.node()))
                                        .toList()));
            }
        }
    }

    @Test
    void a_layout_that_no_set_of_empty_nodes_gives_can_never_start() {
        final FreeNodeCapacity capacity = FreeNodeCapacity.of(
                observed(List.of(new Node(4, 0), new Node(4, 0), new Node(4, 4))), StartRule.FILLS_NODES);

        assertThat(capacity.never(request(2, 1)))
                .contains("fills each node of a job but the last")
                .contains("1 cores on each of 2 nodes");
        assertThat(capacity.never(request(8, 4))).isNull();
        assertThat(capacity.never(request(5, 0))).isNull();
        assertThat(capacity.never(request(13, 0))).contains("13 cores");
    }

    private static PlacementRequest request(final int cores, final int perNode) {
        return new PlacementRequest(
                Resources.cores(cores), new Placement(List.of(), perNode, false, List.of(), Map.of()), null);
    }

    private static List<NodeObserved> observed(final List<Node> nodes) {
        final List<NodeObserved> observed = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            observed.add(new NodeObserved(
                    ClusterId.of("alpha"),
                    NodeName.of("n" + i),
                    Availability.UP,
                    Resources.cores(nodes.get(i).total()),
                    Resources.cores(nodes.get(i).free()),
                    null,
                    List.of(),
                    List.of()));
        }
        return observed;
    }
}
