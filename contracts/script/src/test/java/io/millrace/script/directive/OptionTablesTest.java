package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.Dialect;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.translation.Translation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of every option of sbatch, qsub and bsub. No option is lost without a word, and none that changes the job with one. */
class OptionTablesTest {

    /** Examples of the options that Millrace reads. */
    private static final String READ = """
        SBATCH -J=x --job-name=x -n=2 --ntasks=2 -N=1 --nodes=1 --ntasks-per-node=2 --tasks-per-node=2 -c=2 --cpus-per-task=2
        SBATCH -D=d --chdir=d --workdir=d -H --hold --mem-per-gpu=1G --cpus-per-gpu=2 --ntasks-per-gpu=2
        SBATCH --mem=1G --mem-per-cpu=1G -G=1 --gpus=1 --gpus-per-node=1 --gpus-per-task=1 --gres=gpu:1 --gres=other:1 -t=10 --time=10
        SBATCH -p=q --partition=q -A=a --account=a -o=f --output=f -e=f --error=f -i=f --input=f -a=1-2 --array=1-2 -d=afterok:1
        SBATCH --dependency=afterok:1 --mail-type=END --mail-user=u --export=A=1 --requeue --no-requeue --signal=USR1@60
        SBATCH -C=f --constraint=f --exclusive -s --oversubscribe --share -L=m:1 --licenses=m:1 -b=16:00 --begin=16:00 -q=q --qos=q
        SBATCH -M=c --clusters=c --cluster=c --reservation=r -w=n1 --nodelist=n1 -x=n1 --exclude=n1 --hint=multithread --exclusive=user
        PBS -N=x -l=ncpus=2 -q=q -A=a -P=p -o=f -e=f -J=1-2 -t=1-2 -m=e -M=u -v=A=1 -V -r=y -a=1600 -S=/bin/sh -p=1 -n
        PBS -W=depend=afterok:1 -F=a -C=QSUB -l=select=1:ncpus=2 -l=nodes=1:ppn=2 -l=place=scatter -l=procs=2 -l=mem=1gb -l=pmem=1gb
        PBS -l=mppwidth=2 -l=mppdepth=2 -l=mppnppn=2 -l=ngpus=1 -l=gpus=1 -l=walltime=60 -l=software=m -l=host=n1 -l=vnode=n1 -l=feature=f
        PBS -l=qos=q -l=advres=r -l=naccesspolicy=singlejob -h -d=d -w=d
        BSUB -J=x -n=2 -M=1 -R=span[hosts=1] -gpu=num=1 -W=10 -q=q -P=p -o=f -oo=f -e=f -eo=f -i=f -is=f -w=done(1) -B -N -Nd -Ne -u=u
        BSUB -r -rn -wa=USR1 -wt=5 -x -m=h -b=16:00 -U=r -sp=1 -env=A=1 -H -cwd=d
        """;

    static Stream<String> readOptions() {
        return READ.lines().flatMap(line -> {
            final String[] words = line.strip().split(" ");
            return Arrays.stream(words)
                    .skip(1)
                    .map(option ->
                            "#" + words[0] + " " + (option.startsWith("--") ? option : option.replaceFirst("=", " ")));
        });
    }

    static Stream<Arguments> entries() {
        return Stream.of(Dialect.values())
                .flatMap(
                        dialect -> table(dialect).entries().stream().map(entry -> Arguments.of(dialect, entry.name())));
    }

    private static OptionTable table(final Dialect dialect) {
        return switch (dialect) {
            case SLURM -> SlurmOptions.TABLE;
            case PBS -> PbsOptions.TABLE;
            case LSF -> LsfOptions.TABLE;
        };
    }

