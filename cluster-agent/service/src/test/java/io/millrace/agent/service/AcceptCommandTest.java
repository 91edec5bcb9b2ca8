package io.millrace.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AcceptCommandTest {

    @Test
    void the_agent_of_the_test_gets_the_settings_of_this_process_before_its_jar() {
        final List<String> command = AcceptCommand.agentCommand(
                "alpha",
                List.of(
                        "-Xmx64m",
                        "-Dmillrace.agent.adapter=slurm",
                        "-Djava.io.tmpdir=/var/lib/millrace/agents/alpha/tmp",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED"));

        assertThat(command)
                .containsSubsequence(
                        "-Dmillrace.agent.adapter=slurm",
                        "-Djava.io.tmpdir=/var/lib/millrace/agents/alpha/tmp",
                        "-jar",
                        "accept-agent",
                        "--cluster",
                        "alpha")
                .doesNotContain("-Xmx64m", "--add-opens=java.base/java.lang=ALL-UNNAMED");
    }
}
