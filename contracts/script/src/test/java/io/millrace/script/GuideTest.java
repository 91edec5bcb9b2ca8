package io.millrace.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.directive.ScriptRequest;
import io.millrace.script.translation.Translation;
import io.millrace.script.wrapper.JobVariable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks the tables of the user guide against the code; {@code -Dmillrace.write-guide} regenerates them. */
class GuideTest {

    private static final Path GUIDE = Path.of("..", "..", "docs", "guide", "scripts.md");

    private record Row(String what, String... lines) {}

    private static final List<Row> OPTIONS = List.of(
            new Row(
                    "tasks, cores per task",
                    "#SBATCH -n 4 -c 2",
                    "#PBS -l select=4:ncpus=2",
                    "#BSUB -n 4 -R affinity[core(2)]"),
            new Row(
                    "nodes, tasks per node",
                    "#SBATCH -N 2 --ntasks-per-node=8",
                    "#PBS -l nodes=2:ppn=8",
                    "#BSUB -n 16 -R span[ptile=8]"),
            new Row("one node", "#SBATCH -N 1 -n 4", "#PBS -l select=1:ncpus=4", "#BSUB -n 4 -R span[hosts=1]"),
            new Row("memory", "#SBATCH -N 1 --mem=8G", "#PBS -l ncpus=1,mem=8gb", "#BSUB -R rusage[mem=8GB]"),
            new Row("memory for each GPU", "#SBATCH --gpus=2 --mem-per-gpu=8G"),
            new Row("tasks, cores for each GPU", "#SBATCH --gpus=2 --ntasks-per-gpu=2 --cpus-per-gpu=8"),
            new Row("GPUs", "#SBATCH --gpus=2", "#PBS -l select=1:ncpus=1:ngpus=2", "#BSUB -gpu num=2"),
            new Row("GPU type", "#SBATCH --gpus=a100:2", "#BSUB -gpu num=2:gmodel=a100"),
            new Row(
                    "node features",
                    "#SBATCH -C 'a&b'",
                    "#PBS -l select=1:ncpus=1:a=True:b=True",
                    "#BSUB -R \"select[a && b]\""),
            new Row("exclusive nodes", "#SBATCH --exclusive", "#PBS -l place=excl", "#BSUB -x"),
            new Row(
                    "dependency on all of several local jobs",
                    "#SBATCH -d afterok:alpha/1:alpha/2",
                    "#PBS -W depend=afterok:alpha/1:alpha/2",
                    "#BSUB -w \"done(alpha/1) && done(alpha/2)\""),
            new Row(
                    "dependency on any of several local jobs",
                    "#SBATCH -d afterok:alpha/1?afterok:alpha/2",
                    "#BSUB -w \"done(alpha/1) || done(alpha/2)\""),
            new Row("dependency on a job name", "#BSUB -w 'done(\"prepare\")'"),
            new Row("mail", "#SBATCH --mail-type=END,FAIL --mail-user=a@b", "#PBS -m ae -M a@b", "#BSUB -N -u a@b"),
            new Row("mail at the start", "#SBATCH --mail-type=BEGIN", "#PBS -m b", "#BSUB -B"),
            new Row("may be requeued", "#SBATCH --requeue", "#PBS -r y", "#BSUB -r"),
            new Row("must not be requeued", "#SBATCH --no-requeue", "#PBS -r n", "#BSUB -rn"),
            new Row("signal before the walltime limit", "#SBATCH --signal=B:USR1@120", "#BSUB -wa USR1 -wt 2"),
            new Row("begin time", "#SBATCH --begin=2027-01-02T03:04", "#PBS -a 202701020304", "#BSUB -b 2027:1:2:3:04"),
            new Row("hold, see `mgrelease`", "#SBATCH -H", "#PBS -h", "#BSUB -H"),
            new Row("working directory", "#SBATCH -D dir", "#PBS -d dir", "#BSUB -cwd dir"),
            new Row("licences", "#SBATCH -L matlab:2", "#PBS -l software=matlab", "#BSUB -R rusage[matlab=2]"),
            new Row("reservation", "#SBATCH --reservation=r", "#BSUB -U r"),
            new Row("quality of service", "#SBATCH --qos=high"),
            new Row("priority", "#PBS -p 10", "#BSUB -sp 10"),
            new Row("hosts", "#SBATCH -w n1", "#PBS -l host=n1", "#BSUB -m n1"),
            new Row("variables", "#SBATCH --export=NONE,A=1", "#PBS -v A=1", "#BSUB -env A=1"));

