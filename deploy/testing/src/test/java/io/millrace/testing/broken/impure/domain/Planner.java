package io.millrace.testing.broken.impure.domain;

import org.assertj.core.api.Assertions;

class Planner {
    void plan(int cores) {
        Assertions.assertThat(cores).isPositive();
    }
}
