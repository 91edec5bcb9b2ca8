package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.JobSetting.After;
import io.millrace.script.JobSetting.MailEvent;
import io.millrace.script.JobSetting.Per;
import io.millrace.script.JobSetting.Range;
import io.millrace.script.JobSetting.When;
import io.millrace.script.ScriptOption;
import io.millrace.script.WlmType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Directives of the three dialects and their settings. */
public class ScriptParserTest {

    private static ParsedScript read(final String... lines) {
        return ScriptParser.read("#!/bin/bash\n" + String.join("\n", lines) + "\n");
    }

    private static Arguments line(final String line, final JobSetting... settings) {
        return Arguments.of(line, List.of(settings));
    }

    public static Stream<Arguments> slurm() {
        return Stream.of(
                line("#SBATCH --job-name=tunnel", new JobSetting.Name("tunnel")),
                line("#SBATCH -J 'two words'", new JobSetting.Name("two words")),
                line("#SBATCH --job-name \"it's\\\" ü|\"", new JobSetting.Name("it's\" ü|")),
                line("#SBATCH -n4 -N2", new JobSetting.Cores(4), new JobSetting.Nodes(2)),
                line("#SBATCH --nodes=2-4", new JobSetting.Nodes(2)),
                line("#SBATCH -N 1k", new JobSetting.Nodes(1024)),
                line(
                        "#SBATCH --ntasks-per-node 8 -c 2 # both",
                        new JobSetting.TasksPerNode(8),
                        new JobSetting.CoresPerTask(2)),
                line("#SBATCH --mem=4G", new JobSetting.Memory(4096, Per.NODE)),
                line("#SBATCH --mem 500", new JobSetting.Memory(500, Per.NODE)),
                line("#SBATCH --mem-per-cpu=1500K", new JobSetting.Memory(2, Per.CORE)),
                line("#SBATCH --gpus=a100:2", new JobSetting.Gpus(2, Per.JOB, "a100")),
                line("#SBATCH --gpus-per-node=2", new JobSetting.Gpus(2, Per.NODE, null)),
                line("#SBATCH --gres=gpu:v100:4", new JobSetting.Gpus(4, Per.NODE, "v100")),
                line("#SBATCH --gres=gpu:4", new JobSetting.Gpus(4, Per.NODE, null)),
                line("#SBATCH --gres=gpu", new JobSetting.Gpus(1, Per.NODE, null)),
                line("#SBATCH --gres=gpu:v100", new JobSetting.Gpus(1, Per.NODE, "v100")),
                line("#SBATCH -t 90", walltime(Duration.ofMinutes(90))),
                line("#SBATCH -t 90:30", walltime(Duration.ofMinutes(90).plusSeconds(30))),
                line("#SBATCH --time=1234:00:00", walltime(Duration.ofHours(1234))),
                line("#SBATCH --time=2-3", walltime(Duration.ofHours(51))),
                line("#SBATCH --time=2-03:04", walltime(Duration.ofHours(51).plusMinutes(4))),
                line("#SBATCH --time=2-03:04:05", walltime(Duration.ofHours(51).plusSeconds(245))),
                line("#SBATCH --time=UNLIMITED", new JobSetting.Walltime(null)),
                line("#SBATCH --part=long,short", new JobSetting.Partition(List.of("long", "short"))),
                line("#SBATCH -A aero", new JobSetting.Project("aero")),
                line(
                        "#SBATCH -o out-%j.txt -e err-%j.txt",
                        new JobSetting.Output("out-%j.txt"), new JobSetting.Error("err-%j.txt")),
                line(
                        "#SBATCH --array=0-15:4,20%2",
                        new JobSetting.Array(List.of(new Range(0, 15, 4), new Range(20, 20, 1)), 2)),
                line(
                        "#SBATCH -d afterok:1:2,afterany:3_4",
                        new JobSetting.Dependency(
                                List.of(
                                        new After(When.OK, "1", false),
                                        new After(When.OK, "2", false),
                                        new After(When.ENDED, "3_4", false)),
                                true)),
                line(
                        "#SBATCH --dependency=after:1?afternotok:2",
                        new JobSetting.Dependency(
                                List.of(new After(When.STARTED, "1", false), new After(When.NOT_OK, "2", false)),
                                false)),
                line(
                        "#SBATCH --dependency=aftercorr:5",
                        new JobSetting.Dependency(List.of(new After(When.CORRESPONDING, "5", false)), true)),
                line(
                        "#SBATCH --dependency=singleton",
                        new JobSetting.Dependency(List.of(new After(When.SINGLETON, "", false)), true)),
                line("#SBATCH --mail-type=END,fail", new JobSetting.Mail(List.of(MailEvent.END, MailEvent.FAIL), "")),
                line("#SBATCH --mail-user=a@b.de", new JobSetting.Mail(List.of(), "a@b.de")),
                line("#SBATCH --export=ALL,A=1,B", new JobSetting.Environment(Map.of("A", "1"), List.of("B"), true)),
                line("#SBATCH --export=NONE", new JobSetting.Environment(Map.of(), List.of(), false)),
                line("#SBATCH --requeue", new JobSetting.Rerunnable(true)),
                line("#SBATCH --no-requeue", new JobSetting.Rerunnable(false)),
                line(
                        "#SBATCH --signal=B:SIGUSR1@120",
                        new JobSetting.SignalBefore("USR1", Duration.ofMinutes(2), true)),
                line("#SBATCH --signal=10", new JobSetting.SignalBefore("10", Duration.ofMinutes(1), false)),
                line("#SBATCH -C 'a&b'", new JobSetting.Feature("a&b")),
                line("#SBATCH --exclusive", new JobSetting.Exclusive(true)),
                line("#SBATCH -L foo:2,bar", new JobSetting.Licence("foo", 2), new JobSetting.Licence("bar", 1)),
                line(
                        "#SBATCH --begin=2027-01-02T03:04",
                        new JobSetting.BeginTime("2027-01-02T03:04", 2027, 1, 2, 3, 4, 0)),
                line("#SBATCH -b now+1hour", new JobSetting.BeginTime("now+1hour", null, null, null, null, null, 0)),
                line("#SBATCH --qos=high", new JobSetting.QualityOfService("high")),
                line("#SBATCH --hint=multithread", new JobSetting.SystemSpecific(List.of("--hint=multithread"))),
                line("#SBATCH -x n1,n2", new JobSetting.Hosts(List.of("n1", "n2"), false)));
    }

