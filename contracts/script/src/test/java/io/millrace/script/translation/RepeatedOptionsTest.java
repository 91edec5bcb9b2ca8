package io.millrace.script.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workload managers use only the last of several options with the same name, so none is written twice and none is lost. */
class RepeatedOptionsTest {

    private static final List<String> LINES = List.of(
            "#SBATCH --gres=lscratch:100,craynetwork:1,gpu:p100:1",
            "#SBATCH --gres=other:2",
            "#SBATCH -L matlab:1,stata:2",
            "#SBATCH -L ansys",
            "#SBATCH -w n1,n2",
            "#SBATCH -x n3",
            "#SBATCH -C a",
            "#SBATCH -C b&c",
            "#SBATCH --switches=1",
            "#SBATCH --switches=2",
            "#SBATCH --signal=USR1@60",
            "#SBATCH --mail-type=END",
            "#SBATCH --mail-type=BEGIN",
            "#SBATCH --begin=2027-01-02T03:04",
            "#SBATCH -d afterok:c/1:c/2,afterany:c/3",
            "#SBATCH --exclusive",
            "#PBS -l software=a",
            "#PBS -l host=n1",
            "#PBS -l nodes=2:ppn=2:gpus=1:shared",
            "#PBS -l cput=10:00,arch=linux",
            "#PBS -W umask=022,depend=afterok:c/1,group_list=g",
            "#PBS -p 10",
            "#PBS -m ae -M u",
            "#BSUB -R \"rusage[mem=1000]\" -R \"rusage[matlab=1:stata=2]\"",
            "#BSUB -R \"select[bigmem && ib] order[ut]\"",
            "#BSUB -R \"rusage[swp=10]\" -gpu num=1:mode=shared",
            "#BSUB -w 'done(c/1) && ended(c/2)'",
            "#BSUB -B -N -u u",
            "#BSUB -app a -app b");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void no_option_is_written_twice(final long seed) {
        final RandomGenerator random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            final StringBuilder text = new StringBuilder("#!/bin/sh\n");
            IntStream.range(0, 1 + random.nextInt(8))
                    .forEach(k ->
                            text.append(LINES.get(random.nextInt(LINES.size()))).append('\n'));
            final ParsedScript script = ScriptParser.read(text.toString());
            for (final WlmType wlm : WlmType.values()) {
                assertThat(names(wlm, translated(wlm, script)))
                        .as("%s on %s", text, wlm)
                        .doesNotHaveDuplicates();
            }
        }
    }

    /** The option; for {@code -l} and {@code -W} of PBS with the name of the resource or attribute. */
    private static List<String> names(final WlmType wlm, final Translation translation) {
        final List<String> words = Stream.concat(translation.options().stream(), translation.resources().stream())
                .toList();
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            final String word = words.get(i);
            if (wlm == WlmType.SLURM) {
                names.add(word.split("=", 2)[0]);
            } else if (word.matches("-[lW]") && wlm != WlmType.LSF) {
                names.add(word + " " + words.get(++i).split("=", 2)[0]);
            } else if (word.startsWith("-")) {
                names.add(word);
            }
        }
        return names;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "#SBATCH --gres=lscratch:100,craynetwork:1,gpu:p100:1; --gres=lscratch:100,craynetwork:1",
                "#SBATCH --licenses=matlab:1,stata:2; --licenses=matlab:1,stata:2",
                "#BSUB -R \"rusage[matlab=1:stata=2]\"; --licenses=matlab:1,stata:2"
            })
    void the_elements_of_a_list_stay_one_option(final String line, final String option) {
        assertThat(translated(WlmType.SLURM, ScriptParser.read("#!/bin/sh\n" + line + "\n"))
                        .options())
                .containsExactly(option);
    }

    @Test
    void the_last_of_two_options_counts_and_the_owner_is_told() {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n#SBATCH --gres=a:1\n#SBATCH -n 2 --gres=b:1\n");
        assertThat(translated(WlmType.SLURM, script).options()).containsExactly("--gres=b:1");
        assertThat(script.remarks()).containsExactly("line 2: #SBATCH --gres=a:1: replaced by line 3");
    }

    @Test
    void torque_gets_one_licence() {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n#SBATCH -L a,b\n");
        assertThat(translated(WlmType.TORQUE, script).essential())
                .singleElement()
                .satisfies(lost -> assertThat(lost).contains("b").contains("one licence"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "exclusive", "exclusive_thread", "exclusive_process", "default", "reseterr"})
    void a_gpu_mode_of_torque_is_no_feature(final String mode) {
        final ParsedScript script =
                ScriptParser.read("#!/bin/sh\n#PBS -l nodes=15:ppn=4:bigmem:gpus=4:" + mode + ",walltime=24:00:00\n");
        assertThat(script.request().layout().features()).containsExactly("bigmem");
        assertThat(script.request().gpus()).isEqualTo(60);
        assertThat(translated(WlmType.TORQUE, script).resources())
                .contains("nodes=15:ppn=4:gpus=4:" + mode + ":bigmem");
        for (final WlmType wlm : List.of(WlmType.SLURM, WlmType.PBSPRO, WlmType.LSF)) {
            final Translation there = translated(wlm, script);
            assertThat(there.resources()).noneMatch(word -> word.contains(mode));
            assertThat(there.unsupported())
                    .singleElement()
                    .satisfies(lost -> assertThat(lost).contains(mode));
            assertThat(there.essential()).isEmpty();
        }
    }

    private static Translation translated(final WlmType wlm, final ParsedScript script) {
        final Integer cores = script.request().cores();
        final Integer gpus = script.request().gpus();
        return Translation.of(
                wlm,
                WlmFeatures.all("any"),
                new JobSpec(
                        "job",
                        "",
                        null,
                        new Resources(cores == null ? 1 : cores, 0, 0, gpus == null ? 0 : gpus),
                        Duration.ofHours(1),
                        null,
                        null,
                        Map.of(),
                        new CheckpointMethod.None(),
                        false),
                script);
    }
}