    @Test
    void the_tables_of_the_guide_match_the_code() throws IOException {
        final String guide = Files.readString(GUIDE);
        final String fresh = replaced(replaced(guide, "options", options()), "variables", variables());
        if (System.getProperty("millrace.write-guide") != null) {
            Files.writeString(GUIDE, fresh);
        }
        assertThat(Files.readString(GUIDE))
                .as("run this test with -Dmillrace.write-guide to update the tables")
                .isEqualTo(fresh);
    }

    private static String replaced(final String guide, final String name, final String table) {
        final String begin = "<!-- table: " + name + " -->\n";
        final String end = "<!-- end -->";
        final int from = guide.indexOf(begin) + begin.length();
        assertThat(from).as("marker of table %s", name).isGreaterThan(begin.length());
        return guide.substring(0, from) + "\n" + table + "\n" + guide.substring(guide.indexOf(end, from));
    }

    private static String options() {
        final StringBuilder table = new StringBuilder(
                "| option | Slurm | PBS | LSF | not supported on |\n| --- | --- | --- | --- | --- |\n");
        for (final Row row : OPTIONS) {
            table.append("| ").append(row.what());
            for (final Dialect dialect : Dialect.values()) {
                table.append(" | ").append(written(row, dialect));
            }
            table.append(" | ").append(unsupported(row)).append(" |\n");
        }
        return table.toString();
    }

    private static String written(final Row row, final Dialect dialect) {
        return Arrays.stream(row.lines())
                .filter(line -> line.startsWith(dialect.prefix()))
                .map(line -> code(line.substring(dialect.prefix().length() + 1)))
                .collect(Collectors.joining(", "));
    }

    /** The workload managers that do not support one of the lines of a row, with the reason. */
    private static String unsupported(final Row row) {
        final Map<String, Set<String>> systems = new LinkedHashMap<>();
        for (final WlmType wlm : List.of(WlmType.SLURM, WlmType.PBSPRO, WlmType.TORQUE, WlmType.LSF)) {
            for (final String line : row.lines()) {
                translation(line, wlm).unsupported().stream()
                        .map(text -> text.substring(text.lastIndexOf(": ") + 2)
                                .replace(wlm.displayName() + " has no equivalent", "no equivalent")
                                .replace("|", "\\|"))
                        .forEach(reason -> systems.computeIfAbsent(reason, key -> new LinkedHashSet<>())
                                .add(wlm.displayName()));
            }
        }
        return systems.entrySet().stream()
                .map(entry -> String.join(", ", entry.getValue()) + ": " + entry.getKey())
                .collect(Collectors.joining("; "));
    }

    private static Translation translation(final String line, final WlmType wlm) {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n" + line + "\n");
        final ScriptRequest request = script.request();
        return Translation.of(
                wlm,
                WlmFeatures.all("any"),
                new JobSpec(
                        "job",
                        "",
                        null,
                        new Resources(
                                request.cores() == null ? 1 : request.cores(),
                                request.nodes() == null ? 0 : request.nodes(),
                                request.memoryMib() == null ? 0 : request.memoryMib(),
                                request.gpus() == null ? 0 : request.gpus()),
                        Duration.ofHours(1),
                        null,
                        null,
                        Map.of(),
                        new CheckpointMethod.None(),
                        false),
                script);
    }

    private static String code(final String text) {
        return "`" + text.replace("|", "\\|") + "`";
    }

    private static String variables() {
        final StringBuilder table = new StringBuilder("| value | Slurm | PBS | LSF |\n| --- | --- | --- | --- |\n");
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
