package io.millrace.script.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ExportRules;
import io.millrace.script.directive.ScriptParser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExportedVariablesTest {

    private static List<String> lost(final String directive, final Map<String, String> environment) {
        final String script = "#!/bin/sh\n" + directive + "\n";
        final JobSpec spec = new JobSpec(
                "job",
                script,
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                environment,
                new CheckpointMethod.None(),
                false);
        return Translation.of(WlmType.SLURM, WlmFeatures.all("Slurm"), spec, ScriptParser.read(script))
                .unsupported();
    }

    @Test
    void nothing_is_lost_if_the_submission_has_applied_the_rules_of_the_script() {
        final Map<String, String> shell = Map.of("MODEL", "coarse");

        for (final String directive : List.of("#SBATCH --export=ALL", "#PBS -V", "#PBS -v MODEL", "#BSUB -env all")) {
            final Map<String, String> variables =
                    ExportRules.applied(ExportRules.ofScript(directive).orElseThrow(), shell);
            assertThat(variables).as(directive).containsEntry("MODEL", "coarse");
            assertThat(lost(directive, variables)).as(directive).isEmpty();
        }
    }

    @Test
    void a_variable_without_a_value_is_named() {
        assertThat(lost("#PBS -v MODEL,LEVEL=2", Map.of()))
                .singleElement()
                .asString()
                .contains("MODEL")
                .doesNotContain("not set in the submission: MODEL, LEVEL");
        assertThat(lost("#PBS -v MODEL", Map.of("MODEL", "coarse"))).isEmpty();
    }
}
