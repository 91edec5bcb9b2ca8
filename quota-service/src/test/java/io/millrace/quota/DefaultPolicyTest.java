package io.millrace.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.testing.service.DefaultSettings;
import org.junit.jupiter.api.Test;

class DefaultPolicyTest {

    @Test
    void simulations_and_tests_run_with_the_policy_of_an_installation_that_sets_nothing() {
        assertThat(DefaultSettings.of(QuotaConfig.class).policy()).isEqualTo(QuotaPolicy.DEFAULT);
    }
}
