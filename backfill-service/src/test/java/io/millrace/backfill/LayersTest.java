package io.millrace.backfill;

import io.millrace.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
    @Test
    void layers_depend_only_on_those_below() {
        Layers.check("io.millrace.backfill");
    }
}
