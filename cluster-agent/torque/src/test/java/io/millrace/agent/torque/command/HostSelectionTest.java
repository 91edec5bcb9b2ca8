package io.millrace.agent.torque.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.torque.query.NodeSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class HostSelectionTest {

    private static HostSelection.FreeNode node(final String host, final int cores, final String... words) {
        final Set<String> all = new HashSet<>(Set.of(words));
        all.add(host);
        return new HostSelection.FreeNode(host, all, cores, 0, 64_000);
    }

    private static String choose(final String spec, final boolean spread, final HostSelection.FreeNode... rooms) {
        return HostSelection.choose(NodeSpec.read(spec), spread, 0, List.of(rooms))
                .orElse("does not fit");
    }

    @Test
    void a_job_goes_to_the_fullest_node_that_fits() {
        assertThat(choose("1:ppn=2", false, node("a", 8), node("b", 3), node("c", 1)))
                .isEqualTo("b:ppn=2");
    }

    @Test
    void each_requested_node_is_a_different_one() {
        assertThat(choose("2:ppn=2", false, node("a", 8), node("b", 3))).isEqualTo("b:ppn=2+a:ppn=2");
        assertThat(choose("2:ppn=4", false, node("a", 8), node("b", 3))).isEqualTo("does not fit");
    }

    @Test
    void properties_and_node_names_are_respected() {
        assertThat(choose("1:ppn=1+1:ppn=1:bigmem", false, node("a", 1, "bigmem"), node("b", 4)))
                .isEqualTo("a:ppn=1+b:ppn=1");
        assertThat(choose("n7:ppn=2", false, node("n6", 8), node("n7", 2))).isEqualTo("n7:ppn=2");
        assertThat(choose("n7:ppn=2", true, node("n6", 8), node("n7", 1)))
                .as("the adapter sets spread only for jobs without node names")
                .isEqualTo("n6:ppn=2");
    }

    @Test
    void cores_without_a_layout_use_any_free_cores() {
        assertThat(choose("1:ppn=4", true, node("a", 2), node("b", 1), node("c", 1)))
                .isEqualTo("a:ppn=2+b:ppn=1+c:ppn=1");
        assertThat(choose("1:ppn=5", true, node("a", 2), node("b", 1), node("c", 1)))
                .isEqualTo("does not fit");
    }

    @Test
    void gpus_and_memory_are_checked() {
        final List<HostSelection.FreeNode> rooms = List.of(
                new HostSelection.FreeNode("cpu", Set.of("cpu"), 4, 0, 8_000),
                new HostSelection.FreeNode("gpu", Set.of("gpu"), 8, 2, 64_000));
        assertThat(HostSelection.choose(NodeSpec.read("1:ppn=2:gpus=1"), false, 0, rooms))
                .contains("gpu:ppn=2:gpus=1");
        assertThat(HostSelection.choose(NodeSpec.read("1:ppn=2"), false, 0, rooms))
                .contains("cpu:ppn=2");
        assertThat(HostSelection.choose(NodeSpec.read("1:ppn=2"), false, 32_000, rooms))
                .contains("gpu:ppn=2");
        assertThat(HostSelection.choose(NodeSpec.read("1:ppn=2:gpus=3"), false, 0, rooms))
                .isEmpty();
    }
}
