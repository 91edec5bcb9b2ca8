package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnreadBlockTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'#$ -pe smp 4'; Grid Engine; true",
                "'#$-cwd'; Grid Engine; true",
                "'#MSUB -l nodes=2:ppn=4'; Moab; true",
                "'#COBALT -n 4 -t 60'; Cobalt; true",
                "'#PJM -L \"node=4\"'; Fujitsu TCS; true",
                "'#OAR -l /nodes=4,walltime=1:00:00'; OAR; true",
                "'#FLUX: -N4'; Flux; true",
                "'# flux: --nodes=4'; Flux; true",
                "'# @ node = 4'; LoadLeveler; true",
                "'#@ total_tasks=8'; LoadLeveler; true",
                "'# @ queue'; LoadLeveler; true",
                "'#QSUB -lP 4'; NQS; true",
                "'#@$-lT 60'; NQS; true",
                "'#DSUB -R cpu=4'; Huawei Donau; true",
                "'#HQ --cpus=4'; HyperQueue; true",
                "'#DW jobdw type=scratch capacity=1GB'; Cray DataWarp; false",
                "'#BB create_persistent name=x'; burst buffers of Slurm; false"
            })
    void a_directive_that_is_not_read_is_noted_with_its_line(
            final String line, final String wlm, final boolean setsSize) {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n\n" + line + "\ntrue\n");
        assertThat(script.problems()).isEmpty();
        assertThat(script.unread())
                .singleElement()
                .satisfies(block -> assertThat(block.setsSize()).isEqualTo(setsSize));
        assertThat(script.remarks())
                .singleElement()
                .satisfies(note -> assertThat(note)
                        .startsWith("line 3: '" + line + "' is a directive of ")
                        .contains(wlm, "not read"));
    }

    @Test
    void there_is_one_note_for_a_block() {
        final ParsedScript script = ScriptParser.read("""
                #!/bin/bash
                #$ -N blast
                # the threads of blastn
                #$ -pe smp 4

                #$ -cwd
                #MSUB -l nodes=2
                echo
                #$ -l h_rt=0:10:00
                """);
        assertThat(script.remarks())
                .hasSize(3)
                .satisfiesExactly(
                        grid -> assertThat(grid)
                                .startsWith("lines 2 to 6: '#$ -N blast', '#$ -pe smp 4', '#$ -cwd' are directives of"
                                        + " Grid"),
                        moab -> assertThat(moab).startsWith("line 7: '#MSUB -l nodes=2' is a directive of Moab"),
                        after -> assertThat(after).startsWith("line 9: "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#$FOO is the name",
                "# @author somebody",
                "# costs 5$ - or more",
                "#!/bin/sh",
                "#SBATCH -n 1",
                "##MSUB -l nodes=2",
                "#OARLOCK",
                "# QSUB",
                "echo '#$ -pe'"
            })
    void a_comment_is_no_directive(final String line) {
        assertThat(ScriptParser.read("#!/bin/sh\n" + line + "\n").unread()).isEmpty();
    }

    @Test
    void a_prefix_of_pbs_is_read() {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n#PBS -C \"#QSUB\"\n#QSUB -l ncpus=4\n");
        assertThat(script.unread()).isEmpty();
        assertThat(script.request().cores()).isEqualTo(4);
    }
}
