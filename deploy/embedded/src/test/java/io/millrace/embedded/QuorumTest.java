package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuorumTest {

    private static final List<String> THREE = List.of("127.0.0.1:4001", "127.0.0.1:4002", "127.0.0.1:4003");

    @Test
    void a_single_node_keeps_one_copy() {
        assertThat(Quorum.alone(4001).settings())
                .containsEntry("node.id", "1")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:4001")
                .containsEntry("default.replication.factor", "1")
                .containsEntry("offsets.topic.replication.factor", "1")
                .containsEntry("transaction.state.log.replication.factor", "1")
                .containsEntry("transaction.state.log.min.isr", "1")
                .containsEntry("min.insync.replicas", "1")
                .containsEntry("broker.session.timeout.ms", "30000");
    }

    @Test
    void three_nodes_keep_three_copies_and_confirm_two() {
        assertThat(new Quorum(2, THREE).settings())
                .containsEntry("node.id", "2")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:4001,2@127.0.0.1:4002,3@127.0.0.1:4003")
                .containsEntry("default.replication.factor", "3")
                .containsEntry("offsets.topic.replication.factor", "3")
                .containsEntry("transaction.state.log.replication.factor", "3")
                .containsEntry("transaction.state.log.min.isr", "2")
                .containsEntry("min.insync.replicas", "2")
                .doesNotContainKey("broker.session.timeout.ms");
        assertThat(new Quorum(2, THREE).address()).isEqualTo("127.0.0.1:4002");
    }

    @Test
    void the_nodes_of_a_cluster_agree_on_its_id_and_other_clusters_have_another_one() {
        assertThat(new Quorum(1, THREE).clusterId()).isEqualTo(new Quorum(3, THREE).clusterId());
        List<String> ids = IntStream.range(4_000, 5_000)
                .mapToObj(port -> Quorum.alone(port).clusterId().toString())
                .toList();
        assertThat(ids).doesNotHaveDuplicates().noneMatch(id -> id.startsWith("-"));
    }

    @Test
    void a_node_that_is_not_in_the_list_is_refused() {
        assertThatThrownBy(() -> new Quorum(4, THREE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node 4 is not one of the 3 nodes");
    }
}
