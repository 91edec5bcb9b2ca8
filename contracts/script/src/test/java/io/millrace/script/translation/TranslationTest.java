package io.millrace.script.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.directive.ScriptParserTest;
import io.millrace.script.directive.ScriptRequest;
import io.millrace.script.wrapper.ShellQuote;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Translation of script options for each workload manager, and options without an equivalent. */
class TranslationTest {

    @Test
    void openlava_gets_a_begin_time_without_the_year() {
        final Translation translation = translate(WlmType.LSF, Set.of("-b year"), "#SBATCH --begin=2026-12-24T08:00");

        assertThat(translation.options()).containsSubsequence("-b", "12:24:8:00");
        assertThat(translation.remarks()).anyMatch(remark -> remark.contains("takes no year"));
        assertThat(translate(WlmType.LSF, Set.of(), "#SBATCH --begin=2026-12-24T08:00")
                        .options())
                .containsSubsequence("-b", "2026:12:24:8:00");
    }

    /** Translates like the submit service and an agent: the specification contains what the directives request. */
    private static Translation translate(final WlmType wlm, final Set<String> missingOptions, final String... lines) {
        final String text = "#!/bin/bash\n" + String.join("\n", lines) + "\ntrue\n";
        final ParsedScript script = ScriptParser.read(text);
        assertThat(script.problems()).isEmpty();
        final ScriptRequest request = script.request();
        final JobSpec spec = new JobSpec(
                request.name() == null ? "job" : request.name(),
                text,
                null,
                new Resources(
                        request.cores() == null ? 1 : request.cores(),
                        request.nodes() == null ? 0 : request.nodes(),
                        request.memoryMib() == null ? 0 : request.memoryMib(),
                        request.gpus() == null ? 0 : request.gpus()),
                Duration.ofHours(1),
                null,
                null,
                request.environment(),
                new CheckpointMethod.None(),
                false);
        return Translation.of(wlm, new WlmFeatures("version 1", missingOptions), spec, script);
    }

    private static Arguments row(final String line, final WlmType wlm, final String... words) {
        return Arguments.of(line, wlm, List.of(words));
    }

    static Stream<Arguments> options() {
        return Stream.of(
                row("#SBATCH -d afterok:c/1:c/2,afterany:c/3", WlmType.PBSPRO, "-W", "depend=afterok:1:2,afterany:3"),
                row("#SBATCH -d afterok:c/1:c/2,afterany:c/3", WlmType.LSF, "-w", "done(1) && done(2) && ended(3)"),
                row("#SBATCH -d afterok:c/1?afternotok:c/2", WlmType.LSF, "-w", "done(1) || exit(2)"),
                row("#PBS -W depend=afterok:c/1", WlmType.SLURM, "--dependency=afterok:1"),
                row("#SBATCH -d afterok:c/1?afterok:c/2", WlmType.SLURM, "--dependency=afterok:1?afterok:2"),
                row("#BSUB -w \"done(c/1) || ended(c/2)\"", WlmType.SLURM, "--dependency=afterok:1?afterany:2"),
                row("#SBATCH --array=1-9:2%3", WlmType.PBSPRO, "-J", "1-9:2%3"),
                row("#SBATCH --array=1-5:2,9%3", WlmType.TORQUE, "-t", "1,3,5,9%3"),
                row("#SBATCH -J a --array=1-5:2,9%3", WlmType.LSF, "-J", "a[1-5:2,9]%3"),
                row("#PBS -J 1-9:2", WlmType.SLURM, "--array=1-9:2"),
                row("#BSUB -J x[3-4]", WlmType.SLURM, "--array=3-4"),
                row("#SBATCH --mail-type=BEGIN,FAIL", WlmType.PBSPRO, "-m", "ba"),
                row("#PBS -m ae -M a@b", WlmType.SLURM, "--mail-type=FAIL,END", "--mail-user=a@b"),
                row("#PBS -m be -M a@b", WlmType.LSF, "-B", "-N", "-u", "a@b"),
                row("#BSUB -N -u a@b", WlmType.TORQUE, "-m", "e", "-M", "a@b"),
                row("#SBATCH --no-requeue", WlmType.PBSPRO, "-r", "n"),
                row("#PBS -r y", WlmType.LSF, "-r"),
                row("#BSUB -rn", WlmType.SLURM, "--no-requeue"),
                row("#SBATCH --signal=USR1@120", WlmType.LSF, "-wa", "USR1", "-wt", "2"),
                row("#BSUB -wa USR1 -wt 3", WlmType.SLURM, "--signal=B:USR1@180"),
                row("#SBATCH -b 2027-01-02T03:04:05", WlmType.PBSPRO, "-a", "202701020304.05"),
                row("#SBATCH -b 2027-01-02T03:04", WlmType.LSF, "-b", "2027:1:2:3:04"),
                row("#PBS -a 202701020304", WlmType.SLURM, "--begin=2027-01-02T03:04:00"),
                row("#BSUB -b 20:30", WlmType.SLURM, "--begin=20:30:00"),
                row("#SBATCH -b now+1hour", WlmType.SLURM, "--begin=now+1hour"),
                row("#SBATCH -L foo:2", WlmType.PBSPRO, "-l", "foo=2"),
                row("#PBS -l software=foo", WlmType.SLURM, "--licenses=foo:1"),
                row("#BSUB -R rusage[foo=2]", WlmType.SLURM, "--licenses=foo:2"),
                row("#BSUB -U resv", WlmType.SLURM, "--reservation=resv"),
                row("#SBATCH --qos=x --hint=multithread", WlmType.SLURM, "--qos=x", "--hint=multithread"),
                row("#PBS -l cput=5:00", WlmType.PBSPRO, "-l", "cput=5:00"),
                row("#BSUB -app big", WlmType.LSF, "-app", "big"));
    }

