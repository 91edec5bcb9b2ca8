package io.millrace.model.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeRoomTest {

    private static final NodeName N1 = NodeName.of("n1");
    private static final NodeName N2 = NodeName.of("n2");

    private static NodeObserved node(final NodeName name, final Availability availability, final int free) {
        return new NodeObserved(
                ClusterId.of("alpha"), name, availability, Resources.cores(8), Resources.cores(free), null);
    }

    private static Resources job(final int cores, final int nodes) {
        return new Resources(cores, nodes, 0, 0);
    }

    private final NodeRoom room = NodeRoom.of(List.of(node(N1, Availability.UP, 4), node(N2, Availability.UP, 6)));

    @Test
    void each_node_must_have_its_share_free() {
        assertThat(room.fits(job(6, 1))).isTrue();
        assertThat(room.fits(job(7, 1))).isFalse();
        assertThat(room.fits(job(8, 2))).isTrue();
        assertThat(room.fits(job(9, 2))).as("five on one of them").isFalse();
        assertThat(room.fits(job(3, 3))).isFalse();
    }

    @Test
    void cores_that_may_lie_anywhere_are_not_asked_about_nodes() {
        assertThat(room.fits(job(100, 0))).isTrue();
        assertThat(room.fits(job(9, 1)))
                .as("no node is that large, so one node cannot be what is meant")
                .isTrue();
        assertThat(NodeRoom.of(List.of()).fits(job(4, 1))).isTrue();
    }

    @Test
    void a_job_takes_the_fullest_nodes_that_can_have_it_and_gives_them_back() {
        assertThat(room.take(job(3, 1))).containsExactly(N1);
        assertThat(room.fits(job(6, 1))).isTrue();
        assertThat(room.take(job(5, 0))).as("one left on n1, four of n2").containsExactly(N1, N2);
        assertThat(room.fits(job(2, 1))).isTrue();
        assertThat(room.fits(job(3, 1))).isFalse();

        room.give(job(3, 1), List.of(N1));
        assertThat(room.fits(job(3, 1))).isTrue();
        room.takeBack(job(3, 1), List.of(N1));
        assertThat(room.fits(job(3, 1))).isFalse();
    }

    @Test
    void a_copy_is_independent() {
        final NodeRoom copy = room.copy();
        copy.take(job(6, 1));

        assertThat(copy.fits(job(6, 1))).isFalse();
        assertThat(room.fits(job(6, 1))).isTrue();
    }

    @Test
    void nodes_that_are_not_up_have_no_room_and_get_none_back() {
        final NodeRoom drained = NodeRoom.of(List.of(node(N1, Availability.DRAINED, 8), node(N2, Availability.UP, 2)));
        drained.give(job(4, 1), List.of(N1));

        assertThat(drained.fits(job(3, 1))).isFalse();
        assertThat(drained.fits(job(2, 1))).isTrue();
    }
}
