package io.millrace.classifier;

import io.millrace.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
    @Test
    void the_four_sentences_hold() {
        Layers.checkWithPlans("io.millrace.classifier");
    }
}