    @ParameterizedTest
    @MethodSource
    void options(final String line, final WlmType wlm, final List<String> words) {
        final Translation translation = translate(wlm, Set.of(), line);

        assertThat(translation.options()).isEqualTo(words);
        assertThat(translation.unsupported()).isEmpty();
    }

    static Stream<Arguments> resources() {
        return Stream.of(
                row(
                        "#PBS -l nodes=2:ppn=8:fast,mem=32gb",
                        WlmType.SLURM,
                        "--ntasks=16",
                        "--nodes=2",
                        "--ntasks-per-node=8",
                        "--mem=16384M",
                        "--constraint=fast"),
                row(
                        "#PBS -l select=2:ncpus=8:mpiprocs=2",
                        WlmType.SLURM,
                        "--ntasks=4",
                        "--cpus-per-task=4",
                        "--nodes=2",
                        "--ntasks-per-node=2"),
                row(
                        "#PBS -l select=2:ncpus=8:mem=4gb:big=True+1:ncpus=1",
                        WlmType.PBSPRO,
                        "-l",
                        "select=2:ncpus=8:mem=4096mb:big=True+1:ncpus=1"),
                row(
                        "#SBATCH -N 2 -n 10 -c 2 --exclusive --mem=10G",
                        WlmType.PBSPRO,
                        "-l",
                        "select=2:ncpus=10:mpiprocs=5:mem=10240mb",
                        "-l",
                        "place=scatter:excl"),
                row(
                        "#PBS -l select=2:ncpus=36:mpiprocs=32:ompthreads=1 -l place=scatter:excl",
                        WlmType.SLURM,
                        "--ntasks=72",
                        "--nodes=2",
                        "--ntasks-per-node=36",
                        "--exclusive"),
                row(
                        "#PBS -l select=1:ncpus=48:mpiprocs=12:mem=186gb",
                        WlmType.SLURM,
                        "--ntasks=12",
                        "--cpus-per-task=4",
                        "--nodes=1",
                        "--ntasks-per-node=12",
                        "--mem=190464M"),
                row(
                        "#PBS -l nodes=2:ppn=16",
                        WlmType.PBSPRO,
                        "-l",
                        "select=2:ncpus=16:mpiprocs=16",
                        "-l",
                        "place=scatter"),
                row(
                        "#PBS -l select=2:ncpus=4,place=pack",
                        WlmType.PBSPRO,
                        "-l",
                        "select=2:ncpus=4",
                        "-l",
                        "place=pack"),
                row("#SBATCH -N 1 -n 1 --mem=60000M", WlmType.SLURM, "--ntasks=1", "--nodes=1", "--mem=60000M"),
                row("#SBATCH -n 4 --gpus-per-task=1", WlmType.SLURM, "--ntasks=4", "--gpus-per-task=1"),
                row("#BSUB -n 4 -R \"affinity[core(2)]\"", WlmType.LSF, "-n", "4", "-R", "affinity[core(2)]"),
                row("#BSUB -n 4 -R \"affinity[core(2)]\"", WlmType.SLURM, "--ntasks=4", "--cpus-per-task=2"),
                row(
                        "#SBATCH -n 3 --gpus=2",
                        WlmType.PBSPRO,
                        "-l",
                        "select=2:ncpus=1:mpiprocs=1:ngpus=1+1:ncpus=1:mpiprocs=1"),
                row("#SBATCH -N 2 -n 5 -C 'a&b'", WlmType.TORQUE, "-l", "nodes=1:ppn=3:a:b+1:ppn=2:a:b"),
                row("#SBATCH -n 4 --mem=2G", WlmType.TORQUE, "-l", "nodes=1:ppn=4", "-l", "mem=2048mb"),
                row(
                        "#SBATCH -N 2 --ntasks-per-node=8 --mem=16G -C 'a|b' --gpus-per-node=v100:1",
                        WlmType.LSF,
                        "-n",
                        "16",
                        "-gpu",
                        "num=1:gmodel=v100",
                        "-R",
                        "select[(a || b)] rusage[mem=16384] span[ptile=8]"),
                row(
                        "#BSUB -n 4 -R \"rusage[mem=1GB] order[ut]\" -R span[hosts=1]",
                        WlmType.LSF,
                        "-n",
                        "4",
                        "-R",
                        "rusage[mem=1024] span[hosts=1] order[ut]"),
                row(
                        "#BSUB -n 8 -R span[ptile=4] -x",
                        WlmType.SLURM,
                        "--ntasks=8",
                        "--nodes=2",
                        "--ntasks-per-node=4",
                        "--exclusive"),
                row(
                        "#BSUB -n 8 -R span[ptile=4]",
                        WlmType.PBSPRO,
                        "-l",
                        "select=2:ncpus=4:mpiprocs=4",
                        "-l",
                        "place=scatter"),
                row(
                        "#SBATCH -N 2 -n 4 --gres=gpu:a100:2",
                        WlmType.SLURM,
                        "--ntasks=4",
                        "--nodes=2",
                        "--gpus-per-node=a100:2"),
                row("#SBATCH -N 2 -n 4 --gpus=3", WlmType.SLURM, "--ntasks=4", "--nodes=2", "--gpus=3"),
                row(
                        "#PBS -l select=2:ncpus=4,arch=linux -l host=n3",
                        WlmType.PBSPRO,
                        "-l",
                        "select=2:ncpus=4:arch=linux:host=n3"),
                row(
                        "#BSUB -n 2 -gpu num=1:mode=exclusive_process:j_exclusive=yes:gmodel=V100",
                        WlmType.LSF,
                        "-n",
                        "2",
                        "-gpu",
                        "num=1:mode=exclusive_process:j_exclusive=yes:gmodel=V100",
                        "-R",
                        "span[hosts=1]"));
    }

