package io.millrace.classifier.domain.extraction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptFactsTest {

    @Test
    void an_mpi_job_with_modules_and_threads() {
        final ScriptFacts facts = ScriptFacts.of("""
                #!/bin/bash
                #SBATCH --ntasks=16
                module purge
                module load gcc/12 openmpi
                ml hdf5
                export OMP_NUM_THREADS=4
                cd $HOME/run && mkdir -p out
                mpirun -np 16 --bind-to core ./bin/namd2 \\
                    input.conf > out/log
                # mpirun ./old-solver
                """);
        assertThat(facts.programs()).containsExactlyInAnyOrder("namd2");
        assertThat(facts.modules()).containsExactlyInAnyOrder("gcc/12", "openmpi", "hdf5");
        assertThat(facts.interpreter()).isNull();
        assertThat(facts.mpi()).isTrue();
        assertThat(facts.threads()).isTrue();
    }

    @Test
    void an_interpreted_sequential_job() {
        final ScriptFacts facts = ScriptFacts.of("""
                #!/bin/sh
                if [ -f data.csv ]; then
                    time python3.11 train.py | tee log
                fi
                """);
        assertThat(facts.programs()).containsExactlyInAnyOrder("python3.11", "tee");
        assertThat(facts.interpreter()).isEqualTo("python");
        assertThat(facts.mpi()).isFalse();
        assertThat(facts.threads()).isFalse();
    }

    @Test
    void the_longest_script_of_blank_lines_is_read_at_once() {
        assertTimeoutPreemptively(
                Duration.ofMinutes(5),
                () -> assertThat(ScriptFacts.of("\n".repeat(256 * 1024) + "./solve")
                                .programs())
                        .containsExactly("solve"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /usr/bin/env python3       | python
            /usr/bin/Rscript           | R
            /usr/bin/perl -w           | perl
            /bin/bash                  |
            """)
    void the_first_line_may_name_the_interpreter(final String shebang, final String interpreter) {
        assertThat(ScriptFacts.of("#!" + shebang + "\n").interpreter()).isEqualTo(interpreter);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            srun ./solve                          | solve
            srun -n 4 -c 2 --exclusive /opt/a/b x | b
            A=1 B=2 nohup ./run.sh &              | run.sh
            $SOLVER input                         |
            echo done                             |
            """)
    void the_program_of_a_command(final String command, final String program) {
        assertThat(ScriptFacts.of(command).programs()).isEqualTo(program == null ? Set.of() : Set.of(program));
    }
}