    public static Stream<Arguments> pbs() {
        return Stream.of(
                line("#PBS -N tunnel", new JobSetting.Name("tunnel")),
                line("  #PBS -N indented", new JobSetting.Name("indented")),
                line(
                        "#PBS -l select=2:ncpus=8:mpiprocs=4:mem=16gb:ngpus=1:bigmem=True+1:ncpus=1",
                        new JobSetting.Chunks(
                                List.of(
                                        new JobSetting.Chunk(2, 8, 4, 16384, 1, Map.of("bigmem", "True")),
                                        new JobSetting.Chunk(1, 1, 0, 0, 0, Map.of())),
                                false)),
                line(
                        "#PBS -lnodes=2:ppn=8:fast+1",
                        new JobSetting.Chunks(
                                List.of(
                                        new JobSetting.Chunk(2, 8, 8, 0, 0, Map.of("fast", "")),
                                        new JobSetting.Chunk(1, 1, 1, 0, 0, Map.of())),
                                true)),
                line(
                        "#PBS -l place=scatter:excl,walltime=9999:59:59",
                        new JobSetting.Spread(true),
                        new JobSetting.Exclusive(true),
                        walltime(Duration.ofHours(9999).plusSeconds(3599))),
                line("#PBS -l walltime=3600", walltime(Duration.ofHours(1))),
                line("#PBS -l walltime=90:00", walltime(Duration.ofMinutes(90))),
                line(
                        "#PBS -l walltime=1:02:03:04",
                        walltime(Duration.ofHours(26).plusSeconds(184))),
                line("#PBS -l walltime=unlimited", new JobSetting.Walltime(null)),
                line(
                        "#PBS -l ncpus=4 -l mem=1500kb",
                        new JobSetting.CoresPerTask(4),
                        new JobSetting.Memory(2, Per.JOB)),
                line("#PBS -l mem=1048576", new JobSetting.Memory(1, Per.JOB)),
                line("#PBS -l mem=1mw", new JobSetting.Memory(8, Per.JOB)),
                line("#PBS -l pmem=2gb", new JobSetting.Memory(2048, Per.TASK)),
                line("#PBS -l procs=16,gpus=2", new JobSetting.Cores(16), new JobSetting.Gpus(2, Per.JOB, null)),
                line("#PBS -l software=matlab", new JobSetting.Licence("matlab", 1)),
                line("#PBS -l cput=10:00", new JobSetting.SystemSpecific(List.of("-l", "cput=10:00"))),
                line("#PBS -q long@server", new JobSetting.Partition(List.of("long"))),
                line("#PBS -A acct", new JobSetting.Project("acct")),
                line("#PBS -P proj", new JobSetting.Project("proj")),
                line("#PBS -o host:/tmp/o -e e", new JobSetting.Output("host:/tmp/o"), new JobSetting.Error("e")),
                line("#PBS -J 1-9:2%3", new JobSetting.Array(List.of(new Range(1, 9, 2)), 3)),
                line("#PBS -t 1,4-6%2", new JobSetting.Array(List.of(new Range(1, 1, 1), new Range(4, 6, 1)), 2)),
                line("#PBS -m abe", new JobSetting.Mail(List.of(MailEvent.FAIL, MailEvent.BEGIN, MailEvent.END), "")),
                line("#PBS -m n", new JobSetting.Mail(List.of(MailEvent.NONE), "")),
                line("#PBS -M a@b,c", new JobSetting.Mail(List.of(), "a@b,c")),
                line(
                        "#PBS -v \"FOO,BAZ='a,b c'\"",
                        new JobSetting.Environment(Map.of("BAZ", "a,b c"), List.of("FOO"), false)),
                line("#PBS -V", new JobSetting.Environment(Map.of(), List.of(), true)),
                line("#PBS -r n", new JobSetting.Rerunnable(false)),
                line("#PBS -a 202701020304.05", new JobSetting.BeginTime("202701020304.05", 2027, 1, 2, 3, 4, 5)),
                line("#PBS -a 0304", new JobSetting.BeginTime("0304", null, null, null, 3, 4, 0)),
                line("#PBS -S /bin/bash", new JobSetting.Shell("/bin/bash")),
                line("#PBS -p -10", new JobSetting.Priority(-10)),
                line(
                        "#PBS -W depend=afterok:1.s:2,afterany:3,umask=022",
                        new JobSetting.Dependency(
                                List.of(
                                        new After(When.OK, "1.s", false),
                                        new After(When.OK, "2", false),
                                        new After(When.ENDED, "3", false)),
                                true),
                        new JobSetting.SystemSpecific(List.of("-W", "umask=022"))),
                line("#PBS -n", new JobSetting.Exclusive(true)));
    }

