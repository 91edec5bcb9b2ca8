package io.millrace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FreeNodeCapacityTest {

    private static final NodeName N1 = NodeName.of("n1");
    private static final NodeName N2 = NodeName.of("n2");

    private static NodeObserved node(final NodeName name, final Availability availability, final int free) {
        return new NodeObserved(
                ClusterId.of("alpha"),
                name,
                availability,
                Resources.cores(8),
                Resources.cores(free),
                null,
                List.of(),
                List.of());
    }

    private static Resources job(final int cores, final int nodes) {
        return new Resources(cores, nodes, 0, 0);
    }

    private final FreeNodeCapacity room =
            FreeNodeCapacity.of(List.of(node(N1, Availability.UP, 4), node(N2, Availability.UP, 6)));

    @Test
    void each_node_must_have_its_share_free() {
        assertThat(room.fits(job(6, 1))).isTrue();
        assertThat(room.fits(job(7, 1))).isFalse();
        assertThat(room.fits(job(8, 2))).isTrue();
        assertThat(room.fits(job(9, 2))).as("five on one of them").isFalse();
        assertThat(room.fits(job(3, 3))).isFalse();
    }

    @Test
    void a_node_that_is_observed_again_is_as_if_seen_for_the_first_time() {
        room.observe(node(N1, Availability.UP, 8));
        room.observe(node(N2, Availability.UP, 0));
        assertThat(room.fits(job(8, 1))).isTrue();
        assertThat(room.fits(job(2, 2))).isFalse();
        assertThat(room.take(job(8, 1))).containsExactly(N1);
        assertThat(room.fits(job(1, 1))).isFalse();
    }

    @Test
    void cores_that_may_lie_anywhere_are_not_asked_about_nodes() {
        assertThat(room.fits(job(100, 0))).isTrue();
        assertThat(room.fits(job(9, 1)))
                .as("no node is that large, so one node cannot be what is meant")
                .isTrue();
        assertThat(FreeNodeCapacity.of(List.of()).fits(job(4, 1))).isTrue();
    }

    @Test
    void a_job_takes_the_fullest_nodes_that_can_have_it_and_gives_them_back() {
        assertThat(room.take(job(3, 1))).containsExactly(N1);
        assertThat(room.fits(job(6, 1))).isTrue();
        assertThat(room.take(job(5, 0))).as("one left on n1, four of n2").containsExactly(N1, N2);
        assertThat(room.fits(job(2, 1))).isTrue();
        assertThat(room.fits(job(3, 1))).isFalse();

        room.give(room.leastShares(PlacementRequest.of(job(3, 1)), List.of(N1)));
        assertThat(room.fits(job(3, 1))).isTrue();
        room.takeBack(job(3, 1), List.of(N1));
        assertThat(room.fits(job(3, 1))).isFalse();
    }

    @Test
    void a_copy_is_independent() {
        final FreeNodeCapacity copy = room.copy();
        copy.take(job(6, 1));

        assertThat(copy.fits(job(6, 1))).isFalse();
        assertThat(room.fits(job(6, 1))).isTrue();
    }

    @Test
    void nodes_that_are_not_up_have_no_room_and_get_none_back() {
        final FreeNodeCapacity drained =
                FreeNodeCapacity.of(List.of(node(N1, Availability.DRAINED, 8), node(N2, Availability.UP, 2)));
        drained.give(drained.leastShares(PlacementRequest.of(job(4, 1)), List.of(N1)));

        assertThat(drained.fits(job(3, 1))).isFalse();
        assertThat(drained.fits(job(2, 1))).isTrue();
    }

    // ---- memory, accelerators, features, partitions, whole nodes

    private static final PartitionName MAIN = PartitionName.of("main");
    private static final PartitionName FAT = PartitionName.of("fat");

    private static NodeObserved rich(
            final String name,
            final Resources total,
            final Resources free,
            final List<String> features,
            final PartitionName... of) {
        return new NodeObserved(
                ClusterId.of("alpha"), NodeName.of(name), Availability.UP, total, free, null, features, List.of(of));
    }

    private final FreeNodeCapacity rich = FreeNodeCapacity.of(List.of(
            rich("thin", new Resources(8, 1, 16_000, 0), new Resources(8, 1, 4_000, 0), List.of("ib"), MAIN),
            rich("gpu", new Resources(8, 1, 64_000, 4), new Resources(6, 1, 60_000, 2), List.of("ib", "a100"), MAIN),
            rich("fat", new Resources(8, 1, 512_000, 0), new Resources(8, 1, 512_000, 0), List.of(), FAT)));

    private static PlacementRequest demand(
            final Resources resources, final Placement placement, final @Nullable PartitionName partition) {
        return new PlacementRequest(resources, placement, partition);
    }

    private static Placement with(
            final List<String> features, final int coresPerNode, final boolean exclusive, final NodeName... named) {
        return new Placement(features, coresPerNode, exclusive, List.of(named), Map.of());
    }

    @Test
    void cores_without_their_memory_are_no_room() {
        assertThat(rich.fits(demand(new Resources(4, 1, 8_000, 0), Placement.ANYWHERE, MAIN)))
                .as("the node with accelerators has it")
                .isTrue();
        assertThat(rich.fits(demand(new Resources(7, 1, 8_000, 0), Placement.ANYWHERE, MAIN)))
                .as("one has the cores, the other the memory")
                .isFalse();
        assertThat(rich.fits(demand(new Resources(7, 1, 8_000, 0), Placement.ANYWHERE, FAT)))
                .isTrue();
        assertThat(rich.fits(demand(new Resources(10, 0, 40_000, 0), Placement.ANYWHERE, MAIN)))
                .as("4 GB for each core: one on the thin node, six on the other")
                .isFalse();
        assertThat(rich.fits(demand(new Resources(7, 0, 28_000, 0), Placement.ANYWHERE, MAIN)))
                .isTrue();
    }

    @Test
    void features_accelerators_and_named_nodes_choose_the_node() {
        assertThat(rich.take(demand(new Resources(2, 0, 0, 2), Placement.ANYWHERE, MAIN))
                        .getLast())
                .isEqualTo(NodeName.of("gpu"));
        assertThat(rich.fits(demand(new Resources(1, 1, 0, 1), Placement.ANYWHERE, MAIN)))
                .as("both are taken")
                .isFalse();
        assertThat(rich.take(demand(Resources.cores(2), with(List.of("ib"), 0, false, NodeName.of("thin")), null)))
                .containsExactly(NodeName.of("thin"));
        assertThat(rich.fits(demand(Resources.cores(2), with(List.of("a100", "fast"), 0, false), null)))
                .isFalse();
    }

    @Test
    void whole_nodes_must_be_empty_and_are_taken_whole() {
        final PlacementRequest whole = demand(new Resources(1, 1, 0, 0), with(List.of(), 0, true), MAIN);
        final List<NodeShare> on = rich.choose(whole, rich);
        assertThat(on).containsExactly(new NodeShare(0, 8, 0, 0));
        assertThat(rich.take(whole)).containsExactly(NodeName.of("thin"));
        assertThat(rich.fits(whole)).as("somebody is on the other one").isFalse();
        rich.give(on);
        assertThat(rich.fits(demand(new Resources(8, 1, 0, 0), Placement.ANYWHERE, MAIN)))
                .isTrue();
    }

    @Test
    void so_many_cores_on_each_node() {
        assertThat(rich.fits(demand(Resources.cores(12), with(List.of(), 6, false), MAIN)))
                .isTrue();
        assertThat(rich.fits(demand(Resources.cores(14), with(List.of(), 7, false), MAIN)))
                .isFalse();
    }

    @Test
    void what_no_node_will_ever_have_is_named() {
        assertThat(rich.never(demand(new Resources(1, 1, 0, 8), Placement.ANYWHERE, MAIN)))
                .isEqualTo("needs 1 node(s) with 1 cores and 8 GPUs each, 0 have that");
        assertThat(rich.never(demand(Resources.cores(1), with(List.of("knl"), 0, false), MAIN)))
                .isEqualTo("no node has [knl] in partition 'main'");
        assertThat(rich.never(demand(new Resources(8, 1, 0, 4), Placement.ANYWHERE, MAIN)))
                .as("busy now, but it could")
                .isNull();
    }

    @Test
    void a_suspended_job_resumes_on_its_own_nodes_or_not_at_all() {
        assertThat(room.hasCoresOn(job(4, 1), List.of(N1))).isTrue();
        assertThat(room.hasCoresOn(job(5, 1), List.of(N1)))
                .as("though n2 has them")
                .isFalse();
        assertThat(room.hasCoresOn(job(10, 2), List.of(N1, N2)))
                .as("five on each")
                .isFalse();
        assertThat(room.hasCoresOn(job(8, 2), List.of(N1, N2))).isTrue();
        assertThat(room.hasCoresOn(job(1, 1), List.of(NodeName.of("down")))).isFalse();
        assertThat(FreeNodeCapacity.of(List.of()).hasCoresOn(job(4, 1), List.of(N1)))
                .as("nothing is known")
                .isTrue();
    }

    @Test
    void spreadable_cores_take_from_each_node_what_is_free_there_and_give_back_the_same() {
        final PlacementRequest six = demand(Resources.cores(6), Placement.ANYWHERE, null);
        final List<NodeShare> on = room.choose(six, room);

        assertThat(on).containsExactly(new NodeShare(0, 4, 0, 0), new NodeShare(1, 2, 0, 0));
        room.take(on);
        assertThat(room.hasRoomFor(demand(Resources.cores(4), Placement.ANYWHERE, null)))
                .isTrue();
        assertThat(room.hasRoomFor(demand(Resources.cores(5), Placement.ANYWHERE, null)))
                .isFalse();
        room.give(on);
        assertThat(room.fits(job(6, 1))).isTrue();
    }

    @Test
    void what_must_fit_now_and_later_goes_where_both_have_room() {
        final FreeNodeCapacity later = room.copy();
        later.take(job(6, 1));

        assertThat(room.choose(PlacementRequest.of(job(3, 1)), later)).containsExactly(new NodeShare(0, 3, 0, 0));
        assertThat(room.choose(PlacementRequest.of(job(5, 1)), later)).isEmpty();
    }

    @Test
    void a_job_with_gpus_fits_if_and_only_if_nodes_can_be_chosen_for_it_whatever_was_taken_and_given_back() {
        final Random random = new Random(20261121);
        final FreeNodeCapacity busy = FreeNodeCapacity.of(IntStream.range(0, 12)
                .mapToObj(i -> rich(
                        "n" + i, new Resources(8, 1, 64_000, i % 4), new Resources(8, 1, 64_000, i % 4), List.of()))
                .toList());
        final List<List<NodeShare>> taken = new ArrayList<>();
        int fitted = 0;
        for (int step = 0; step < 2_000; step++) {
            final int nodes = random.nextInt(4);
            final PlacementRequest job =
                    PlacementRequest.of(new Resources(1 + random.nextInt(8), nodes, 0, 1 + random.nextInt(4)));
            final List<NodeShare> on = busy.choose(job, busy);
            assertThat(busy.fits(job)).as("step %d: %s", step, job).isEqualTo(!on.isEmpty());
            if (!on.isEmpty()) {
                fitted++;
                busy.take(on);
                taken.add(on);
            }
            if (!taken.isEmpty() && random.nextBoolean()) {
                busy.give(taken.remove(random.nextInt(taken.size())));
            }
        }
        assertThat(fitted).isBetween(200, 1_800);
    }
}
