package io.millrace.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.translation.Translation;
import io.millrace.script.wrapper.JobPreamble;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArrayTaskTest {

    private static final BatchId BATCH = BatchId.of("01JNFQ6M5T8W3KZX9B2C4D0000");
    private static final String SCRIPT =
            "#!/bin/sh\n#SBATCH --array=3-9:3%2 -o out-%A-%a.txt -d afterok:" + BATCH + "\necho $SLURM_ARRAY_TASK_ID\n";

    private static JobSpec task() {
        final Map<String, String> environment =
                new TreeMap<>(new ArrayTask(4711, 6, List.of(3, 6, 9)).variables(List.of(Dialect.SLURM)));
        environment.put(StandardStreams.OUTPUT, "out-%A-%a.txt");
        return new JobSpec(
                "sweep",
                SCRIPT,
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                environment,
                new CheckpointMethod.None(),
                false);
    }

    @ParameterizedTest
    @EnumSource(WlmType.class)
    void a_task_is_submitted_as_a_single_job_that_has_the_variables_of_its_array(final WlmType wlm) {
        final ParsedScript script = ScriptParser.read(SCRIPT);
        final Translation translation = Translation.of(wlm, WlmFeatures.all(wlm.displayName()), task(), script);
        assertThat(translation.essential()).isEmpty();
        assertThat(translation.options()).noneMatch(option -> option.contains("3-9") || option.contains(BATCH.value()));

        final AttemptId attempt = BATCH.job(2).attempt(1);
        final ClusterId cluster = ClusterId.of("alpha");
        final StandardStreams streams = StandardStreams.of(task(), attempt, cluster, UserName.of("anna"));
        assertThat(streams.output()).isEqualTo("out-4711-6.txt");
        assertThat(JobPreamble.of(
                        wlm, script, task(), translation.layout(), cluster, attempt, "/home/anna", streams, List.of()))
                .contains("export SLURM_ARRAY_TASK_ID='6'\n", "export SLURM_ARRAY_TASK_STEP='3'\n");
    }
}
