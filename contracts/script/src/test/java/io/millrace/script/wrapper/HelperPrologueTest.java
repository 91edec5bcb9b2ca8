package io.millrace.script.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.StandardStreams;
import io.millrace.script.TaskLayout;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.translation.Translation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The list of the helper contains each statement of the prologue, with the types of the data in it. */
class HelperPrologueTest {

    private static final Path LIST = Path.of("../../deploy/agent/helper/prologue");
    private static final String TORQUE = "@torque ";
    private static final String TEXT = "anytext";

    private static final List<WlmType> TARGETS = List.of(WlmType.SLURM, WlmType.PBSPRO, WlmType.TORQUE, WlmType.LSF);

    private final Set<String> blocks = new LinkedHashSet<>();

    /** With {@code -Dmillrace.write-helper-prologue} the file is written instead. */
    @Test
    void every_statement_of_the_prologue_is_in_the_list_of_the_helper() throws Exception {
        final String before = Files.readString(LIST);
        blocks.add("cd @{place} || exit 1\n");
        blocks.add("umask @{number}\n");
        redirections();
        for (final WlmType target : TARGETS) {
            blocks.add(VariableSetup.basic(target));
            computed(target);
            exports(target);
        }
        modules();
        blocks.add("export @{variable}\n"); // last, because it would match others
        final String text =
                before.lines().takeWhile(line -> line.startsWith("#")).collect(Collectors.joining("\n", "", "\n\n"))
                        + String.join("\n", blocks)
                        + Arrays.stream(before.split("\n\n"))
                                .filter(block -> block.startsWith(TORQUE))
                                .map(block -> "\n" + block.stripTrailing() + "\n")
                                .collect(Collectors.joining());
        if (System.getProperty("millrace.write-helper-prologue") != null) {
            Files.writeString(LIST, text);
        }
        assertThat(Files.readString(LIST))
                .as("write the list with: ./mvnw -pl contracts/script test -Dtest=HelperPrologueTest"
                        + " -Dmillrace.write-helper-prologue")
                .isEqualTo(text);
    }

    private static JobSpec spec() {
        return new JobSpec(
                TEXT,
                "#!/bin/sh\n",
                null,
                new Resources(4711, 0, 0, 4712),
                Duration.ofSeconds(4713),
                PartitionName.of(TEXT),
                ProjectName.of(TEXT),
                Map.of(),
                new CheckpointMethod.None(),
                false);
    }

    private static TaskLayout layout(final WlmType target, final String directives) {
        final ParsedScript script = ScriptParser.read("#!/bin/bash\n" + directives);
        return Translation.of(target, WlmFeatures.all(target.displayName()), spec(), script)
                .layout();
    }

    /** The values that the prologue computes: assignments of data, and the code that is the same in each job. */
    private void computed(final WlmType target) {
        final TaskLayout layout = layout(target, "#SBATCH -N 1 --ntasks-per-node=673 --cpus-per-task=7\n");
        final String all = VariableSetup.foreign(target, spec(), layout, ClusterId.of("text"));
        final String code = all.substring(all.indexOf('\n', all.indexOf("_mg_gpus=")) + 1);
        Arrays.stream(JobVariable.Meaning.values())
                .filter(meaning -> all.lines().anyMatch(line -> line.startsWith(meaning.shellVariable() + "=")))
                .forEach(meaning -> assignment(
                        meaning,
                        all.substring(0, all.length() - code.length())
                                .lines()
                                .filter(line -> line.startsWith(meaning.shellVariable() + "="))
                                .findFirst()
                                .orElse("")));
        statements(code.replaceAll("parts='[0-9: ]*'", "parts='@{parts}'"));
    }

    private void assignment(final JobVariable.Meaning meaning, final String line) {
        if (line.isEmpty()) {
            return; // computed by code
        }
        final String name = meaning.shellVariable() + "=";
        final String value = line.substring(name.length());
        if (value.contains("'")) {
            blocks.add(name + "@{text}\n");
        } else if (value.matches("[1-9]\\d*|") && meaning != JobVariable.Meaning.ZERO) {
            blocks.add(name + "@{number}\n");
        } else {
            blocks.add(line + "\n");
        }
        if (!value.equals("0")) {
            blocks.add(name + "\n");
        }
    }

    /** Each statement ends where the quotes that it has opened are closed. */
    private void statements(final String code) {
        final StringBuilder statement = new StringBuilder();
        for (final String line : code.lines().toList()) {
            statement.append(line).append('\n');
            if (statement.chars().filter(c -> c == '\'').count() % 2 == 0) {
                blocks.add(statement.toString());
                statement.setLength(0);
            }
        }
        assertThat(statement).isEmpty();
    }

    private void exports(final WlmType target) {
        blocks.add("export MILLRACE_CLUSTER=@{cluster}\n");
        blocks.add("export MILLRACE_ATTEMPT=@{text}\n".replace("@{text}", "'@{attempt}'"));
        blocks.add("export MILLRACE_CORES=@{number}\n");
        final JobSpec all = new JobSpec(
                TEXT,
                "#!/bin/sh\n" + JobVariable.ALL.stream().map(JobVariable::name).collect(Collectors.joining(" ")),
                null,
                Resources.cores(14),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        for (final String directives : List.of("", "#SBATCH -n 2 -c 7\n")) {
            final String text = JobPreamble.of(
                    target,
                    ScriptParser.read(all.script()),
                    all,
                    layout(target, directives),
                    ClusterId.of("text"),
                    AttemptId.of("01JDA0000000000000000000AA.2"),
                    "/place",
                    new StandardStreams(null, null, null),
                    List.of());
            text.lines()
                    .filter(line -> line.matches("(\\[ .*)?(export|unset) .*"))
                    .filter(line ->
                            !line.startsWith("export MILLRACE_") || line.contains("RESTART") || line.contains("JOB_ID"))
                    .map(line -> line.replaceAll("\\^[a-z,]+}", "^@{components}}") + "\n")
                    .forEach(blocks::add);
        }
    }

    private void redirections() {
        blocks.add(
                "_mg_task=\n[[ $_mg_job_id != *\\[*]* ]] || _mg_task=${_mg_job_id#*\\[} _mg_task=_${_mg_task%%]*}\n");
        final List<String> outputs = List.of("\"millrace-@{job}$_mg_task.out\"", "@{stream}");
        for (final String output : outputs) {
            for (final String error : List.of(" 2>&1", " 2>>@{stream}")) {
                for (final String input : List.of(" </dev/null", " <@{stream}")) {
                    blocks.add("exec >>" + output + error + input + "\n");
                }
            }
        }
    }

    private void modules() {
        final String text = JobPreamble.of(
                WlmType.SLURM,
                ScriptParser.read("#!/bin/sh\n"),
                spec(),
                layout(WlmType.SLURM, ""),
                ClusterId.of("text"),
                AttemptId.of("01JDA0000000000000000000AA.2"),
                "/place",
                new StandardStreams(null, null, null),
                List.of("module/1"));
        final List<String> lines = new ArrayList<>(text.lines().toList());
        final int loop = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("for "))
                .findFirst()
                .orElseThrow());
        final int load = lines.indexOf("done") + 1;
        blocks.add(String.join("\n", lines.subList(loop, load)) + "\n");
        blocks.add(lines.get(load).replace("'module/1'", "@{module}").replace("'text'", "@{cluster}") + "\n");
    }
}
