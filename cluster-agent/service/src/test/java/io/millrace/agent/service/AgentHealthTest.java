package io.millrace.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.observe.WlmStatus;
import io.millrace.model.cluster.WlmHealth;
import java.time.Instant;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

class AgentHealthTest {

    private static HealthCheckResponse of(final String version) {
        return AgentHealth.workloadManager(
                version, new WlmStatus(new WlmHealth.Answering(), Instant.EPOCH, 0, 0, 0), Map.of());
    }

    @Test
    void an_unsupported_version_is_shown_and_leaves_the_agent_ready() {
        final HealthCheckResponse response = of("slurm 27.11.1");

        assertThat(response.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(response.getData().orElseThrow())
                .containsEntry("version", "slurm 27.11.1")
                .hasEntrySatisfying(
                        "unsupportedVersion",
                        text -> assertThat((String) text).startsWith("slurm 27.11.1 is not a supported version"));
    }

    @Test
    void a_supported_version_is_only_shown() {
        assertThat(of("slurm 24.11.7").getData().orElseThrow())
                .containsEntry("version", "slurm 24.11.7")
                .doesNotContainKey("unsupportedVersion");
    }
}
