package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.WlmType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An option of the command line means what it means in a directive that comes last. */
class CommandLineOptionsTest {

    private static final String PBS = "#PBS -q long -l select=2:ncpus=8:mpiprocs=4:mem=16gb:ngpus=1:bigmem=True\n";

    private static ParsedScript read(final String directives, final String... options) {
        return ScriptParser.read(
                "#!/bin/sh\n" + directives + "\n",
                Map.of(CommandLineOptions.VARIABLE, CommandLineOptions.variable(List.of(options))));
    }

    /** One word for each option of Slurm that is read, and a line of each other treatment. */
    static Stream<String> options() {
        return Stream.concat(
                OptionTablesTest.readOptions()
                        .filter(line -> line.startsWith(Dialect.SLURM.prefix()))
                        .map(line -> line.substring(Dialect.SLURM.prefix().length() + 1)),
                SlurmOptions.TABLE.entries().stream()
                        .map(entry -> entry.name() + (entry.takes() == OptionTable.Argument.REQUIRED ? "=1" : "")));
    }

    @ParameterizedTest
    @MethodSource("options")
    void each_option_has_the_meaning_of_its_directive(final String option) {
        final ParsedScript directive = read("#SBATCH " + option);
        final ParsedScript submitted = read("", option.split(" "));

        assertThat(settings(submitted.of(null))).isEqualTo(settings(directive.of(Dialect.SLURM)));
        assertThat(submitted.request())
                .usingRecursiveComparison()
                .ignoringFields("array", "remarks") // they name the line
                .isEqualTo(directive.request());
        assertThat(submitted.problems())
                .extracting(InvalidDirective::reason)
                .isEqualTo(directive.problems().stream()
                        .map(InvalidDirective::reason)
                        .toList());
        assertThat(submitted.problems())
                .allSatisfy(problem -> assertThat(problem.toString()).startsWith("option " + option.split("[ =]")[0]));
    }

    @ParameterizedTest
    @MethodSource("options")
    void each_option_replaces_the_same_of_the_script(final String option) {
        final ParsedScript directive = read("#SBATCH " + option);
        final ParsedScript both = read("#SBATCH " + option, option.split(" "));

        assertThat(settings(both.of(Dialect.SLURM))).isEqualTo(settings(directive.of(Dialect.SLURM)));
        assertThat(both.remarks()).isEqualTo(directive.remarks());
    }

    private static List<JobSetting> settings(final List<ScriptOption> options) {
        return options.stream().map(ScriptOption::setting).toList();
    }

    @Test
    void a_remark_names_what_is_replaced_and_by_which_option() {
        assertThat(read("#SBATCH -C a --mem=4G --nice=1", "--mem-per-cpu", "1G", "--nice=2")
                        .remarks())
                .containsExactly(
                        "line 2: #SBATCH --mem=4G: replaced by option --mem-per-cpu 1G",
                        "line 2: #SBATCH --nice=1: replaced by option --nice=2");
        assertThat(read("", "-n", "1", "-n2").remarks()).containsExactly("option -n 1: replaced by a later option");
    }

    @Test
    void a_size_of_the_command_line_replaces_the_chunks_of_pbs_but_not_what_else_they_request() {
        final ParsedScript script = read(PBS, "-n", "6", "-c2");

        assertThat(script.request().cores()).isEqualTo(12);
        assertThat(script.request().memoryMib()).isEqualTo(32768);
        assertThat(script.request().gpus()).isEqualTo(2);
        assertThat(script.request().layout().features()).containsExactly("bigmem");
        assertThat(script.request().partition()).isEqualTo("long");
        assertThat(read(PBS, "-N2", "--ntasks-per-node=3").request().cores()).isEqualTo(6);
    }

    @Test
    void memory_gpus_and_features_of_the_command_line_replace_those_of_chunks() {
        final ScriptRequest request =
                read(PBS, "--mem-per-cpu=1G", "-G", "a100:4", "-C", "ib").request();

        assertThat(request.cores()).isEqualTo(16);
        assertThat(request.layout().tasks()).isEqualTo(8);
        assertThat(request.memoryMib()).isEqualTo(16384);
        assertThat(request.gpus()).isEqualTo(4);
        assertThat(request.layout().features()).containsExactly("ib");
    }

    @Test
    void sizes_of_lsf_and_of_the_command_line_fit_together() {
        assertThat(read("#BSUB -n 4", "-N2").request().layout().nodes()).isEqualTo(2);
        assertThat(read("#BSUB -q x", "-N2", "--ntasks-per-node=4").request().cores())
                .isEqualTo(8);
        assertThat(read("#BSUB -n 4 -R \"rusage[mem=1GB/task]\"", "--mem=2G")
                        .request()
                        .memoryMib())
                .isEqualTo(2048);
    }

    @Test
    void every_workload_manager_gets_the_options_whichever_directives_it_reads() {
        final ParsedScript script = read("#PBS -l ncpus=2 -p 5\n#SBATCH -n 4 -q low\n", "--qos=high");

        assertThat(settings(script.optionsFor(WlmType.SLURM)))
                .contains(new JobSetting.QualityOfService("high"), new JobSetting.Cores(4))
                .doesNotContain(new JobSetting.QualityOfService("low"));
        assertThat(settings(script.optionsFor(WlmType.PBSPRO)))
                .contains(new JobSetting.QualityOfService("high"), new JobSetting.Priority(5));
    }

    @Test
    void contradictions_are_refused() {
        assertThat(read("", "--mem=4G", "--mem-per-cpu=1G").problems())
                .extracting(InvalidDirective::toString)
                .containsExactly(
                        "option --mem=4G: '--mem-per-cpu=1G' requests the same in another way; keep one of them");
        assertThat(read("#SBATCH --mem=4G", "--mem-per-cpu=1G").problems()).isEmpty();
        assertThat(read("", "-d", "afterok:1", "-d", "afterok:2").problems()).hasSize(1);
    }

    @Test
    void words_are_never_read_as_anything_else() {
        final String name = "a 'b' \"c\" \\ $(d) #e";
        assertThat(read("", "-J", name).request().name()).isEqualTo(name);
        assertThat(read("", "-J", "a\nb").problems()).hasSize(1);
        assertThat(ScriptParser.read("#!/bin/sh\n", Map.of(CommandLineOptions.VARIABLE, "-n 4 'open"))
                        .problems())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"-n, 2", "-n4, 1", "-Hn, 2", "-H, 1", "--mem, 2", "--mem=4, 1", "--exclusive, 1", "--nodel, 2"})
    void the_length_of_an_option_is_known(final String word, final int length) {
        assertThat(CommandLineOptions.length(word, List.of())).isEqualTo(length);
    }

    @Test
    void a_misspelt_option_gets_the_nearest_name_of_both_commands() {
        assertThatThrownBy(() -> CommandLineOptions.length("--memroy=1", List.of("--memory")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option --memroy: unknown option; did you mean '--memory'?");
    }
}
