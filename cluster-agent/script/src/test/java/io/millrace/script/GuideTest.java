package io.millrace.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of the users' guide are the code's own; {@code -Dmillrace.write-guide} writes them anew. */
class GuideTest {

    private static final Path GUIDE = Path.of("..", "..", "docs", "guide", "scripts.md");

    private record Row(String what, String... lines) {}

    private static final List<Row> OPTIONS = List.of(
            new Row(
                    "tasks and cores of each",
                    "#SBATCH -n 4 -c 2",
                    "#PBS -l select=4:ncpus=2",
                    "#BSUB -n 4 -R affinity[core(2)]"),
            new Row(
                    "nodes and tasks on each",
                    "#SBATCH -N 2 --ntasks-per-node=8",
                    "#PBS -l nodes=2:ppn=8",
                    "#BSUB -n 16 -R span[ptile=8]"),
            new Row("one node", "#SBATCH -N 1 -n 4", "#PBS -l select=1:ncpus=4", "#BSUB -n 4 -R span[hosts=1]"),
            new Row("memory", "#SBATCH -N 1 --mem=8G", "#PBS -l ncpus=1,mem=8gb", "#BSUB -R rusage[mem=8GB]"),
            new Row("GPUs", "#SBATCH --gpus=2", "#PBS -l select=1:ncpus=1:ngpus=2", "#BSUB -gpu num=2"),
            new Row("kind of GPU", "#SBATCH --gpus=a100:2", "#BSUB -gpu num=2:gmodel=a100"),
            new Row(
                    "features of nodes",
                    "#SBATCH -C 'a&b'",
                    "#PBS -l select=1:ncpus=1:a=True:b=True",
                    "#BSUB -R \"select[a && b]\""),
            new Row("whole nodes", "#SBATCH --exclusive", "#PBS -l place=excl", "#BSUB -x"),
            new Row("array", "#SBATCH --array=1-9:2%3", "#PBS -J 1-9:2%3", "#BSUB -J \"job[1-9:2]%3\""),
            new Row("sparse array", "#SBATCH --array=1,5-7", "#PBS -t 1,5-7", "#BSUB -J \"job[1,5-7]\""),
            new Row(
                    "wait for jobs",
                    "#SBATCH -d afterok:1:2",
                    "#PBS -W depend=afterok:1:2",
                    "#BSUB -w \"done(1) && done(2)\""),
            new Row("wait for one of them", "#SBATCH -d afterok:1?afterok:2", "#BSUB -w \"done(1) || done(2)\""),
            new Row("wait for a name", "#SBATCH -d singleton", "#BSUB -w 'done(\"prepare\")'"),
            new Row("mail", "#SBATCH --mail-type=END,FAIL --mail-user=a@b", "#PBS -m ae -M a@b", "#BSUB -N -u a@b"),
            new Row("mail at the begin", "#SBATCH --mail-type=BEGIN", "#PBS -m b", "#BSUB -B"),
            new Row("may be started again", "#SBATCH --requeue", "#PBS -r y", "#BSUB -r"),
            new Row("must not be started again", "#SBATCH --no-requeue", "#PBS -r n", "#BSUB -rn"),
            new Row("signal before the end", "#SBATCH --signal=B:USR1@120", "#BSUB -wa USR1 -wt 2"),
            new Row("not before", "#SBATCH --begin=2027-01-02T03:04", "#PBS -a 202701020304", "#BSUB -b 2027:1:2:3:04"),
            new Row("licences", "#SBATCH -L matlab:2", "#PBS -l software=matlab", "#BSUB -R rusage[matlab=2]"),
            new Row("reservation", "#SBATCH --reservation=r", "#BSUB -U r"),
            new Row("quality of service", "#SBATCH --qos=high"),
            new Row("priority", "#PBS -p 10", "#BSUB -sp 10"),
            new Row("hosts by name", "#SBATCH -w n1", "#PBS -l host=n1", "#BSUB -m n1"),
            new Row("variables with values", "#SBATCH --export=NONE,A=1", "#PBS -v A=1", "#BSUB -env A=1"),
            new Row("the submitting shell's variables", "#SBATCH --export=ALL", "#PBS -V", "#BSUB -env all"),
            new Row("names of output files", "#SBATCH -o a -e b", "#PBS -o a -e b", "#BSUB -o a -e b"));