    @ParameterizedTest
    @MethodSource
    void resources(final String line, final WlmType wlm, final List<String> words) {
        final Translation translation = translate(wlm, Set.of(), line);

        assertThat(translation.resources()).isEqualTo(words);
        assertThat(translation.unsupported()).isEmpty();
    }

    static Stream<Arguments> unsupported() {
        return Stream.of(
                Arguments.of("#SBATCH --hint=multithread", WlmType.PBSPRO, "specific to Slurm"),
                Arguments.of("#SBATCH --signal=USR1@60", WlmType.PBSPRO, "no equivalent"),
                Arguments.of("#SBATCH -d aftercorr:c/5", WlmType.LSF, "no equivalent"),
                Arguments.of("#SBATCH -d afterok:c/1?afterok:c/2", WlmType.TORQUE, "not any of them"),
                Arguments.of("#SBATCH --array=1,3", WlmType.PBSPRO, "one range"),
                Arguments.of("#SBATCH --array=0-3", WlmType.LSF, "start at 1"),
                Arguments.of("#SBATCH --qos=x", WlmType.LSF, "no equivalent"),
                Arguments.of("#SBATCH --gpus=a100:1", WlmType.PBSPRO, "GPU type"),
                Arguments.of("#SBATCH -C '[a*2&b]'", WlmType.PBSPRO, "joined by '&'"),
                Arguments.of("#SBATCH -w n1", WlmType.PBSPRO, "host names differ"),
                Arguments.of("#SBATCH -b now+1hour", WlmType.PBSPRO, "write the full date"),
                Arguments.of("#SBATCH --export=ALL", WlmType.SLURM, "no variables of the shell"),
                Arguments.of("#PBS -V", WlmType.PBSPRO, "no variables of the shell"),
                Arguments.of("#PBS -v HOME", WlmType.LSF, "use NAME=value"),
                Arguments.of("#PBS -p 10", WlmType.SLURM, "no equivalent"),
                Arguments.of("#PBS -l select=1:ncpus=2:arch=linux", WlmType.SLURM, "arch=linux"),
                Arguments.of("#PBS -l select=1:ncpus=2+1:ncpus=4", WlmType.SLURM, "different sizes"),
                Arguments.of("#BSUB -w 'ended(\"a\")'", WlmType.SLURM, "not names"),
                Arguments.of("#BSUB -gpu num=1:mps=yes", WlmType.SLURM, "specific to LSF"),
                Arguments.of("#BSUB -app big", WlmType.LOCAL, "specific to LSF"),
                Arguments.of("#BSUB -x", WlmType.LOCAL, "no equivalent"));
    }