    /** The names are a list, so that an option of a new version is missed here and not by a scientist. */
    @Test
    void every_option_of_the_newest_manuals_is_in_the_table() throws IOException {
        final List<String> missing = new ArrayList<>();
        try (InputStream in = OptionTablesTest.class.getResourceAsStream("manuals.txt")) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t"))
                    .filter(columns -> !isKnown(columns[0], columns[1]))
                    .forEach(columns -> missing.add(String.join(" ", columns)));
        }
        assertThat(missing).isEmpty();
    }

    /** {@code -Dmillrace.write-guide} regenerates the table. */
    @Test
    void the_guide_has_the_counts_of_the_table() throws IOException {
        final String begin = "<!-- table: treatments -->\n";
        final Path file = Path.of("..", "..", "docs", "guide", "scripts.md");
        final String guide = Files.readString(file);
        final int from = guide.indexOf(begin) + begin.length();
        final String fresh = guide.substring(0, from) + "\n" + counts() + "\n"
                + guide.substring(guide.indexOf("<!-- end -->", from));
        if (System.getProperty("millrace.write-guide") != null) {
            Files.writeString(file, fresh);
        }
        assertThat(Files.readString(file))
                .as("run this test with -Dmillrace.write-guide to update the table")
                .isEqualTo(fresh);
    }

    private static String counts() {
        final StringBuilder counts =
                new StringBuilder("| options of | total | read | covered | passed on | noted | refused |\n"
                        + "| --- | --- | --- | --- | --- | --- | --- |\n");
        for (final WlmType wlm : List.of(WlmType.SLURM, WlmType.PBSPRO, WlmType.TORQUE, WlmType.LSF)) {
            final Map<OptionTable.Treatment, Long> byTreatment =
                    table(Objects.requireNonNull(wlm.dialect())).entries().stream()
                            .filter(entry -> entry.knownTo().contains(wlm))
                            .collect(Collectors.groupingBy(OptionTable.Entry::treatment, Collectors.counting()));
            counts.append("| ")
                    .append(wlm.displayName())
                    .append(" | ")
                    .append(byTreatment.values().stream()
                            .mapToLong(Long::longValue)
                            .sum());
            for (final OptionTable.Treatment treatment : OptionTable.Treatment.values()) {
                counts.append(" | ").append(byTreatment.getOrDefault(treatment, 0L));
            }
            counts.append(" |\n");
        }
        return counts.toString();
    }

    private static boolean isKnown(final String command, final String name) {
        final WlmType wlm = switch (command) {
            case "sbatch" -> WlmType.SLURM;
            case "qsub-pbspro" -> WlmType.PBSPRO;
            case "qsub-torque" -> WlmType.TORQUE;
            case "bsub" -> WlmType.LSF;
            default -> throw new IllegalArgumentException(command);
        };
        final OptionTable.Entry entry =
                table(Objects.requireNonNull(wlm.dialect())).byName(name);
        return entry != null && entry.knownTo().contains(wlm);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("entries")
    void an_option_gets_the_treatment_of_its_line(final Dialect dialect, final String name) {
        final OptionTable.Entry entry = Objects.requireNonNull(table(dialect).byName(name));
        if (entry.treatment() == OptionTable.Treatment.READ) {
            assertThat(readOptions())
                    .as("an example of it")
                    .anySatisfy(
                            example -> assertThat(isOf(example, dialect, entry)).isTrue());
            return;
        }
        final String line = line(dialect, entry);
        final ParsedScript script = read(line);
        if (entry.treatment() == OptionTable.Treatment.REFUSED) {
            assertThat(script.options()).isEmpty();
            assertThat(script.problems())
                    .singleElement()
                    .satisfies(
                            problem -> assertThat(problem.reason()).isNotBlank().doesNotContain("unknown"));
            return;
        }
        assertThat(script.problems()).isEmpty();
        for (final WlmType wlm : WlmType.values()) {
            final Translation translation = Translation.of(wlm, WlmFeatures.all("any"), spec(line), script);
            final boolean lost = switch (entry.treatment()) {
                case COVERED -> false;
                case NOTED -> true;
                case PASSED -> !entry.knownTo().contains(wlm);
                case READ, REFUSED -> throw new IllegalStateException("handled above");
            };
            assertThat(translation.unsupported()).as("%s", wlm).hasSize(lost ? 1 : 0);
            assertThat(translation.essential())
                    .as("%s", wlm)
                    .hasSize(lost && entry.effect().isEssential() ? 1 : 0);
        }
    }

    private static boolean isOf(final String example, final Dialect dialect, final OptionTable.Entry entry) {
        final String[] words = example.split("[ =]");
        final Stream<String> names = Stream.of(words[1], words[1] + " " + words[words.length > 2 ? 2 : 1]);
        return words[0].equals(dialect.prefix())
                && names.anyMatch(name -> entry.equals(table(dialect).byName(name)))
                && read(example).options().stream()
                        .anyMatch(option -> option.effect() == entry.effect()
                                || entry.name().equals("-W")); // its attributes have lines of their own
    }

    private static String line(final Dialect dialect, final OptionTable.Entry entry) {
        final boolean part = entry.name().contains(" ");
        final String value = switch (entry.takes()) {
            case NONE -> "";
            case OPTIONAL -> dialect == Dialect.SLURM && entry.name().startsWith("--") ? "=1" : "";
            case REQUIRED -> part || entry.name().startsWith("--") ? "=1" : " 1";
        };
        return dialect.prefix() + " " + entry.name().replace("*", "site_resource") + value;
    }

    /** What a cluster cannot express is in the list that keeps the job away if it changes the job, and in a note otherwise. */
    @ParameterizedTest
    @MethodSource("readOptions")
    void an_option_that_is_read_is_translated_or_reported(final String line) {
        final ParsedScript script = read(line);
        assertThat(script.problems()).isEmpty();
        assertThat(script.options()).isNotEmpty();
        final boolean essential =
                script.options().stream().anyMatch(option -> option.effect().isEssential());
        for (final WlmType wlm : WlmType.values()) {
            final Translation translation = Translation.of(wlm, WlmFeatures.all("any"), spec(line), script);
            assertThat(translation.essential())
                    .as("%s", wlm)
                    .isEqualTo(essential ? translation.unsupported() : List.of());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "#SBATCH --tiem=10, --time",
        "#SBATCH --dependancy=afterok:1, --dependency",
        "#SBATCH --job_name=x, --job-name",
        "#SBATCH --nonsense=1 2, check its spelling",
        "#SBATCH -Z x, check its spelling",
        "#PBS -Z 1, check its spelling",
        "#PBS -W unmask=022, -W umask",
        "#SBATCH --gpu-per-node=1, --gpus-per-node",
        "#BSUB -Zz 3, unknown option"
    })
    void a_misspelt_option_is_refused_with_the_nearest_one(final String line, final String hint) {
        assertThat(read(line).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.reason())
                        .startsWith("unknown option")
                        .contains(hint));
    }

    @Test
    void the_directives_after_a_misspelt_one_are_read() {
        final ParsedScript script = read("#SBATCH --tiem=10\n#SBATCH -n 4");
        assertThat(script.problems()).hasSize(1);
        assertThat(script.request().cores()).isEqualTo(4);
    }

    private static ParsedScript read(final String lines) {
        return ScriptParser.read("#!/bin/sh\n" + lines + "\n");
    }

    private static JobSpec spec(final String line) {
        return new JobSpec(
                "job",
                "#!/bin/sh\n" + line + "\n",
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
    }
}