    public static Stream<Arguments> lsf() {
        return Stream.of(
                line("#BSUB -J tunnel", new JobSetting.Name("tunnel")),
                line(
                        "#BSUB -J \"sweep run[1-10:2,15]%4\"",
                        new JobSetting.Name("sweep run"),
                        new JobSetting.Array(List.of(new Range(1, 10, 2), new Range(15, 15, 1)), 4)),
                line("#BSUB -n 8,16", new JobSetting.Cores(8)),
                line("#BSUB -n8 -qnormal", new JobSetting.Cores(8), new JobSetting.Partition(List.of("normal"))),
                line("#BSUB -q \"normal short\"", new JobSetting.Partition(List.of("normal", "short"))),
                line("#BSUB -M 2048", new JobSetting.Memory(2, Per.JOB)),
                line("#BSUB -M 4GB", new JobSetting.Memory(4096, Per.JOB)),
                line(
                        "#BSUB -R \"select[big && fast] rusage[mem=4000:matlab=2] span[ptile=8]\"",
                        new JobSetting.Feature("big&fast"),
                        new JobSetting.Memory(4000, Per.HOST_OR_SLOT),
                        new JobSetting.Licence("matlab", 2),
                        new JobSetting.TasksPerNode(8)),
                line("#BSUB -R \"span[hosts=1]\"", new JobSetting.Nodes(1)),
                line("#BSUB -R \"affinity[core(4)]\"", new JobSetting.CoresPerTask(4)),
                line("#BSUB -R \"rusage[mem=2GB/task]\"", new JobSetting.Memory(2048, Per.TASK)),
                line("#BSUB -R bigmem", new JobSetting.Feature("bigmem")),
                line(
                        "#BSUB -R \"select[mem>4000] order[ut]\"",
                        new JobSetting.SystemSpecific(List.of("-R", "select[mem>4000]")),
                        new JobSetting.SystemSpecific(List.of("-R", "order[ut]"))),
                line(
                        "#BSUB -gpu \"num=2:mode=shared\"",
                        new JobSetting.Gpus(2, Per.NODE, null),
                        new JobSetting.SystemSpecific(List.of("-gpu", "mode=shared"))),
                line("#BSUB -gpu num=1/task:gmodel=A100", new JobSetting.Gpus(1, Per.TASK, "A100")),
                line("#BSUB -W 90", walltime(Duration.ofMinutes(90))),
                line("#BSUB -W 1234:30/hostA", walltime(Duration.ofHours(1234).plusMinutes(30))),
                line("#BSUB -P aero", new JobSetting.Project("aero")),
                line("#BSUB -oo out.%J -eo err.%J", new JobSetting.Output("out.%J"), new JobSetting.Error("err.%J")),
                line(
                        "#BSUB -w \"done(1) && ended(\\\"prep run\\\") && exit(3) && started(4) && 5\"",
                        new JobSetting.Dependency(
                                List.of(
                                        new After(When.OK, "1", false),
                                        new After(When.ENDED, "prep run", true),
                                        new After(When.NOT_OK, "3", false),
                                        new After(When.STARTED, "4", false),
                                        new After(When.OK, "5", false)),
                                true)),
                line(
                        "#BSUB -B -N",
                        new JobSetting.Mail(List.of(MailEvent.BEGIN), ""),
                        new JobSetting.Mail(List.of(MailEvent.END), "")),
                line("#BSUB -u a@b", new JobSetting.Mail(List.of(), "a@b")),
                line("#BSUB -env \"all, A=1, B\"", new JobSetting.Environment(Map.of("A", "1"), List.of("B"), true)),
                line("#BSUB -r", new JobSetting.Rerunnable(true)),
                line("#BSUB -rn", new JobSetting.Rerunnable(false)),
                line(
                        "#BSUB -wa USR2 -wt 5",
                        new JobSetting.SignalBefore("USR2", null, true),
                        new JobSetting.SignalBefore(null, Duration.ofMinutes(5), true)),
                line("#BSUB -x", new JobSetting.Exclusive(true)),
                line("#BSUB -b 2027:01:02:03:04", new JobSetting.BeginTime("2027:01:02:03:04", 2027, 1, 2, 3, 4, 0)),
                line("#BSUB -b 20:30", new JobSetting.BeginTime("20:30", null, null, null, 20, 30, 0)),
                line("#BSUB -m \"h1 h2\"", new JobSetting.Hosts(List.of("h1", "h2"), true)),
                line("#BSUB -sp 50", new JobSetting.Priority(50)),
                line("#BSUB -app big", new JobSetting.SystemSpecific(List.of("-app", "big"))));
    }

