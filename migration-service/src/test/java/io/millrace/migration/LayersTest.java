package io.millrace.migration;

import io.millrace.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
    @Test
    void the_architecture_rules_hold() {
        Layers.checkWithPlans("io.millrace.migration");
    }
}