    @ParameterizedTest
    @MethodSource
    void unsupported(final String line, final WlmType wlm, final String reason) {
        assertThat(translate(wlm, Set.of(), line).unsupported())
                .singleElement()
                .satisfies(text -> assertThat(text)
                        .startsWith("line 2: " + line.substring(0, line.indexOf(' ')))
                        .contains(reason));
    }

    static Stream<Arguments> impossible() {
        return Stream.of(
                Arguments.of("#PBS -l select=1:ncpus=8:mem=64gb+3:ncpus=8:mem=8gb", WlmType.SLURM, "different sizes"),
                Arguments.of("#PBS -l nodes=1:ppn=8+2:ppn=4", WlmType.LSF, "different sizes"),
                Arguments.of("#PBS -l select=1:ncpus=8:big=True+3:ncpus=8", WlmType.SLURM, "different sizes"),
                Arguments.of("#PBS -l select=1:ncpus=4:mpiprocs=8", WlmType.SLURM, "at least one core"),
                Arguments.of("#SBATCH -N 4 -n 5", WlmType.LSF, "3 hosts instead of 4"),
                Arguments.of("#SBATCH -N 2 -n 4 --gpus=3", WlmType.LSF, "2 hosts cannot get 3"));
    }

    /** A job of another size than its owner described is worse than none. */
    @ParameterizedTest
    @MethodSource
    void impossible(final String line, final WlmType wlm, final String reason) {
        assertThat(translate(wlm, Set.of(), line).essential())
                .first()
                .satisfies(text -> assertThat(text)
                        .startsWith("line 2: " + line.substring(0, line.indexOf(' ')))
                        .contains(reason));
    }

    @Test
    void an_option_that_the_installed_version_lacks_is_reported_by_name() {
        final Translation old = translate(
                WlmType.LSF, Set.of("-wa", "-gpu", "-Ne", "/task"), "#SBATCH --signal=USR1 --gpus=1 --mail-type=FAIL");

        assertThat(old.unsupported())
                .hasSize(2)
                .anySatisfy(text -> assertThat(text).contains("version 1 does not support -wa"));
        assertThat(old.options()).containsExactly("-N");
        assertThat(old.resources()).containsExactly("-n", "1");
    }

    @Test
    void a_submission_with_a_different_size_gets_one_core_per_task_and_a_remark() {
        final ParsedScript script = ScriptParser.read("#!/bin/sh\n#SBATCH -n 4 -c 4\n");
        final JobSpec spec = new JobSpec(
                "job",
                "",
                null,
                Resources.cores(6),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);

        final Translation translation = Translation.of(WlmType.SLURM, WlmFeatures.all("any"), spec, script);
        assertThat(translation.resources()).containsExactly("--ntasks=6");
        assertThat(translation.remarks())
                .anySatisfy(remark -> assertThat(remark).contains("using 6 cores from the submission instead of 16"));
    }

