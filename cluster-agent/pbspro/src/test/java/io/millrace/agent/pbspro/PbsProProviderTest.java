package io.millrace.agent.pbspro;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.api.Test;

class PbsProProviderTest {

    @Test
    void openpbs_is_an_alias_of_pbspro() {
        final PbsConfig config =
                new SmallRyeConfigBuilder().withMapping(PbsConfig.class).build().getConfigMapping(PbsConfig.class);
        final WorkloadManagerProvider provider = new PbsProProvider(config);

        assertThat(provider.name()).isEqualTo("pbspro");
        assertThat(provider.aliases()).containsExactly("openpbs");
    }
}
