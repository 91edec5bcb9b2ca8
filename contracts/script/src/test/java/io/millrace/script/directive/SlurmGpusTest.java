package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.script.JobSetting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form of a number of GPUs is counted, or the script is refused. */
class SlurmGpusTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--gres=gpu; 1;",
                "--gres=gpu:2; 2;",
                "--gres=gpu=2; 2;",
                "--gres=gpu:a100; 1; a100",
                "--gres=gpu:a100:2; 2; a100",
                "--gres=gpu:a100=2; 2; a100",
                "--gres=gpu:1g.5gb:3; 3; 1g.5gb",
                "--gres=gpu:2,gpu:1; 3;",
                "--gres=lscratch:10,gpu:a100:1,gpu:a100:2; 3; a100",
                "--gpus=2; 2;",
                "--gpus=a100:2; 2; a100",
                "--gpus-per-node=nvidia_a100-sxm4-40gb:4; 4; nvidia_a100-sxm4-40gb",
                "-N 1 --gres=gpu:2 --gpus-per-node=2; 2;"
            })
    void gpus_are_counted(final String options, final int count, final String type) {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n#SBATCH " + options + "\n");
        assertThat(script.problems()).isEmpty();
        assertThat(script.options().stream().map(option -> option.setting()).filter(JobSetting.Gpus.class::isInstance))
                .allSatisfy(setting -> {
                    assertThat(((JobSetting.Gpus) setting).count()).isEqualTo(count);
                    assertThat(((JobSetting.Gpus) setting).type()).isEqualTo(type);
                });
        assertThat(script.request().gpus()).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--gpus=a100:1,v100:1",
                "--gres=gpu:a100:1,gpu:v100:1",
                "--gres=gpu:a100:1,gpu:1",
                "--gres=gpu:a100:2(S:0)",
                "--gres=gpu(2)",
                "--gres=gres/gpu:2",
                "--gres=gpu:",
                "--gpus=",
                "--gpus=2:a100",
                "--gpus=4 --gpus-per-node=2",
                "--gres=gpu:4 --gpus-per-task=1",
                "--gres=mps:50",
                "--mem=8G --mem-per-cpu=1G"
            })
    void what_cannot_be_counted_is_refused(final String options) {
        assertThat(ScriptParser.read("#!/bin/sh\n#SBATCH " + options + "\n").problems())
                .isNotEmpty();
    }
}
