package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTimeoutAction;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.ScriptText;
import io.millrace.model.job.TargetRequest;
import io.millrace.model.job.TargetRule;
import io.millrace.model.transfer.FilterRule;
import io.millrace.script.StandardStreams;
import io.millrace.submit.domain.RequestRefused;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobValidatorTest {

    private static final Set<ClusterId> KNOWN = Set.of(ClusterId.of("alpha"), ClusterId.of("beta"));

    private static JobRequest job(final String script, final List<String> command) {
        return new JobRequest(
                null,
                script,
                command,
                null,
                4,
                null,
                null,
                null,
                "1:00:00",
                null,
                null,
                null,
                null,
                "alpha",
                "/home/a/./x/",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static JobRequest plain(final UnaryOperator<Map<String, Object>> change) {
        final Map<String, Object> f = new HashMap<>(Map.of(
                "script", "#!/bin/sh\n", "cores", 4, "walltime", "60", "source", "alpha", "directory", "/home/a"));
        return of(change.apply(f));
    }

    @SuppressWarnings("unchecked")
    private static JobRequest of(final Map<String, Object> f) {
        return new JobRequest(
                (String) f.get("name"),
                (String) f.get("script"),
                (List<String>) f.get("command"),
                (String) f.get("make"),
                (Integer) f.get("cores"),
                (Integer) f.get("nodes"),
                (Long) f.get("memoryMib"),
                (Integer) f.get("gpus"),
                (String) f.get("walltime"),
                (String) f.get("partition"),
                (String) f.get("project"),
                (Map<String, String>) f.get("environment"),
                (JobRequest.Checkpoint) f.get("checkpoint"),
                (String) f.get("source"),
                (String) f.get("directory"),
                (String) f.get("target"),
                (Boolean) f.get("strict"),
                (List<String>) f.get("software"),
                (String) f.get("output"),
                (String) f.get("error"),
                (String) f.get("input"),
                (String) f.get("scriptName"),
                (List<String>) f.get("arguments"),
                (String) f.get("array"),
                (List<String>) f.get("directories"),
                (String) f.get("dependency"),
                (List<String>) f.get("clusters"),
                (String) f.get("targetRule"),
                (Long) f.get("diskMib"),
                (List<String>) f.get("inputFilter"),
                (List<String>) f.get("resultFilter"),
                (List<String>) f.get("options"));
    }

    /** What a script requests whose submission names nothing but its directory. */
    static JobSpec ofScript(final String script) {
        return JobValidator.validate(of(Map.of("script", script, "source", "alpha", "directory", "/home/a")), KNOWN)
                .spec();
    }

    private static UnaryOperator<Map<String, Object>> with(final String field, final Object value) {
        return fields -> {
            fields.put(field, value);
            return fields;
        };
    }

    private static List<String> wrong(final JobRequest job) {
        final RequestRefused refused =
                catchThrowableOfType(RequestRefused.class, () -> JobValidator.validate(job, KNOWN));
        assertThat(refused).isNotNull();
        assertThat(refused.kind()).isEqualTo(RequestRefused.Kind.INVALID);
        return refused.fields().stream().map(RequestRefused.Field::name).toList();
    }

    private static TargetRequest request(final UnaryOperator<Map<String, Object>> change) {
        return JobValidator.validate(plain(change), KNOWN).request();
    }

    private static String reason(final UnaryOperator<Map<String, Object>> change) {
        return catchThrowableOfType(RequestRefused.class, () -> JobValidator.validate(plain(change), KNOWN))
                .fields()
                .getFirst()
                .reason();
    }

    @Test
    void a_job_names_its_clusters_and_the_rule_that_chooses_among_them() {
        assertThat(request(with("clusters", List.of("beta", "alpha", "beta"))
                        .andThen(with("targetRule", "earliest-end"))::apply))
                .isEqualTo(new TargetRequest(
                        TargetRule.EARLIEST_END,
                        List.of(ClusterId.of("beta"), ClusterId.of("alpha")),
                        List.of(),
                        false,
                        Map.of(),
                        List.of(),
                        0));
        assertThat(request(with("script", "#!/bin/sh\n#SBATCH -M beta\n")).clusters())
                .containsExactly(ClusterId.of("beta"));
        assertThat(request(with("script", "#!/bin/sh\n#SBATCH -M beta\n").andThen(with("target", "alpha"))::apply)
                        .clusters())
                .as("a requested target overrides the script")
                .isEmpty();
    }

    @Test
    void filter_rules_are_those_of_rsync_in_their_order() {
        assertThat(JobValidator.validate(
                                plain(with("inputFilter", List.of("+ a b*.dat", "- *.dat"))
                                        .andThen(with("resultFilter", List.of("- /scratch/")))::apply),
                                KNOWN)
                        .files())
                .isEqualTo(new FileFilters(
                        List.of(FilterRule.of("+ a b*.dat"), FilterRule.of("- *.dat")),
                        List.of(FilterRule.of("- /scratch/"))));
        assertThat(reason(with("inputFilter", List.of("*.tmp"))))
                .isEqualTo("'*.tmp' is not a filter rule; write '- PATTERN' to exclude or '+ PATTERN' to include files,"
                        + " e.g. '- *.tmp'");
        for (final String bad :
                List.of("", "- ", "-s *.tmp", "merge /etc/passwd", ". /etc/passwd", "- a\n- b", "- a\0", "!")) {
            assertThat(wrong(plain(with("resultFilter", List.of(bad))))).as(bad).containsExactly("resultFilter");
        }
        assertThat(wrong(plain(with("resultFilter", Arrays.asList((String) null)))))
                .containsExactly("resultFilter");
        assertThat(wrong(plain(with("resultFilter", Collections.nCopies(101, "- a")))))
                .containsExactly("resultFilter");
        assertThat(reason(with("inputFilter", List.of("- " + "x".repeat(999))))).contains("at most 1000 characters");
    }

    @Test
    void an_unknown_cluster_or_rule_is_refused_with_what_is_known() {
        assertThat(reason(with("clusters", List.of("alpah"))))
                .contains("did you mean 'alpha'?", "Known clusters: alpha, beta");
        assertThat(reason(with("script", "#!/bin/sh\n#SBATCH --clusters=betta\n")))
                .contains("did you mean 'beta'?");
        assertThat(reason(with("targetRule", "fastest"))).contains("'fastest'", "earliest-end");
        assertThat(wrong(plain(with("clusters", List.of("beta")).andThen(with("target", "alpha"))::apply)))
                .containsExactly("clusters");
        assertThat(wrong(plain(with("diskMib", -1L)))).containsExactly("diskMib");
    }

    @Test
    void features_licences_whole_nodes_and_software_of_the_script_count_for_the_choice_of_the_cluster() {
        final String script = "#!/bin/sh\n#SBATCH -C ssd&ib -L matlab:2,ansys --exclusive\n";
        assertThat(request(with("script", script).andThen(with("software", List.of("gromacs")))::apply))
                .isEqualTo(new TargetRequest(
                        null,
                        List.of(),
                        List.of("ssd", "ib"),
                        true,
                        Map.of("matlab", 2, "ansys", 1),
                        List.of("gromacs"),
                        0));
        assertThat(request(with("script", "#!/bin/sh\n#SBATCH -C [rack1|rack2]\n"))
                        .features())
                .containsExactly("rack1|rack2");
        assertThat(request(with("script", "#!/bin/sh\n#SBATCH -C [rack1*2&rack2*4]\n"))
                        .features())
                .as("left to the workload manager")
                .isEmpty();
        assertThat(request(with("script", "#!/bin/sh\n#BSUB -R \"select[ib]\" -R \"rusage[matlab=3]\"\n")))
                .satisfies(lsf -> assertThat(lsf.features()).containsExactly("ib"))
                .satisfies(lsf -> assertThat(lsf.licences()).containsEntry("matlab", 3));
    }

    @Test
    void a_script_gets_the_arguments_of_the_request_or_else_those_of_its_directives() {
        final String script = "#!/bin/sh\n#PBS -F \"mesh.dat 'two words'\"\n";

        assertThat(JobValidator.validate(plain(with("script", script)), KNOWN)
                        .spec()
                        .arguments())
                .containsExactly("mesh.dat", "two words");
        assertThat(JobValidator.validate(
                                plain(with("script", script).andThen(with("arguments", List.of("$HOME", "")))::apply),
                                KNOWN)
                        .spec()
                        .arguments())
                .containsExactly("$HOME", "");
        assertThat(JobValidator.validate(plain(fields -> fields), KNOWN).spec().arguments())
                .isNull();
        assertThat(wrong(plain(with("arguments", List.of("a\0b"))))).containsExactly("arguments");
        assertThat(wrong(plain(with("arguments", List.of("x".repeat(65_537)))))).containsExactly("arguments");
    }

    @Test
    void a_command_becomes_a_script_and_gives_the_job_its_name() {
        final ValidJob job = JobValidator.validate(job(null, List.of("/opt/bin/solve", "it's")), KNOWN);

        assertThat(job.spec().script()).isEqualTo("#!/bin/sh\nexec '/opt/bin/solve' 'it'\\''s'\n");
        assertThat(job.spec().name()).isEqualTo("solve");
        assertThat(job.spec().resources()).isEqualTo(Resources.cores(4));
        assertThat(job.spec().walltime()).isEqualTo(Duration.ofHours(1));
        assertThat(job.directory()).isEqualTo("/home/a/x");
        assertThat(job.spec().checkpoint()).isEqualTo(new CheckpointMethod.None());
    }

    @Test
    void script_and_command_exclude_each_other_and_one_is_needed() {
        assertThat(wrong(job("#!/bin/sh\n", List.of("x")))).containsExactly("command");
        assertThat(wrong(job(null, null))).containsExactly("script");
        assertThat(wrong(job(null, List.of()))).containsExactly("command");
        assertThat(wrong(job(null, List.of("-x")))).containsExactly("command");
        assertThat(wrong(job(null, Arrays.asList("a", null)))).containsExactly("command");
        assertThat(wrong(job(null, List.of("a", "b\0c")))).containsExactly("command");
    }

    @Test
    void every_missing_field_is_named_at_once() {
        assertThat(wrong(of(Map.of()))).containsExactlyInAnyOrder("script", "walltime", "source", "directory");
    }

    @Test
    void a_command_without_cores_gets_one_core() {
        assertThat(spec(Map.of("command", List.of("x"), "walltime", "60")).resources())
                .isEqualTo(Resources.cores(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void cores_have_bounds(final int cores) {
        assertThat(wrong(plain(with("cores", cores)))).containsExactly("cores");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "./run", "", "/", "/..", "/a/../..", "/a\nb", "/a\0b"})
    void a_directory_is_an_absolute_path_below_the_root(final String directory) {
        assertThat(wrong(plain(with("directory", directory)))).containsExactly("directory");
    }

    @Test
    void a_directory_is_normalized() {
        assertThat(JobValidator.validate(plain(with("directory", "/home/../home/anna//x/.")), KNOWN)
                        .directory())
                .isEqualTo("/home/anna/x");
    }

    @Test
    void a_cluster_must_be_known() {
        assertThat(wrong(plain(with("target", "gamma")))).containsExactly("target");
        assertThat(JobValidator.validate(plain(with("target", "beta")), KNOWN).target())
                .isEqualTo(ClusterId.of("beta"));
    }

    @Test
    void an_environment_has_valid_names_and_a_maximum_size() {
        assertThat(wrong(plain(with("environment", Map.of("A-B", "x"))))).containsExactly("environment.A-B");
        assertThat(wrong(plain(with("environment", Map.of("A", "x".repeat(70_000))))))
                .containsExactly("environment");
        assertThat(JobValidator.validate(plain(with("environment", Map.of("A", "ü\n=x"))), KNOWN)
                        .spec()
                        .environment())
                .isEqualTo(Map.of("A", "ü\n=x"));
    }

    @Test
    void a_job_may_be_checkpointed_by_its_workload_manager_with_an_action_on_timeout() {
        assertThat(JobValidator.validate(
                                plain(with("checkpoint", new JobRequest.Checkpoint("native", null, null, "5", "wait"))),
                                KNOWN)
                        .spec()
                        .checkpoint())
                .isEqualTo(new CheckpointMethod.Native(Duration.ofMinutes(5), CheckpointTimeoutAction.WAIT));
        assertThat(wrong(plain(with("checkpoint", new JobRequest.Checkpoint("magic", null, null, "5", "never")))))
                .containsExactlyInAnyOrder("checkpoint.onTimeout", "checkpoint.method");
    }

    @Test
    void a_checkpoint_needs_signal_marker_and_grace() {
        assertThat(JobValidator.validate(
                                plain(with("checkpoint", new JobRequest.Checkpoint(null, "USR1", "saved", "2", null))),
                                KNOWN)
                        .spec()
                        .checkpoint())
                .isEqualTo(new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(2)));
        assertThat(wrong(plain(with("checkpoint", new JobRequest.Checkpoint(null, "10; rm", "saved", "2", null)))))
                .containsExactly("checkpoint.signal");
        assertThat(wrong(plain(with("checkpoint", new JobRequest.Checkpoint(null, "USR1", "../saved", "2", null)))))
                .containsExactly("checkpoint.marker");
        assertThat(wrong(plain(with("checkpoint", new JobRequest.Checkpoint(null, "USR1", "saved", null, null)))))
                .containsExactly("checkpoint.grace");
    }

    @Test
    void names_may_contain_any_printable_characters() {
        assertThat(JobValidator.validate(plain(with("name", "Länge 3 \"作业\"")), KNOWN)
                        .spec()
                        .name())
                .isEqualTo("Länge 3 \"作业\"");
        assertThat(wrong(plain(with("name", "a\u001b[31m")))).containsExactly("name");
        assertThat(wrong(plain(with("name", " ")))).containsExactly("name");
        assertThat(wrong(plain(with("name", "x".repeat(256))))).containsExactly("name");
    }

    @Test
    void a_script_has_an_interpreter_and_no_zero_byte() {
        assertThat(wrong(plain(with("script", "echo")))).containsExactly("script");
        assertThat(wrong(plain(with("script", "#!/bin/sh\n\0")))).containsExactly("script");
        assertThat(wrong(plain(with("make", "make all")))).containsExactly("make");
    }

    @Test
    void a_script_that_a_shell_would_misread_is_refused_with_the_remedy() {
        for (final String field : List.of("script", "make")) {
            assertThat(wrong(plain(with(field, "#!/bin/sh\r\n")))).containsExactly(field);
            assertThat(reason(with(field, "#!/bin/sh\r\ntrue\r\n"))).contains("line 1", "Windows", "dos2unix");
            assertThat(reason(with(field, "#!/bin/sh\ntrue\r\n"))).contains("line 2", "dos2unix");
            assertThat(reason(with(field, "\uFEFF#!/bin/sh\n"))).contains("byte order mark", "without BOM");
        }
    }

    @Test
    void a_script_in_another_encoding_keeps_its_bytes() {
        final byte[] script = "#!/bin/sh\n# f\u00fcr dich\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(ScriptText.bytes(spec(Map.of("script", ScriptText.of(script), "walltime", "5"))
                        .script()))
                .isEqualTo(script);
    }

    /** It would run with one core. */
    @ParameterizedTest
    @ValueSource(strings = {"#$ -pe smp 4", "#MSUB -l nodes=2", "# @ node = 4", "#PJM -L node=4"})
    void the_size_of_directives_that_are_not_read_must_be_given(final String directive) {
        final String script = "#!/bin/sh\n\n" + directive + "\necho\n";
        final RequestRefused refused =
                catchThrowableOfType(RequestRefused.class, () -> spec(Map.of("script", script, "walltime", "5")));
        assertThat(refused.fields()).singleElement().satisfies(field -> {
            assertThat(field.name()).isEqualTo("cores");
            assertThat(field.reason()).contains("line 3: '" + directive + "' is a directive of", "not read");
        });
        final JobSpec given = spec(Map.of("script", script, "walltime", "5", "cores", 4));
        assertThat(new ScriptDirectives(given).notes(given))
                .singleElement()
                .satisfies(note -> assertThat(note).contains("line 3", directive, "not read"));
        assertThat(spec(Map.of("script", "#!/bin/sh\n#SBATCH -n 3\n" + directive + "\n", "walltime", "5"))
                        .resources()
                        .cores())
                .isEqualTo(3);
    }

    private static JobSpec spec(final Map<String, Object> fields) {
        final Map<String, Object> all = new HashMap<>(Map.of("source", "alpha", "directory", "/home/a"));
        all.putAll(fields);
        return JobValidator.validate(of(all), KNOWN).spec();
    }

    @Test
    void missing_fields_are_taken_from_script_directives() {
        final JobSpec spec = spec(Map.of("script", """
            #!/bin/bash
            #PBS -N "wind tunnel" -q long -A aero
            #PBS -l select=2:ncpus=8:mpiprocs=8:mem=16gb:ngpus=1,walltime=1234:00:00
            #PBS -v "CASE=7,MODE='a,b'"
            ./solve
            """));

        assertThat(spec.name()).isEqualTo("wind tunnel");
        assertThat(spec.resources()).isEqualTo(new Resources(16, 0, 32768, 2));
        assertThat(spec.walltime()).isEqualTo(Duration.ofHours(1234));
        assertThat(spec.partition()).hasToString("long");
        assertThat(spec.project()).hasToString("aero");
        assertThat(spec.environment()).isEqualTo(Map.of("CASE", "7", "MODE", "a,b"));
        assertThat(new ScriptDirectives(spec).notes(spec)).isEmpty();
    }

    /** RESOURCE_RESERVE_PER_TASK of the LSF cluster that the script was written for. */
    @Test
    void memory_of_an_lsf_script_is_what_its_cluster_would_reserve() {
        final String script = "#!/bin/sh\n#BSUB -n 4 -W 60 -R \"span[hosts=1] rusage[mem=4GB]\"\n./app\n";
        final Set<ClusterId> alpha = Set.of(ClusterId.of("alpha"));
        final Set<ClusterId> beta = Set.of(ClusterId.of("beta"));

        assertThat(memory(script, LsfMemory.DEFAULT)).isEqualTo(4096);
        assertThat(memory(script, new LsfMemory(Set.of(), alpha))).isEqualTo(16384);
        assertThat(memory(script, new LsfMemory(Set.of(), beta))).isEqualTo(16384);
        assertThat(memory(script, new LsfMemory(alpha, beta)))
                .as("of the source")
                .isEqualTo(4096);
        assertThat(memory(script.replace("4GB", "4GB/host"), new LsfMemory(Set.of(), alpha)))
                .isEqualTo(4096);
        final JobSpec counted = lsfJob(script, new LsfMemory(Set.of(), alpha));
        assertThat(new ScriptDirectives(counted).notes(counted))
                .singleElement()
                .asString()
                .contains("line 2", "for each slot");
        assertThatThrownBy(() -> memory(script, new LsfMemory(beta, Set.of(ClusterId.of("gamma")))))
                .isInstanceOf(RequestRefused.class)
                .hasMessageContaining("write mem=…/task or mem=…/host");
    }

    private static long memory(final String script, final LsfMemory rule) {
        return lsfJob(script, rule).resources().memoryMib();
    }

    private static JobSpec lsfJob(final String script, final LsfMemory rule) {
        return JobValidator.validate(
                        of(Map.of("source", "alpha", "directory", "/home/a", "script", script)),
                        KNOWN,
                        () -> rule,
                        id -> id)
                .spec();
    }

    @Test
    void request_fields_override_directives_with_a_note() {
        final JobSpec spec = spec(Map.of(
                "script",
                "#!/bin/sh\n#SBATCH -n 16 -t 60\n#BSUB -n 4\n",
                "cores",
                8,
                "walltime",
                "30",
                "name",
                "mine"));

        assertThat(spec.resources()).isEqualTo(Resources.cores(8));
        assertThat(spec.walltime()).isEqualTo(Duration.ofMinutes(30));
        assertThat(new ScriptDirectives(spec).notes(spec))
                .hasSize(3)
                .anySatisfy(remark -> assertThat(remark)
                        .contains("using 8 from the submission instead of 16 (line 2: #SBATCH -n 16)"))
                .anySatisfy(remark -> assertThat(remark)
                        .contains("using PT30M from the submission instead of PT1H (line 2: #SBATCH -t 60)"))
                .anySatisfy(remark ->
                        assertThat(remark).contains("several workload managers").contains("#SBATCH"));
    }

    @Test
    void an_invalid_directive_is_reported_with_its_line() {
        final RequestRefused refused = catchThrowableOfType(
                RequestRefused.class,
                () -> spec(Map.of("script", "#!/bin/sh\n#SBATCH --time=soon -n 2\n#SBATCH -p -x\n", "walltime", "5")));

        assertThat(refused.fields())
                .allMatch(field -> field.name().equals("script"))
                .anyMatch(field ->
                        field.reason().startsWith("line 2: #SBATCH --time=soon: 'soon' is not a valid Slurm time"))
                .anyMatch(field -> field.reason().startsWith("line 3: #SBATCH -p -x: '-x' is not a valid partition"));
    }

    @Test
    void a_job_needs_a_walltime() {
        final RequestRefused refused = catchThrowableOfType(
                RequestRefused.class, () -> spec(Map.of("script", "#!/bin/sh\n#SBATCH --time=UNLIMITED\n")));

        assertThat(refused.reason()).contains("walltime").contains("unlimited").contains("set a limit");
    }

    @Test
    void a_script_with_directives_needs_no_interpreter_line_and_software_becomes_a_variable() {
        final JobSpec spec = spec(Map.of(
                "script",
                "#PBS -l walltime=60\nsleep 1\n",
                "software",
                List.of("gromacs", "python/3.12"),
                "strict",
                true,
                "scriptName",
                "run.pbs"));

        assertThat(spec.name()).isEqualTo("run.pbs");
        assertThat(spec.strict()).isTrue();
        assertThat(spec.environment()).isEqualTo(Map.of("MILLRACE_SOFTWARE", "gromacs python/3.12"));
        assertThat(wrong(plain(with("software", List.of("a b"))))).containsExactly("software");
    }

    @Test
    void the_files_of_the_streams_come_from_the_request_then_from_the_script() {
        final String script = "#!/bin/sh\n#SBATCH -o /scratch/%j.out\n#SBATCH -e logs/%x.err\n";
        final JobSpec spec = JobValidator.validate(
                        plain(with(Map.of("script", script, "error", "/home/a/mine.err"))),
                        Set.of(ClusterId.of("alpha")))
                .spec();
        assertThat(spec.environment())
                .containsEntry(StandardStreams.OUTPUT, "%j.out")
                .containsEntry(StandardStreams.ERROR, "mine.err")
                .doesNotContainKey(StandardStreams.INPUT);
        assertThat(new ScriptDirectives(spec).notes(spec))
                .contains(
                        "line 2: #SBATCH -o /scratch/%j.out: using '%j.out' in the directory of the job",
                        "line 3: #SBATCH -e logs/%x.err: using 'mine.err' in the directory of the job");
    }

    @Test
    void a_file_outside_the_directory_is_refused() {
        assertThatThrownBy(() -> JobValidator.validate(
                        plain(with(Map.of("input", "/etc/passwd"))), Set.of(ClusterId.of("alpha"))))
                .hasMessageContaining("'input'")
                .hasMessageContaining("is not in the directory of the job");
    }

    private static UnaryOperator<Map<String, Object>> with(final Map<String, Object> fields) {
        return all -> {
            all.putAll(fields);
            return all;
        };
    }

    private static final String PBS = "#!/bin/sh\n#PBS -q long -l select=2:ncpus=8:mem=16gb,walltime=1:00:00\n";

    private static JobSpec withOptions(final String script, final String... options) {
        return spec(Map.of("script", script, "options", List.of(options)));
    }

    @Test
    void options_of_sbatch_outrank_the_directives_of_a_script_of_any_kind() {
        final JobSpec spec = withOptions(PBS, "-n", "4", "-c2", "--mem-per-cpu=1G", "-p", "a,b", "--time=30");

        assertThat(spec.resources()).isEqualTo(new Resources(8, 0, 8192, 0));
        assertThat(spec.partition()).hasToString("a");
        assertThat(spec.walltime()).isEqualTo(Duration.ofMinutes(30));
        assertThat(spec.environment())
                .containsEntry("MILLRACE_OPTIONS", "'-n' '4' '-c2' '--mem-per-cpu=1G' '-p' 'a,b' '--time=30'");
        assertThat(new ScriptDirectives(spec).notes(spec))
                .contains(
                        "line 2: #PBS -q long: replaced by option -p a,b",
                        "line 2: #PBS -l walltime=1:00:00: replaced by option --time=30");
    }

    @Test
    void an_option_of_sbatch_replaces_only_what_it_sets() {
        assertThat(withOptions(PBS, "--mem=1G", "--gpus=2").resources()).isEqualTo(new Resources(16, 0, 1024, 2));
        assertThat(withOptions(PBS, "-N", "2-4", "--ntasks-per-node", "3").resources())
                .isEqualTo(new Resources(6, 2, 32768, 0));
        assertThat(withOptions("#!/bin/sh\n", "--wait", "-t5", "-J", "it's").name())
                .isEqualTo("it's");
    }

    @Test
    void an_invalid_option_of_sbatch_is_an_error_of_its_field() {
        assertThat(optionError("-N", "2-1"))
                .isEqualTo("option -N 2-1: '2-1' is not a valid number of nodes: the maximum is less than the minimum");
        assertThat(optionError("--mem=4G", "--mem-per-cpu=1G"))
                .isEqualTo("option --mem=4G: '--mem-per-cpu=1G' requests the same in another way; keep one of them");
        assertThat(optionError("--gpu-per-node=1"))
                .isEqualTo("option --gpu-per-node=1: unknown option; did you mean '--gpus-per-node'?");
        assertThat(optionError("-A", "a b")).startsWith("option -A 'a b': ");
        assertThat(optionError("-J", "a\nb")).isEqualTo("option 'a\\u000ab': must have printable characters");
        assertThat(wrong(plain(with("options", List.of("-n", "8"))))).containsExactly("cores");
    }

    private static String optionError(final String... options) {
        final RequestRefused refused =
                catchThrowableOfType(RequestRefused.class, () -> withOptions("#!/bin/sh\n#SBATCH -t 5\n", options));
        assertThat(refused.fields()).extracting(RequestRefused.Field::name).containsExactly("options");
        return refused.fields().getFirst().reason();
    }

    @Test
    void only_options_set_their_variable() {
        assertThat(spec(Map.of(
                                "script",
                                "#!/bin/sh\n#SBATCH -t 5 --export=MILLRACE_OPTIONS=-n9\n",
                                "environment",
                                Map.of("MILLRACE_OPTIONS", "-n9")))
                        .environment())
                .doesNotContainKey("MILLRACE_OPTIONS");
    }

    private static ValidJob scriptJob(final String directives, final String... options) {
        return JobValidator.validate(
                plain(fields -> {
                    fields.put("script", "#!/bin/sh\n" + directives + "\n");
                    fields.put("options", List.of(options));
                    fields.remove("cores");
                    return fields;
                }),
                KNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"#SBATCH -H", "#SBATCH --hold", "#PBS -h", "#BSUB -H"})
    void a_script_can_be_submitted_with_a_hold(final String directive) {
        assertThat(scriptJob(directive).held()).isTrue();
        assertThat(scriptJob("").held()).isFalse();
        assertThat(scriptJob("", "-H").held()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"#SBATCH -D run", "#SBATCH --chdir=./run", "#PBS -d /home/a/run", "#BSUB -cwd run/."})
    void a_script_names_its_directory(final String directive) {
        final ValidJob job = scriptJob(
                directive + "\n#SBATCH -o /home/a/run/out\n#BSUB -o /home/a/run/out\n#PBS -o /home/a/run/out");
        assertThat(job.directory()).isEqualTo("/home/a/run");
        assertThat(job.spec().environment()).containsEntry(StandardStreams.OUTPUT, "out");
        assertThat(scriptJob(directive, "--chdir=/b").directory()).isEqualTo("/b");
    }

    @Test
    void a_directory_that_is_none_is_refused() {
        for (final String directory : List.of("/", "~/x", "$HOME", "..//..")) {
            assertThatThrownBy(() -> scriptJob("#SBATCH --chdir=" + directory))
                    .isInstanceOf(RequestRefused.class)
                    .hasMessageContaining("#SBATCH --chdir=" + directory);
        }
    }

    @Test
    void memory_for_each_gpu_requires_gpus() {
        assertThat(scriptJob("#SBATCH -n 2 --gpus=3 --mem-per-gpu=4G").spec().resources())
                .isEqualTo(new Resources(2, 0, 12288, 3));
        assertThat(scriptJob("#SBATCH -N 2 --gres=gpu:2", "--mem-per-gpu=1G")
                        .spec()
                        .resources()
                        .memoryMib())
                .isEqualTo(4096);
        assertThatThrownBy(() -> scriptJob("#SBATCH -n 2 --mem-per-gpu=4G"))
                .hasMessageContaining("#SBATCH --mem-per-gpu=4G: requires GPUs; request them with --gpus");
    }

    @ParameterizedTest
    @CsvSource({
        "--gpus=4 --cpus-per-gpu=8, 32, 4",
        "--gpus=2 --ntasks-per-gpu=3, 6, 2",
        "--gpus=2 --ntasks-per-gpu=2 --cpus-per-gpu=8, 16, 2",
        "--gpus=2 --ntasks-per-gpu=2 -c 3, 12, 2",
        "-N 2 --gpus-per-node=2 --cpus-per-gpu=4, 16, 4",
        "-n 4 --gpus-per-task=1 --cpus-per-gpu=2, 8, 4",
        "-n 6 --ntasks-per-gpu=2, 6, 3"
    })
    void sizes_for_each_gpu_are_counted(final String options, final int cores, final int gpus) {
        final Resources counted = scriptJob("#SBATCH " + options).spec().resources();
        assertThat(counted.cores()).isEqualTo(cores);
        assertThat(counted.gpus()).isEqualTo(gpus);
    }

    @Test
    void cores_for_each_gpu_require_gpus() {
        assertThatThrownBy(() -> scriptJob("#SBATCH -n 2 --cpus-per-gpu=4"))
                .hasMessageContaining("#SBATCH --cpus-per-gpu=4: requires GPUs; request them with --gpus");
    }

    @Test
    void patterns_of_files_are_no_nodes() {
        assertThat(optionError("--exclude", "*.tmp"))
                .endsWith("is not a list of nodes; mgsub --exclude-files names files");
        assertThat(withOptions("#!/bin/sh\n", "-t5", "-w", "n[1-4,7],m2")
                        .resources()
                        .cores())
                .isEqualTo(1);
    }
}