    private static JobSetting walltime(final Duration limit) {
        return new JobSetting.Walltime(limit);
    }

    @ParameterizedTest
    @MethodSource({"slurm", "pbs", "lsf"})
    void a_directive_has_the_meaning_of_its_workload_manager(final String line, final List<JobSetting> settings) {
        final ParsedScript read = read(line);

        assertThat(read.problems()).isEmpty();
        assertThat(read.options()).extracting(ScriptOption::setting).containsExactlyElementsOf(settings);
        assertThat(read.options()).allMatch(option -> option.line() == 2);
        assertThat(read(line + "\r").options()).isEqualTo(read.options());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#SBATCH --time=soon",
                "#SBATCH --time",
                "#SBATCH --requeue=yes",
                "#SBATCH -n 0",
                "#SBATCH --mem=lots",
                "#SBATCH --n=3",
                "#SBATCH -J 'open",
                "#SBATCH value",
                "#SBATCH --array=9-1",
                "#SBATCH --signal=@5",
                "#PBS -l walltime",
                "#PBS -l walltime=1h",
                "#PBS -l select=2:ncpus",
                "#PBS -l place=anywhere",
                "#PBS -r maybe",
                "#PBS -v 1A=2",
                "#BSUB -W 1:2:3",
                "#BSUB -R \"order[ut\"",
                "#BSUB -n many",
                "#BSUB -b noon"
            })
    void an_invalid_directive_is_a_problem_with_line_and_reason(final String line) {
        assertThat(read("# one", line).problems()).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(3);
            assertThat(problem.reason()).isNotBlank();
            assertThat(problem).asString().startsWith("line 3: #");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"#SBATCH -n 2 : -n 4", "#SBATCH hetjob", "#SBATCH packjob"})
    void a_heterogeneous_job_is_reported(final String line) {
        assertThat(read("# one", line).problems())
                .singleElement()
                .extracting(InvalidDirective::reason)
                .asString()
                .contains("heterogeneous jobs are not supported");
    }

    @Test
    void directives_after_the_first_command_are_reported_and_ignored() {
        final ParsedScript read = read("#SBATCH -n 2", "", "# a comment", "echo", "#SBATCH -n 4", "#PBS -l ncpus=9");

        assertThat(read.options()).hasSize(1);
        assertThat(read.remarks())
                .hasSize(2)
                .allSatisfy(remark -> assertThat(remark).contains("after the first command (line 5)"));
        assertThat(read.dialects()).containsExactly(Dialect.SLURM);
    }

    @Test
    void similar_comments_are_not_directives() {
        assertThat(read("##SBATCH -n 2", "# SBATCH -n 2", "#SBATCHX -n 2", "#pbs -l x", " #SBATCH -n 2", "#BSUBX")
                        .options())
                .isEmpty();
    }

    @Test
    void each_workload_manager_reads_its_own_dialect_and_the_first_dialect_sets_the_size() {
        final ParsedScript read = read("#PBS -l ncpus=4", "#SBATCH -n 8 --qos=x", "#BSUB -n 16");

        assertThat(read.dialects()).containsExactly(Dialect.PBS, Dialect.SLURM, Dialect.LSF);
        assertThat(read.request().cores()).isEqualTo(4);
        assertThat(read.optionsFor(WlmType.SLURM))
                .extracting(ScriptOption::dialect)
                .containsOnly(Dialect.SLURM);
        assertThat(read.optionsFor(WlmType.LOCAL))
                .extracting(ScriptOption::dialect)
                .containsOnly(Dialect.PBS);
        assertThat(read.optionsFor(WlmType.TORQUE))
                .extracting(ScriptOption::dialect)
                .containsOnly(Dialect.PBS);
    }

    @Test
    void the_prefix_of_pbs_directives_can_be_changed() {
        final ParsedScript read = read("#PBS -C \"#QSUB\"", "#QSUB -l ncpus=3", "#PBS -l ncpus=9");

        assertThat(read.request().cores()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource
    void totals_are_those_of_the_workload_manager(
            final String lines, final Integer cores, final Integer nodes, final Long memory, final Integer gpus) {
        final ScriptRequest request = read(lines.split("\\|")).request();

        assertThat(request.cores()).isEqualTo(cores);
        assertThat(request.nodes()).isEqualTo(nodes);
        assertThat(request.memoryMib()).isEqualTo(memory);
        assertThat(request.gpus()).isEqualTo(gpus);
    }

    static Stream<Arguments> totals_are_those_of_the_workload_manager() {
        return Stream.of(
                Arguments.of("#SBATCH -N 2 --ntasks-per-node=4 -c 2 --mem=8G", 16, 2, 16384L, null),
                Arguments.of("#SBATCH -n 6 -c 2 --mem-per-cpu=1G --gpus-per-task=1", 12, null, 12288L, 6),
                Arguments.of("#SBATCH -n 6 --ntasks-per-node=4", 6, 2, null, null),
                Arguments.of("#SBATCH -N 3", 3, 3, null, null),
                Arguments.of("#SBATCH -N 2 --gres=gpu:2", 2, 2, null, 4),
                Arguments.of("#SBATCH -t 5", null, null, null, null),
                Arguments.of("#PBS -l select=2:ncpus=8:mem=4gb:ngpus=1+1:ncpus=1:mem=1gb", 17, null, 9216L, 2),
                Arguments.of("#PBS -l select=3:ncpus=2|#PBS -l place=scatter", 6, 3, null, null),
                Arguments.of("#PBS -l nodes=2:ppn=8,pmem=1gb", 16, 2, 16384L, null),
                Arguments.of("#PBS -l nodes=1:ppn=4:gpus=2,mem=8gb", 4, 1, 8192L, 2),
                Arguments.of("#PBS -l ncpus=6", 6, null, null, null),
                Arguments.of("#BSUB -n 16|#BSUB -R \"span[ptile=8] rusage[mem=1000]\"", 16, 2, 2000L, null),
                Arguments.of("#BSUB -n 4|#BSUB -M 4GB|#BSUB -R rusage[mem=2GB]", 4, null, 2048L, null),
                Arguments.of("#BSUB -M 4GB", null, null, 4096L, null),
                Arguments.of("#BSUB -n 2 -R span[hosts=1] -gpu num=2", 2, 1, null, 2));
    }

    @Test
    void parsing_never_fails() {
        final Random random = new Random(1);
        final String[] parts = {
            "#SBATCH ",
            "#PBS ",
            "#BSUB ",
            "-l ",
            "-n",
            "--",
            "=",
            ":",
            ",",
            "+",
            "'",
            "\"",
            "\\",
            "[",
            "]",
            "%",
            "1",
            "999999999",
            " ",
            "\n",
            "\r",
            "\t",
            "select",
            "nodes",
            "mem",
            "--time",
            "-R ",
            "-J ",
            "-W ",
            "\u0000",
            "ü",
            "#",
            "array",
            "-",
            "depend",
            "afterok",
            "done(",
            ")",
            "&&",
            "|",
            "rusage[",
            "--gres",
            "gpu",
            "--export",
            "-v ",
            "-t ",
            "-a ",
            "-gpu "
        };
        for (int i = 0; i < 3000; i++) {
            final StringBuilder text = new StringBuilder("#!/bin/sh\n");
            for (int n = random.nextInt(40); n > 0; n--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            assertThat(ScriptParser.read(text.toString()).request())
                    .as("text %d: %s", i, text)
                    .isNotNull();
        }
    }
}