    @Test
    void the_guides_tables_are_what_the_code_does() throws IOException {
        final String guide = Files.readString(GUIDE);
        final String fresh = replaced(replaced(guide, "options", options()), "variables", variables());
        if (System.getProperty("millrace.write-guide") != null) {
            Files.writeString(GUIDE, fresh);
        }
        assertThat(Files.readString(GUIDE))
                .as("run this test with -Dmillrace.write-guide to bring the tables up to date")
                .isEqualTo(fresh);
    }

    private static String replaced(final String guide, final String name, final String table) {
        final String begin = "<!-- table: " + name + " -->\n";
        final String end = "<!-- end -->";
        final int from = guide.indexOf(begin) + begin.length();
        assertThat(from).as("the mark of the table of %s", name).isGreaterThan(begin.length());
        return guide.substring(0, from) + "\n" + table + "\n" + guide.substring(guide.indexOf(end, from));
    }

    private static String options() {
        final StringBuilder table = new StringBuilder(
                        "| what | you write | Slurm | PBS Pro | Torque | LSF |\n")
                .append("| --- | --- | --- | --- | --- | --- |\n");
        for (final Row row : OPTIONS) {
            String what = row.what();
            for (final String line : row.lines()) {
                table.append("| ").append(what).append(" | ").append(code(line)).append(" | ");
                table.append(List.of(WlmType.SLURM, WlmType.PBSPRO, WlmType.TORQUE, WlmType.LSF).stream()
                                .map(wlm -> said(line, wlm))
                                .collect(Collectors.joining(" | ")))
                        .append(" |\n");
                what = "";
            }
        }
        return table.toString();
    }

    private static String said(final String line, final WlmType wlm) {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n" + line + "\n");
        final ScriptRequest asked = script.request();
        final Translation translation = Translation.of(
                wlm,
                WlmFeatures.all("any"),
                new JobSpec(
                        "job",
                        "",
                        null,
                        new Resources(
                                asked.cores() == null ? 1 : asked.cores(),
                                asked.nodes() == null ? 0 : asked.nodes(),
                                asked.memory_mib() == null ? 0 : asked.memory_mib(),
                                asked.gpus() == null ? 0 : asked.gpus()),
                        Duration.ofHours(1),
                        null,
                        null,
                        Map.of(),
                        new CheckpointMethod.None()),
                script);
        final List<String> words = new ArrayList<>(translation.options());
        final boolean size = asked.hasSize()
                || translation.layout().exclusive()
                || !translation.layout().features().isEmpty()
                || script.options().stream()
                        .map(ScriptOption::setting)
                        .anyMatch(wish -> wish instanceof JobSetting.Licence
                                || wish instanceof JobSetting.Hosts
                                        && words.isEmpty()
                                        && translation.unsupported().isEmpty());
        if (size) {
            words.addAll(0, translation.resources());
        }
        if (!translation.unsupported().isEmpty()) {
            final String lost = translation.unsupported().get(0);
            return (words.isEmpty() ? "" : code(String.join(" ", words)) + "; ") + "*lost: "
                    + lost.substring(lost.lastIndexOf(": ") + 2).replace("|", "\\|") + "*";
        }
        if (words.isEmpty()) {
            return translation.remarks().isEmpty() ? "given to the job" : "`millrace-<job id>.out`";
        }
        return code(String.join(" ", words));
    }

    private static String code(final String text) {
        return "`" + text.replace("|", "\\|") + "`";
    }

    private static String variables() {
        final StringBuilder table =
                new StringBuilder("| on every system | Slurm | PBS | LSF |\n| --- | --- | --- | --- |\n");
        Arrays.stream(JobVariable.Meaning.values()).forEach(meaning -> {
            final Map<Dialect, List<String>> names = new EnumMap<>(Dialect.class);
            JobVariable.ALL.stream()
                    .filter(variable -> variable.meaning() == meaning)
                    .forEach(variable -> names.computeIfAbsent(variable.dialect(), d -> new ArrayList<>())
                            .add("`" + variable.name() + "`"));
            table.append("| ").append(meaning.description()).append(" | ");
            table.append(Arrays.stream(Dialect.values())
                            .map(dialect -> String.join(", ", names.getOrDefault(dialect, List.of())))
                            .collect(Collectors.joining(" | ")))
                    .append(" |\n");
        });
        return table.toString();
    }
}
