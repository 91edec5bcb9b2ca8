package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.text.DryRunText;
import io.millrace.cli.text.MemorySize;
import io.millrace.cli.text.Terminal;
import io.millrace.cli.text.TerminalText;
import io.millrace.model.job.ScriptText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MgsubTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);

    private static final Map<String, String> SHELL = Map.of(
            "MODEL",
            "a b",
            "OMP_NUM_THREADS",
            "4",
            "HOME",
            "/home/anna",
            "PATH",
            "/opt/bin",
            "API_TOKEN",
            "abc",
            "odd-name",
            "1");

    @TempDir
    Path folder;

    private static Mgsub parsed(final String... arguments) throws CommandException {
        final Mgsub command = new Mgsub(PIPE, SHELL);
        final CommandLine line = Main.commandLine(command, PIPE);
        line.parseArgs(command.withoutSbatchOptions(line.getCommandSpec(), arguments));
        return command;
    }

    private static JsonNode job(final String... arguments) throws CommandException {
        return parsed(arguments).job("alpha");
    }

    private String script(final String text) throws IOException {
        return Files.writeString(folder.resolve("job 1.sh"), text).toString();
    }

    @Test
    void a_script_is_sent_unchanged_and_its_file_name_becomes_the_job_name() throws Exception {
        final JsonNode job = job("-t", "1-02:00:00", "--cores", "8", script("#!/bin/sh\necho 'ü'\r\n"));

        assertThat(job.path("script").asText()).isEqualTo("#!/bin/sh\necho 'ü'\r\n");
        assertThat(job.path("scriptName").asText()).isEqualTo("job 1.sh");
        assertThat(job.has("name")).isFalse();
        assertThat(job.path("cores").asInt()).isEqualTo(8);
        assertThat(job.path("walltime").asText()).isEqualTo("1-02:00:00");
        assertThat(job.path("source").asText()).isEqualTo("alpha");
        assertThat(job.path("directory").asText())
                .isEqualTo(Path.of("").toAbsolutePath().toString());
        assertThat(job.has("command")).isFalse();
    }

    @Test
    void filter_rules_are_sent_by_direction_in_the_order_of_the_options() throws Exception {
        final JsonNode job = job(
                "-t5",
                "--exclude-files",
                "*.tmp",
                "--exclude-results=/scratch/",
                "--include-files",
                "a b.dat",
                "--exclude-files=*.dat",
                script("#!/bin/sh\n"));

        assertThat(job.path("inputFilter").toString()).isEqualTo("[\"- *.tmp\",\"+ a b.dat\",\"- *.dat\"]");
        assertThat(job.path("resultFilter").toString()).isEqualTo("[\"- /scratch/\"]");
        assertThat(job("-t5", script("#!/bin/sh\n")).has("inputFilter")).isFalse();
    }

    @Test
    void the_files_of_the_streams_are_sent_with_their_patterns() throws Exception {
        final JsonNode job =
                job("-t", "5", "-o", "%x-%j.out", "-e", "logs/%j.err", "-i", "data.in", script("#!/bin/sh\n"));

        assertThat(job.path("output").asText()).isEqualTo("%x-%j.out");
        assertThat(job.path("error").asText()).isEqualTo("logs/%j.err");
        assertThat(job.path("input").asText()).isEqualTo("data.in");
    }

    @Test
    void what_follows_a_script_are_its_arguments() throws Exception {
        final JsonNode job = job("-t", "5", script("#!/bin/sh\n"), "-n", "it's", "--wait", "--", "", "@file");

        assertThat(job.path("arguments"))
                .extracting(JsonNode::asText)
                .containsExactly("-n", "it's", "--wait", "--", "", "@file");
        assertThat(job.has("command")).isFalse();
        assertThat(job.has("cores")).isFalse();
        assertThat(job("-t", "5", script("#!/bin/sh\n")).has("arguments")).isFalse();
    }

    private JsonNode variables(final String... arguments) throws CommandException {
        return job(arguments).path("environment");
    }

    @Test
    void without_a_rule_no_variable_of_the_shell_is_sent() throws Exception {
        assertThat(job("-t", "5", script("#!/bin/sh\n#SBATCH -n 1\n")).has("environment"))
                .isFalse();
    }

    @Test
    void variables_of_the_shell_are_sent_by_rules_of_the_option_or_else_of_the_script() throws Exception {
        final String script = script("#!/bin/sh\n#PBS -v MODEL,UNSET,LEVEL=2\n");

        assertThat(variables("-t", "5", script))
                .isEqualTo(Json.read("{\"MODEL\":\"a b\",\"LEVEL\":\"2\",\"MILLRACE_EXPORT\":\"NONE\"}"));
        assertThat(variables("-t", "5", "--export", "PATH,A='x,y'", "--env", "B=2", script))
                .isEqualTo(Json.read("{\"PATH\":\"/opt/bin\",\"A\":\"x,y\",\"B\":\"2\",\"MILLRACE_EXPORT\":\"NONE\"}"));
    }

    @Test
    void all_leaves_out_what_belongs_to_the_machine_and_what_looks_like_a_secret() throws Exception {
        for (final String script : List.of("#SBATCH --export=ALL", "#PBS -V", "#BSUB -env all")) {
            assertThat(variables("-t", "5", script("#!/bin/sh\n" + script + "\n")))
                    .as(script)
                    .isEqualTo(Json.read("{\"MODEL\":\"a b\",\"OMP_NUM_THREADS\":\"4\",\"MILLRACE_EXPORT\":\"ALL\"}"));
        }
        assertThat(variables("-t", "5", script("#!/bin/sh\n#BSUB -env \"all,~MODEL\"\n"))
                        .has("MODEL"))
                .isFalse();
    }

    @Test
    void an_invalid_rule_is_refused() {
        assertThatThrownBy(() -> job("-t", "5", "--export", "1X", script("#!/bin/sh\n")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("--export: '1X' is not a valid variable name");
    }

    @Test
    void a_command_is_sent_word_by_word() throws Exception {
        final List<String> words = List.of("./solve", "-n", "it's", "$HOME", "", "*", "--wait", "--");
        final String[] arguments = java.util.stream.Stream.concat(
                        java.util.stream.Stream.of("-t", "5", "-D", folder.toString(), "--"), words.stream())
                .toArray(String[]::new);

        final JsonNode job = job(arguments);

        assertThat(job.path("command")).extracting(JsonNode::asText).containsExactlyElementsOf(words);
        assertThat(job.path("directory").asText()).isEqualTo(folder.toString());
        assertThat(job.has("script")).isFalse();
    }

    @Test
    void every_option_sets_its_field() throws Exception {
        final String make = Files.writeString(folder.resolve("make.sh"), "#!/bin/sh\nmake\n")
                .toString();
        final JsonNode job = job(
                "-t",
                "90",
                "--cores",
                "8",
                "--memory",
                "4G",
                "-A",
                "p1",
                "-J",
                "n",
                "--target",
                "beta",
                "--make",
                make,
                "--env",
                "A=1=2",
                "--env",
                "B=",
                script("#!/bin/sh\n"));

        assertThat(job.path("cores").asInt()).isEqualTo(8);
        assertThat(job.path("memoryMib").asLong()).isEqualTo(4096);
        assertThat(job.path("project").asText()).isEqualTo("p1");
        assertThat(job.path("name").asText()).isEqualTo("n");
        assertThat(job.path("target").asText()).isEqualTo("beta");
        assertThat(job.path("make").asText()).isEqualTo("#!/bin/sh\nmake\n");
        assertThat(job.path("environment").path("A").asText()).isEqualTo("1=2");
        assertThat(job.path("environment").path("B").asText()).isEmpty();
    }

    @Test
    void a_script_in_another_encoding_is_sent_without_loss() throws Exception {
        final byte[] script = "#!/bin/sh\n#SBATCH -n 2\n# f\u00fcr dich\n".getBytes(StandardCharsets.ISO_8859_1);
        final JsonNode job =
                job("-t", "5", Files.write(folder.resolve("latin.sh"), script).toString());

        final byte[] sent = job.toString().getBytes(StandardCharsets.UTF_8);
        final String received = new ObjectMapper().readTree(sent).path("script").asText();
        assertThat(ScriptText.bytes(received)).isEqualTo(script);
    }

    @Test
    void a_binary_instead_of_a_script_is_recognised() throws Exception {
        final Path program = Files.write(folder.resolve("a.out"), new byte[] {0x7f, 'E', 'L', 'F', 0, (byte) 0xff});

        assertThatThrownBy(() -> job("-t", "5", program.toString()))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("-- " + program);
    }

    @Test
    void missing_files_and_directories_are_named() {
        assertThatThrownBy(() -> job("-t", "5", "nowhere.sh"))
                .hasMessage("script 'nowhere.sh' not found")
                .extracting(e -> ((CommandException) e).exitCode())
                .isEqualTo(ExitCode.NOT_FOUND);
        assertThatThrownBy(() -> job("-t", "5", "-D", folder.resolve("x").toString(), "--", "a"))
                .hasMessage("directory '" + folder.resolve("x") + "' not found on this node");
    }

    @Test
    void a_directory_that_cannot_be_written_is_refused_with_the_remedy() {
        assertThatThrownBy(() -> JobFiles.directory("/proc/sys")) // read-only also for root
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("cannot write to directory '/proc/sys'")
                .hasMessageContaining("-D DIR");
    }

    @Test
    void a_script_above_the_size_limit_is_refused_before_it_is_sent() throws Exception {
        final String script = script("#!/bin/sh\n" + "#".repeat(256 * 1024));

        assertThatThrownBy(() -> job("-t", "5", script)).hasMessageContaining("larger than 262144 bytes");
    }

    @Test
    void a_command_needs_a_walltime_a_script_can_set_it() throws Exception {
        assertThatThrownBy(() -> job("--", "true"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("-t TIME");

        final JsonNode job = job(script("#SBATCH -n 4 -t 5\n"));
        assertThat(job.has("walltime")).isFalse();
        assertThat(job.has("cores")).isFalse();
    }

    @Test
    void strict_software_and_cluster_set_their_fields() throws Exception {
        final JsonNode job =
                job("--dry-run", "--strict", "--software", "gcc,mpi", "--cluster", "beta", script("#!/bin/sh\n"));

        assertThat(job.path("strict").asBoolean()).isTrue();
        assertThat(job.path("software").toString()).isEqualTo("[\"gcc\",\"mpi\"]");
        assertThat(job.path("target").asText()).isEqualTo("beta");
    }

    @Test
    void a_dry_run_shows_the_command_and_the_ignored_options_of_each_cluster() throws Exception {
        final DryRunText found = new DryRunText(Json.read("""
            {"job": {"name": "a b", "cores": 16, "nodes": 2, "memoryMib": 4096, "gpus": 1,
                     "walltime": "PT26H", "project": "aero"},
             "notes": ["line 9: is below the first command"],
             "clusters": [
               {"cluster": "alpha", "wlm": "slurm 22.05", "verdict": "accepted",
                "command": ["sbatch", "--job-name=a b", "--begin=it's"],
                "ignoredOptions": ["line 3: #PBS -X: a batch job has no display"], "notes": ["mind\\u001b[31m this"]},
               {"cluster": "beta", "verdict": "refused", "reason": "no account", "command": [],
                "ignoredOptions": [], "notes": []}]}
            """), PIPE);

        assertThat(found.lines())
                .containsExactly(
                        "job 'a b': 16 cores on 2 nodes, 4096 MiB, 1 GPU, walltime 1-02:00:00, project 'aero'",
                        "  note: line 9: is below the first command",
                        "",
                        "alpha (slurm 22.05): accepted",
                        "  sbatch '--job-name=a b' '--begin=it'\\''s'",
                        "  ignored: line 3: #PBS -X: a batch job has no display",
                        "  note: " + TerminalText.printable("mind\u001b[31m this"),
                        "",
                        "beta: refused: no account");
        assertThat(found.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void a_dry_run_shows_how_much_would_be_copied() throws Exception {
        assertThat(inputs("{\"files\": 1, \"bytes\": 999}")).endsWith(": 1 file, 999 B");
        assertThat(inputs("{\"files\": 20, \"bytes\": 1000000}")).endsWith(": 20 files, 1.0 MB");
        assertThat(inputs("{\"files\": 12345, \"bytes\": 2345678901234}")).endsWith(": 12345 files, 2.3 TB");
        assertThat(inputs("{\"files\": 0, \"bytes\": 0}")).endsWith(": 0 files, 0 B");
        assertThat(inputs("{\"unknown\": \"no agent\"}")).endsWith("copy to another cluster: unknown: no agent");
    }

    private static String inputs(final String json) throws Exception {
        return new DryRunText(
                        Json.read("{\"job\": {\"name\": \"a\", \"walltime\": \"PT1H\"}, \"inputs\": " + json + "}"),
                        PIPE)
                .lines()
                .get(1);
    }

    @Test
    void memory_sizes_are_parsed_as_by_slurm() throws Exception {
        assertThat(MemorySize.mib("--memory", "512")).isEqualTo(512);
        assertThat(MemorySize.mib("--memory", "1K")).isEqualTo(1);
        assertThat(MemorySize.mib("--memory", "2g")).isEqualTo(2048);
        assertThat(MemorySize.mib("--memory", "1TiB")).isEqualTo(1024 * 1024);
        assertThatThrownBy(() -> MemorySize.mib("--memory", "lots"))
                .hasMessageContaining("--memory: 'lots' is not a valid memory size");
    }

    @Test
    void an_array_and_a_dependency_are_sent_as_written() throws Exception {
        final String script = script("#!/bin/sh\n");
        final JsonNode job =
                job("-t", "5", "--array=1-10%4", "--dependency", "afterok:01JNFQ6M5T8W3KZX9B2C4D7E1F", script);
        assertThat(job.path("array").asText()).isEqualTo("1-10%4");
        assertThat(job.path("dependency").asText()).isEqualTo("afterok:01JNFQ6M5T8W3KZX9B2C4D7E1F");
        assertThat(job("-t", "5", script).has("array")).isFalse();
    }

    @Test
    void a_batch_has_the_directories_that_match_below_the_working_directory() throws Exception {
        for (final String name : List.of("runs/case2", "runs/case1", "runs/other", "more/case3")) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.createFile(folder.resolve("runs/case.txt"));
        final String script = script("#!/bin/sh\n");
        final JsonNode job = job(
                "-t", "5", "-D", folder.toString(), "--directories", "runs/case*", "--directories", "more/*", script);
        assertThat(job.path("directories"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        folder.resolve("more/case3").toString(),
                        folder.resolve("runs/case1").toString(),
                        folder.resolve("runs/case2").toString());
        assertThatThrownBy(() -> job("-t", "5", "-D", folder.toString(), "--directories", "none*", script))
                .hasMessageContaining("no directory in")
                .hasMessageContaining("matches 'none*'");
    }

    @Test
    void a_script_that_asks_for_an_array_is_submitted_as_a_batch_with_a_key() throws Exception {
        try (FakeApi api = new FakeApi(folder)) {
            api.answer("/batches", "{\"id\":\"01JNFQ6M5T8W3KZX9B2C4D0000\",\"jobs\":4,\"notes\":[]}");
            for (final String script : List.of("#SBATCH --array=1-4", "#PBS -J 1-4", "#BSUB -J \"name[1-4]\"")) {
                assertThat(parsed("-t", "5", script("#!/bin/sh\n" + script + "\n"))
                                .submit(
                                        api.client(),
                                        parsed("-t", "5", script("#!/bin/sh\n" + script + "\n"))
                                                .job("alpha"))
                                .path("jobs")
                                .asInt())
                        .isEqualTo(4);
            }
        }
    }

    @Test
    void a_key_that_the_service_would_not_see_is_refused() {
        assertThatThrownBy(() -> job("--idempotency-key", "", "-t5", script("#!/bin/sh\n")))
                .hasMessageContaining("--idempotency-key must have 1 to 255");
        assertThatThrownBy(() -> job("--idempotency-key", "a b", "-t5", script("#!/bin/sh\n")))
                .hasMessageContaining("--idempotency-key must have 1 to 255");
    }

    private static List<String> options(final String... arguments) throws CommandException {
        return parsed(arguments)
                .job("alpha")
                .path("options")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    @Test
    void the_options_of_sbatch_are_sent_in_their_order_and_the_others_are_not() throws Exception {
        final JsonNode job = job(
                "-n",
                "4",
                "-c2",
                "-t",
                "5",
                "--gres",
                "gpu:2",
                "-J",
                "n4",
                "--exclusive",
                "-HN",
                "2-4",
                "--mem=4G",
                "--nodel",
                "n1",
                script("#!/bin/sh\n"),
                "-N",
                "3");

        assertThat(job.path("options"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "-n", "4", "-c2", "--gres", "gpu:2", "--exclusive", "-HN", "2-4", "--mem=4G", "--nodel", "n1");
        assertThat(job.path("name").asText()).isEqualTo("n4");
        assertThat(job.path("arguments")).extracting(JsonNode::asText).containsExactly("-N", "3");
        assertThat(options("-n4", "-t5", "--", "true")).containsExactly("-n4");
        assertThat(job("-t5", "--", "true").has("options")).isFalse();
    }

    @Test
    void options_that_both_have_are_its_own_by_any_of_their_names_and_the_last_counts() throws Exception {
        final JsonNode job = job(
                "--time",
                "5",
                "--job-name=a",
                "--account",
                "p1",
                "--chdir",
                folder.toString(),
                "-a",
                "1-2",
                "-d",
                "singleton",
                "--time=7",
                script("#!/bin/sh\n"));

        assertThat(job.path("walltime").asText()).isEqualTo("7");
        assertThat(job.path("name").asText()).isEqualTo("a");
        assertThat(job.path("project").asText()).isEqualTo("p1");
        assertThat(job.path("directory").asText()).isEqualTo(folder.toString());
        assertThat(job.path("array").asText()).isEqualTo("1-2");
        assertThat(job.path("dependency").asText()).isEqualTo("singleton");
        assertThat(job.path("options")).extracting(JsonNode::asText).containsExactly("--chdir=" + folder);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--gers=gpu:2; option --gers: unknown option; did you mean '--gres'",
                "--memroy=4G; '--memory'",
                "-Z; option -Z: unknown option",
                "--gpu=2; ambiguous",
                "--gres; option --gres needs a value"
            })
    void an_unknown_option_is_refused_with_the_nearest_one(final String option, final String message) {
        assertThatThrownBy(() -> job(option))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(message)
                .extracting(e -> ((CommandException) e).exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_wrapped_command_runs_in_a_shell() throws Exception {
        final JsonNode job = job("-t5", "--wrap", "echo $HOME | cat", "--parsable");

        assertThat(job.path("script").asText()).isEqualTo("#!/bin/sh\necho $HOME | cat\n");
        assertThat(job.path("scriptName").asText()).isEqualTo("wrap");
        assertThatThrownBy(() -> job("-t5", "--wrap=true", "job.sh")).hasMessageContaining("remove 'job.sh'");
    }

    @Test
    void without_a_script_standard_input_is_read() throws Exception {
        final InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("#!/bin/sh\ntrue\n".getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(job("-t5").path("script").asText()).isEqualTo("#!/bin/sh\ntrue\n");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void the_directory_of_a_script_must_exist() throws Exception {
        assertThatThrownBy(() -> job("-t5", script("#!/bin/sh\n#SBATCH -D no/such\n")))
                .hasMessage("directory '" + Path.of("no/such").toAbsolutePath() + "' not found on this node");
        final String script = script("#!/bin/sh\n#BSUB -cwd " + folder + "\n");
        assertThat(job("-t5", script).path("directory").asText())
                .isEqualTo(Path.of("").toAbsolutePath().toString());
    }
}