    @ParameterizedTest
    @EnumSource(WlmType.class)
    void every_option_is_translated_or_ignored_or_reported_with_its_line(final WlmType wlm) {
        Stream.of(ScriptParserTest.slurm(), ScriptParserTest.pbs(), ScriptParserTest.lsf())
                .flatMap(lines -> lines)
                .map(arguments -> (String) arguments.get()[0])
                .forEach(line -> {
                    final Translation translation = translate(wlm, Set.of(), line.strip());
                    assertThat(translation.unsupported())
                            .allSatisfy(text ->
                                    assertThat(text).as(line).matches("(?s)line 2: #(SBATCH|PBS|BSUB) .*: .{10,}"));
                    assertThat(translation.options())
                            .as(line)
                            .doesNotContain("")
                            .noneMatch(word -> word.contains("null"));
                });
    }

    @ParameterizedTest
    @EnumSource(
            value = WlmType.class,
            names = {"SLURM", "PBSPRO", "TORQUE", "LSF"})
    void translated_options_are_read_back_by_their_workload_manager(final WlmType wlm) {
        final Translation translation = translate(
                wlm, Set.of(), "#SBATCH -N 2 -n 16 --mail-type=END --mail-user=a@b -d afterok:c/7 -b 2027-01-02T03:04");
        final Dialect dialect = wlm.dialect();
        final StringBuilder line = new StringBuilder("#!/bin/sh\n" + dialect.prefix());
        Stream.concat(translation.options().stream(), translation.resources().stream())
                .forEach(word -> line.append(' ').append(ShellQuote.of(word)));
        final ParsedScript back = ScriptParser.read(line + "\n");

        assertThat(back.problems()).isEmpty();
        assertThat(back.request().cores()).isEqualTo(16);
        assertThat(back.request().nodes()).isEqualTo(2);
        assertThat(back.options())
                .extracting(ScriptOption::setting)
                .contains(
                        new JobSetting.Dependency(List.of(new JobSetting.After(JobSetting.When.OK, "7", false)), true))
                .contains(new JobSetting.Mail(List.of(), "a@b"));
    }

    @ParameterizedTest
    @EnumSource(WlmType.class)
    void hostile_values_stay_within_their_word(final WlmType wlm) {
        final String hostile = "a b;$(id)`id`\\\"|&é";
        final Translation translation = translate(
                wlm,
                Set.of(),
                "#SBATCH --mail-type=END --mail-user='" + hostile + "' --qos='" + hostile + "' -L '" + hostile
                        + "' --reservation='--uid=0' -C '" + hostile + "' --gpus='" + "x]:y" + ":1'");

        assertThat(translation.options()).noneMatch(word -> word.equals("--uid=0"));
        if (wlm == WlmType.SLURM) {
            assertThat(translation.options())
                    .contains("--mail-user=" + hostile, "--qos=" + hostile, "--reservation=--uid=0");
        }
        if (wlm == WlmType.LSF) {
            assertThat(String.join(" ", translation.resources())).doesNotContain("id");
        }
    }

    /** Options with a free-text value. */
    private static final List<String> WITH_A_WORD = List.of(
            "#SBATCH --mail-user='%s'",
            "#SBATCH --mail-type=END --mail-user='%s'",
            "#SBATCH --qos='%s'",
            "#SBATCH -L '%s'",
            "#SBATCH -C '%s'",
            "#SBATCH -d 'afterok:%s'",
            "#SBATCH --reservation='%s'",
            "#SBATCH -w '%s'",
            "#SBATCH -J '%s' --array=1-3",
            "#SBATCH -b '%s'",
            "#SBATCH --signal='%s'",
            "#SBATCH --gpus='%s:1'",
            "#PBS -M '%s'",
            "#PBS -l 'software=%s'",
            "#PBS -l 'feature=%s'",
            "#PBS -l 'qos=%s'",
            "#PBS -l 'advres=%s'",
            "#PBS -l 'host=%s'",
            "#PBS -l 'arch=%s'",
            "#PBS -l 'foo=%s'",
            "#PBS -l '%s=1'",
            "#PBS -l 'nodes=1:ppn=1:%s'",
            "#PBS -l 'select=1:ncpus=1:%s=1'",
            "#PBS -l 'select=1:ncpus=1:foo=%s'",
            "#PBS -W 'depend=afterok:%s'",
            "#PBS -W 'group_list=%s'",
            "#BSUB -u '%s'",
            "#BSUB -w 'done(%s)'",
            "#BSUB -w 'done(\"%s\")'",
            "#BSUB -R 'rusage[%s=1]'",
            "#BSUB -R 'select[%s]'",
            "#BSUB -R 'order[%s]'",
            "#BSUB -m '%s'",
            "#BSUB -U '%s'",
            "#BSUB -app '%s'",
            "#BSUB -wa '%s'",
            "#BSUB -gpu 'num=1:gmodel=%s'",
            "#BSUB -gpu 'num=1:gmem=%s'");

