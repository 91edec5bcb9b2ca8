package io.millrace.agent.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.acceptance.CheckResult.Verdict;
import io.millrace.agent.slurm.SlurmLab;
import io.millrace.model.PartitionName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The acceptance test on a real Slurm cluster under directed control. */
@Tag("slurm")
class SlurmAcceptanceIT {

    @Test
    void a_real_slurm_cluster_passes() {
        try (SlurmLab lab = SlurmLab.open()) {
            final Path staging = lab.directory();
            final AcceptanceTest test = new AcceptanceTest(
                    new AcceptanceTest.Target(
                            lab.cluster(),
                            lab.owner(),
                            PartitionName.of("main"),
                            null,
                            staging,
                            lab.shortestWalltime(),
                            lab.patience(),
                            Duration.ofMillis(300),
                            AgentCommand.of(
                                    SlurmAcceptanceAgent.class,
                                    lab.cluster().value(),
                                    lab.site().conf().toString(),
                                    staging.toString())),
                    new AdapterAccess(lab::wlm),
                    SlurmAcceptanceAgent.owners());

            assertThat(test.refusal()).isEmpty();
            final List<CheckResult> results = test.run(result -> {});
            assertThat(results)
                    .allSatisfy(result ->
                            assertThat(result.verdict()).as(result.toString()).isEqualTo(Verdict.PASSED));
            assertThat(lab.wlm().observe().get().jobs()).isEmpty();
        }
    }
}
