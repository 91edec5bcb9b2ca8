package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A job gets the smallest number of nodes or slots of a range. A range that contains no number is refused, as workload managers do. */
class NumberRangeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "#SBATCH -n 64 -N 2; 2",
                "#SBATCH -n 64 -N 2-4; 2",
                "#SBATCH -n 64 --nodes=2-2; 2",
                "#SBATCH -n 64 -N 8,2,4; 2",
                "#SBATCH -n 64 -N 4-16:4; 4",
                "#SBATCH -n 2048 -N 1k-2k; 1024"
            })
    void the_smallest_number_of_nodes_counts(final String line, final int nodes) {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n" + line + "\n");
        assertThat(script.problems()).isEmpty();
        assertThat(script.request().nodes()).isEqualTo(nodes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"#BSUB -n 4; 4", "#BSUB -n 4,8; 4"})
    void the_smallest_number_of_slots_counts(final String line, final int cores) {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n" + line + "\n");
        assertThat(script.problems()).isEmpty();
        assertThat(script.request().cores()).isEqualTo(cores);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#SBATCH -N 2-1",
                "#SBATCH --nodes=4-2",
                "#SBATCH -N 2k-4",
                "#SBATCH -N 1,4-2",
                "#SBATCH -N 2-",
                "#SBATCH -N 2-x",
                "#SBATCH -N -2",
                "#SBATCH -N 0-4",
                "#SBATCH -N 2,",
                "#BSUB -n 8,4",
                "#BSUB -n 4,x",
                "#BSUB -n 4,"
            })
    void a_range_without_a_number_is_refused(final String line) {
        assertThat(ScriptParser.read("#!/bin/sh\n" + line + "\n").problems()).isNotEmpty();
    }
}
