package io.millrace.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import org.junit.jupiter.api.Test;

class OvercommitmentWarningTest {

    private final OvercommitmentWarning overcommitment = new OvercommitmentWarning(ClusterId.of("alpha"));

    @Test
    void quotas_that_exceed_the_cluster_are_logged_once_per_occurrence() {
        assertThat(overcommitment.check(64, 64)).isFalse();
        assertThat(overcommitment.check(65, 64)).isTrue();
        assertThat(overcommitment.check(65, 64)).as("the next revision").isFalse();
        assertThat(overcommitment.check(70, 64)).isTrue();
        assertThat(overcommitment.check(60, 64)).isFalse();
        assertThat(overcommitment.check(70, 64)).as("again").isTrue();
        assertThat(overcommitment.check(70, 0)).as("nothing is known of it yet").isFalse();
    }
}