    private static final List<String> GREEDY = List.of(
            "walltime",
            "walltime:360000",
            "walltime=360000",
            "x,walltime=360000",
            "1,walltime=360000",
            "1:walltime=360000",
            "ncpus:64",
            "ncpus=64",
            "x:ncpus=64",
            "1+64:ncpus=64",
            "1+64:ppn=64",
            "select:64",
            "nodes:64",
            "mem:1",
            "pmem",
            "mem",
            "ngpus:4",
            "x]rusage[mem=1",
            "x] span[hosts=64",
            "duration",
            "1) || done(2",
            "1\") || ended(\"2",
            "1,umask=0",
            "1,stagein=/etc@h:x",
            "x -q urgent",
            "-q",
            "--uid=0",
            "x[1-9]",
            "x\ny");

    /**
     * No value in a script changes what the specification sets, because the owner has signed only the specification.
     */
    @ParameterizedTest
    @EnumSource(
            value = WlmType.class,
            names = {"SLURM", "PBSPRO", "TORQUE", "LSF"})
    void no_value_overrides_the_submission(final WlmType wlm) {
        int optionCount = 0;
        for (final String line : WITH_A_WORD) {
            for (final String greedy : GREEDY) {
                final ParsedScript script = ScriptParser.read("#!/bin/bash\n" + line.formatted(greedy) + "\ntrue\n");
                final JobSpec spec = new JobSpec(
                        "job",
                        "true\n",
                        null,
                        Resources.cores(1),
                        Duration.ofHours(1),
                        null,
                        null,
                        Map.of(),
                        new CheckpointMethod.None(),
                        false);
                final Translation translation = Translation.of(wlm, WlmFeatures.all("any"), spec, script);
                optionCount += translation.options().size();
                assertNoOverride(wlm, translation.options(), line + " with " + greedy, Map.of());
                assertNoOverride(wlm, translation.resources(), line + " with " + greedy, Map.of("cores", 1L));
            }
        }
        assertThat(optionCount).isGreaterThan(50);
    }

    private static void assertNoOverride(
            final WlmType wlm, final List<String> words, final String as, final Map<String, Long> expected) {
        final StringBuilder line =
                new StringBuilder("#!/bin/sh\n" + wlm.dialect().prefix());
        words.forEach(word -> line.append(' ').append(ShellQuote.of(word)));
        final ParsedScript back = ScriptParser.read(line + "\n");
        final ScriptRequest request = back.request();

        assertThat(request.walltime()).as("%s: %s", as, words).isNull();
        assertThat(request.unlimited()).as("%s: %s", as, words).isFalse();
        assertThat(request.partition()).as("%s: %s", as, words).isNull();
        assertThat(request.project()).as("%s: %s", as, words).isNull();
        assertThat(request.environment()).as("%s: %s", as, words).isEmpty();
        assertThat(request.memoryMib()).as("%s: %s", as, words).isNull();
        assertThat(request.cores() == null ? 0L : request.cores())
                .as("%s: %s", as, words)
                .isEqualTo(expected.getOrDefault("cores", 0L));
        assertThat(back.options())
                .as("%s: %s", as, words)
                .extracting(ScriptOption::setting)
                .noneMatch(meaning -> meaning instanceof JobSetting.Output
                        || meaning instanceof JobSetting.Error
                        || meaning instanceof JobSetting.Unsupported);
    }
}
