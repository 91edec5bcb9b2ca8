package io.millrace.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CorePlacementTest {

    private static final Map<String, Integer> FREE = new TreeMap<>(Map.of("n1", 4, "n2", 2, "n3", 3));

    @Test
    void a_job_is_placed_on_the_node_with_the_fewest_idle_cores_that_fits_it() {
        assertThat(CorePlacement.place(Resources.cores(2), FREE)).contains(Map.of("n2", 2));
        assertThat(CorePlacement.place(Resources.cores(3), FREE)).contains(Map.of("n3", 3));
    }

    @Test
    void a_wide_job_uses_as_few_nodes_as_possible() {
        assertThat(CorePlacement.place(Resources.cores(6), FREE)).contains(Map.of("n1", 4, "n3", 2));
        assertThat(CorePlacement.place(Resources.cores(9), FREE)).contains(Map.of("n1", 4, "n2", 2, "n3", 3));
        assertThat(CorePlacement.place(Resources.cores(10), FREE)).isEmpty();
    }

    @Test
    void a_job_that_requests_nodes_is_distributed_evenly() {
        assertThat(CorePlacement.place(new Resources(5, 2, 0, 0), FREE)).contains(Map.of("n1", 3, "n3", 2));
        assertThat(CorePlacement.place(new Resources(9, 3, 0, 0), FREE))
                .as("n2 has only two cores")
                .isEmpty();
        assertThat(CorePlacement.place(new Resources(2, 4, 0, 0), FREE)).isEmpty();
    }
}
