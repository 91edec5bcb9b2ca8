package io.millrace.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.testing.service.DefaultSettings;
import org.junit.jupiter.api.Test;

class DefaultPolicyTest {

    @Test
    void simulations_and_tests_run_with_the_policy_of_an_installation_that_sets_nothing() {
        assertThat(DefaultSettings.of(MigrationConfig.class).policy()).isEqualTo(MigrationPolicy.DEFAULT);
    }
}
