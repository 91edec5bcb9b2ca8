package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Helper;
import io.millrace.agent.exec.HelperProgram;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.Slurm;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.ScriptText;
import io.millrace.testing.Attack;
import io.millrace.testing.Sample;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of root lets an agent without root submit what was signed, on every workload manager, and nothing else. */
class HelperScriptsIT {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final ClusterId VM = ClusterId.of("vm");
    private static final AttemptId ATTEMPT =
            GlobalJobId.of("01JQZ8Y6T0000000000000000A").attempt(1);
    private static final UserName OWNER = UserName.of(HelperProgram.OWNER);
    private static final long SEED = 20261129;
    private static final int REFUSED = 77;

    /** Commands that need no signed script: they prepare its place. */
    private static final List<String> PREPARE = List.of("install", "test", "mkdir", "qdel");

    private static final List<String> SCRIPTS = List.of(
            "#!/bin/sh\necho hello\n",
            "#!/bin/sh\necho no line end",
            "echo no interpreter\n",
            "",
            "#!/usr/bin/env python3\nprint('$(id)')\n",
            "#!/usr/bin/env -S perl -w\nprint 1;\n",
            "#! /bin/bash   -l  -x \r\necho Windows\r\n",
            "#!/bin/sh\nprintf '\u0007\u007f'\n",
            ScriptText.of("#!/bin/sh\n# Gr\u00fc\u00dfe\n".getBytes(StandardCharsets.ISO_8859_1)),
            "#!/bin/bash\n#SBATCH -n 4 -c 2 --mem=4G -J größe -o out.%j -e err.%x\n#SBATCH --gpus=2 -C fast&big\n"
                    + "echo $SLURM_JOB_ID $SLURM_NTASKS $SLURM_JOB_NODELIST\nmodule load x\n",
            "#!/bin/bash\n"
                    + "#SBATCH --export=ALL,A=1 --exclusive --signal=B:USR1@60 --mail-type=END --mail-user=a@b.example\n"
                    + "#SBATCH --begin=now+1hour --dependency=afterok:alpha/12 --qos=low --reservation=r1 --no-requeue -L"
                    + " matlab:2\n"
                    + "srun x\n",
            "#!/bin/bash\n"
                    + "#SBATCH --container=/images/a.sif --nice=5 -O --hint=nomultithread --tmp=4G --wckey=w"
                    + " --switches=1\n"
                    + "#SBATCH --cpu-freq=high --distribution=block:cyclic --mem-bind=local --profile=task --overcommit\n"
                    + "true\n",
            "#!/bin/bash\n"
                    + "#PBS -l select=2:ncpus=4:mpiprocs=2:mem=2gb\n"
                    + "#PBS -l place=scatter\n"
                    + "#PBS -N job -A proj -m abe -M x@y.example\n"
                    + "#PBS -v A=1,B='two words' -r n -p 5 -W umask=027\n"
                    + "echo $PBS_JOBID $PBS_NP $(cat $PBS_NODEFILE)\n",
            "#!/bin/bash\n#PBS -l nodes=2:ppn=3:gpus=1,walltime=1:00:00,mem=4gb\n#PBS -S /bin/bash -a 202801010000\n"
                    + "#PBS -l software=matlab -W depend=afterok:12.server\ncd $PBS_O_WORKDIR; mpirun -np $PBS_NP x\n",
            "#PBS -S /bin/zsh\n#PBS -o results.txt -e errors.txt\necho zsh\n",
            "#!/bin/bash\n"
                    + "#BSUB -n 8 -R \"span[ptile=4] rusage[mem=2000]\" -W 60 -q normal -J name\n"
                    + "#BSUB -o out.%J -e err.%J\n"
                    + "#BSUB -w \"done(12)\" -u x@y.example -N -B -sp 5 -app a -g /group/x -m \"h1 h2\"\n"
                    + "echo $LSB_JOBID $LSB_HOSTS $LSB_MCPU_HOSTS\n",
            "#!/bin/bash\n"
                    + "#BSUB -gpu \"num=2:mode=exclusive_process\" -R \"affinity[core(4)]\" -n 2\n"
                    + "#BSUB -U res -wa URG -wt 5\n"
                    + "true",
            "#!/bin/bash\n"
                    + "#SBATCH -n 2\n"
                    + "#PBS -l nodes=1:ppn=2\n"
                    + "#BSUB -n 2\n"
                    + "MILLRACE_n0\n"
                    + "cat <<'MILLRACE_n0X'\n"
                    + "MILLRACE_n0X\n");

    private static final List<List<String>> ARGUMENTS =
            List.of(List.of(), List.of("a b", "", "it's", "-n", "*", "two\nlines", "3<x", "größe\\"));

    private static final List<Map<String, String>> VARIABLES = List.of(
            Map.of(),
            Map.of(
                    "A",
                    "1",
                    "SECRET",
                    "it's $(id) \\ \n\t`x`",
                    "EMPTY",
                    "",
                    "MILLRACE_OUTPUT",
                    "logs/%x-%j.txt",
                    "MILLRACE_ERROR",
                    "err%%",
                    "MILLRACE_INPUT",
                    "in put"));

    @TempDir
    static Path folder;

    private static HelperProgram helper;

    @BeforeAll
    static void build() throws Exception {
        helper = HelperProgram.build(folder, ALPHA.value(), VM.value());
    }

    @AfterAll
    static void removeAccounts() throws Exception {
        if (helper != null) {
            helper.close();
        }
    }

    private record Adapter(
            String name, ClusterId cluster, Map<String, CommandResult> answers, Function<Runner, WorkloadManager> on) {}

    private static List<Adapter> adapters() {
        final List<Adapter> all = new ArrayList<>();
        all.add(new Adapter(
                "SLURM",
                ALPHA,
                Map.of("sbatch", CommandResult.of(0, "12\n", "")),
                runner -> Slurm.of(
                        new SlurmSite(ALPHA, Path.of("/etc/slurm/slurm.conf")),
                        runner,
                        Clock.systemUTC(),
                        () -> "n0")));
        for (final RecordedAdapter other : RecordedAdapter.values()) {
            all.add(new Adapter(other.name(), VM, other.answers(), runner -> other.on(runner, folder)));
        }
        return all;
    }

    private static JobSpec spec(
            final String script,
            final List<String> arguments,
            final Map<String, String> variables,
            final boolean named) {
        return new JobSpec(
                "it's a größe; job",
                script,
                null,
                new Resources(16, 0, 512, 0),
                Duration.ofHours(1),
                named ? PartitionName.of("main") : null,
                named ? ProjectName.of("proj") : null,
                variables,
                new CheckpointMethod.None(),
                false,
                arguments);
    }

    private static Submission submission(final JobSpec spec) {
        return new Submission(
                ATTEMPT,
                OWNER,
                spec,
                helper.run().toString(),
                Map.of("matlab", List.of("matlab/R2026a", "gcc@13")),
                "0027");
    }

    /** The commands with which the agent submits the job as its owner. */
    private static List<CommandLine<?>> commands(final Adapter adapter, final JobSpec spec) {
        final List<CommandLine<?>> asOwner = new ArrayList<>();
        final RecordedAnswers cluster = new RecordedAnswers(adapter.answers(), new ArrayList<>());
        final WorkloadManager wlm = adapter.on().apply(new Runner() {
            @Override
            public <T> Answer<T> run(final CommandLine<T> command) {
                return cluster.run(command);
            }

            @Override
            public Runner as(final UserName owner) {
                return new RecordedAnswers(adapter.answers(), asOwner);
            }
        });
        wlm.submit(submission(spec));
        return asOwner;
    }

    private static String signature(final JobSpec spec, final ClusterId cluster) {
        final Instant until = Instant.now().plusSeconds(600);
        return helper.signer()
                .submission(
                        new Authorization.Origin(
                                OWNER,
                                cluster,
                                ATTEMPT.job(),
                                cluster,
                                helper.run().toString(),
                                FileFilters.NONE),
                        spec,
                        until,
                        until);
    }

    private static HelperProgram.Ran become(
            final Adapter adapter,
            final String signature,
            final CommandLine<?> command,
            final List<String> argv,
            final byte[] input)
            throws Exception {
        final Account owner = HelperProgram.owner();
        return helper.become(
                Helper.request(
                        Authority.of(Authority.Kind.SUBMIT, signature, ATTEMPT).on(adapter.cluster()),
                        owner,
                        command.directory() == null ? "/" : command.directory(),
                        command.limit(),
                        argv,
                        command.environment()),
                input);
    }

    private static void permitted(final Adapter adapter, final JobSpec spec) throws Exception {
        final String signature = signature(spec, adapter.cluster());
        for (final CommandLine<?> command : commands(adapter, spec)) {
            final HelperProgram.Ran ran = become(adapter, signature, command, command.argv(), command.input());
            assertThat(ran.exit())
                    .as("%s %s%n%s%n%s", adapter.name(), command.argv(), new String(command.input()), ran.text())
                    .isZero();
        }
    }

    @Test
    void every_script_that_the_agent_translates_is_submitted() throws Exception {
        final TreeSet<String> programs = new TreeSet<>();
        for (final Adapter adapter : adapters()) {
            for (final String script : SCRIPTS) {
                for (int i = 0; i < 2; i++) {
                    final JobSpec spec = spec(script, ARGUMENTS.get(i), VARIABLES.get(i), i == 1);
                    permitted(adapter, spec);
                    commands(adapter, spec)
                            .forEach(command -> programs.add(
                                    adapter.name() + " " + command.argv().getFirst()));
                }
            }
        }
        assertThat(programs).contains("SLURM sbatch", "PBSPRO dd", "PBSPRO qsub", "TORQUE qsub", "LSF bsub");
    }

    /** The options of the tables of the translation, each with values of several forms. */
    private static List<String> directives(final String table, final String prefix) throws Exception {
        final List<String> all = new ArrayList<>();
        try (InputStream stream = HelperScriptsIT.class.getResourceAsStream("/io/millrace/script/directive/" + table)) {
            for (final String line : new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.isBlank() || line.startsWith("#") || line.startsWith("[")) {
                    continue;
                }
                final String name = line.split(" {2,}")[0].split(", ")[0];
                final String bare = name.replaceAll("\\[?=]?$", "").replace("*", "site_res");
                if (name.endsWith("=") || name.endsWith("[=]")) {
                    Sample.of(name, "7", "word", "a/b.c:2", "1:00")
                            .forEach(value -> all.add(prefix + " " + bare
                                    + (bare.startsWith("--") || bare.contains(" ") ? "=" : " ") + value));
                }
                if (!name.endsWith("=")) {
                    all.add(prefix + " " + bare);
                }
            }
        }
        return all;
    }

    @Test
    void every_option_that_the_agent_passes_on_is_permitted() throws Exception {
        for (final Adapter adapter : adapters()) {
            final List<String> directives = adapter.name().equals("SLURM")
                    ? directives("slurm.txt", "#SBATCH")
                    : adapter.name().equals("LSF") ? directives("lsf.txt", "#BSUB") : directives("pbs.txt", "#PBS");
            int submitted = 0;
            for (final String directive : directives) {
                final JobSpec spec = spec("#!/bin/sh\n" + directive + "\n", List.of(), Map.of(), false);
                if (!commands(adapter, spec).isEmpty()) {
                    submitted++;
                    permitted(adapter, spec);
                }
            }
            assertThat(submitted).as(adapter.name()).isGreaterThan(30);
        }
    }

    @Attack("a taken-over agent submits another script, other arguments or variables with the signature of a user's"
            + " job")
    @Test
    void no_other_script_arguments_or_variables_are_submitted() throws Exception {
        final String script = "#!/bin/bash\n#SBATCH -n 4\necho hello\n";
        final List<String> arguments = List.of("one", "two");
        final Map<String, String> variables = Map.of("A", "1");
        final JobSpec spec = spec(script, arguments, variables, false);
        for (final Adapter adapter : adapters()) {
            final String signature = signature(spec, adapter.cluster());
            permitted(adapter, spec);
            for (final JobSpec other : List.of(
                    spec("#!/bin/bash\n#SBATCH -n 4\nid\n", arguments, variables, false),
                    spec(script + " ", arguments, variables, false),
                    spec(script.replace("/bin/bash", "/tmp/bash"), arguments, variables, false),
                    spec(script, List.of("one"), variables, false),
                    spec(script, List.of("one", "two", ""), variables, false),
                    spec(script, List.of("onetwo"), variables, false),
                    spec(script, arguments, Map.of("A", "2"), false),
                    spec(script, arguments, Map.of(), false),
                    spec(script, arguments, Map.of("A", "1", "LD_PRELOAD", "/tmp/x.so"), false),
                    spec(script, arguments, Map.of("A", "1", "MILLRACE_OUTPUT", ".bashrc"), false))) {
                refused(adapter, signature, commands(adapter, other));
            }
        }
    }

    private static void refused(final Adapter adapter, final String signature, final List<CommandLine<?>> commands)
            throws Exception {
        for (final CommandLine<?> command : commands) {
            if (PREPARE.contains(command.argv().getFirst()) || command.input().length == 0) {
                continue; // PBS Pro: qsub reads the script from the file that dd has not written
            }
            final HelperProgram.Ran ran = become(adapter, signature, command, command.argv(), command.input());
            assertThat(ran.exit())
                    .as("%s %s%n%s", adapter.name(), command.argv(), ran.text())
                    .isEqualTo(REFUSED);
        }
    }

    private static final List<String> STATEMENTS = List.of(
            "id",
            "export LD_PRELOAD=/tmp/x.so",
            "export BASH_ENV='/tmp/x'",
            "module load '/tmp/evil' || { printf 'millrace: module %s cannot be loaded on %s\\n"
                    + "' '/tmp/evil' 'alpha' >&2; exit 78; }",
            "module load '../evil' || { printf 'millrace: module %s cannot be loaded on %s\\n"
                    + "' '../evil' 'alpha' >&2; exit 78; }",
            "exec >>'.bashrc' 2>&1 </dev/null",
            "exec >>\"$HOME/.bashrc\" 2>&1 </dev/null",
            "_mg_tasks=$(id)",
            "_mg_job_name='x'; id",
            "_mg_job_name='x'$(id)",
            "_mg_job_name=$'x'$(id)",
            "_mg_job_name=$'\\x41'",
            "cd '/tmp' || exit 1",
            "umask 0$(id)",
            ". /tmp/x",
            "trap id EXIT",
            "exec /tmp/evil",
            "exec '/tmp/evil' /dev/fd/3 3<<'MILLRACE_n0'",
            "exit 0",
            "}",
            "{",
            "# comment",
            "");

    @Attack("a taken-over agent adds a statement to the prologue of a signed job's script")
    @Test
    void no_statement_is_added_to_the_prologue() throws Exception {
        final JobSpec spec =
                spec("#!/bin/bash\n#PBS -l nodes=2\necho $LSB_JOBID\n", List.of("x"), Map.of("A", "1"), false);
        final Adapter slurm = adapters().getFirst();
        final String signature = signature(spec, ALPHA);
        final CommandLine<?> sbatch = commands(slurm, spec).getLast();
        final List<String> lines =
                new String(sbatch.input(), StandardCharsets.UTF_8).lines().toList();
        final Random random = new Random(SEED);
        for (final String statement : STATEMENTS) {
            for (int i = 0; i < 6; i++) {
                final int at = i == 0 ? 2 : i == 1 ? lines.size() : random.nextInt(lines.size() + 1);
                final List<String> changed = new ArrayList<>(lines);
                changed.add(at, statement);
                final String text = String.join("\n", changed) + "\n";
                final HelperProgram.Ran ran =
                        become(slurm, signature, sbatch, sbatch.argv(), text.getBytes(StandardCharsets.UTF_8));
                assertThat(ran.exit())
                        .as("seed %s: '%s' before line %s%n%s", SEED, statement, at, ran.text())
                        .isEqualTo(REFUSED);
            }
        }
        for (final List<String> change : List.of(
                List.of("exec '/bin/bash' ", "exec '/tmp/bash' "),
                List.of("exec '/bin/bash' ", "exec '/bin/bash' '-x' "),
                List.of("exec '/bin/bash' ", "exec /bin/sh "),
                List.of("/dev/fd/3 ", "/tmp/x "),
                List.of(" 3<", " 2>.bashrc 3<"),
                List.of("#!/bin/bash\n{", "#!/tmp/x\n{"),
                List.of("export A='1'", "export A='1' B='2'"),
                List.of("export A='1'\n", "export A='1'\nexport A='1'\n"),
                List.of("export A='1'\n", ""))) {
            final String text = new String(sbatch.input(), StandardCharsets.UTF_8);
            assertThat(text).contains(change.getFirst());
            final HelperProgram.Ran ran = become(
                    slurm,
                    signature,
                    sbatch,
                    sbatch.argv(),
                    text.replaceFirst(Pattern.quote(change.getFirst()), change.getLast())
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(ran.exit()).as("%s%n%s", change, ran.text()).isEqualTo(REFUSED);
        }
    }

    @Attack("a taken-over agent adds an option that runs a program or changes the environment of a signed job")
    @Test
    void no_option_that_runs_something_else_is_added() throws Exception {
        final JobSpec spec = spec("#!/bin/bash\necho hello\n", List.of(), Map.of(), false);
        final Map<String, List<List<String>>> options = Map.of(
                "sbatch",
                List.of(
                        List.of("--wrap=id"),
                        List.of("--export=ALL,LD_PRELOAD=/tmp/x.so"),
                        List.of("--export-file=/tmp/x"),
                        List.of("--container=/tmp/x"),
                        List.of("--bb=#DW stage_in source=/tmp/x destination=/x type=file"),
                        List.of("--get-user-env"),
                        List.of("--output=.bashrc"),
                        List.of("--error=/root/x"),
                        List.of("--input=../x"),
                        List.of("--chdir=/tmp"),
                        List.of("--propagate=ALL"),
                        List.of("--uid=0"),
                        List.of("--some-plugin=/tmp/x"),
                        List.of("/tmp/evil.sh")),
                "qsub",
                List.of(
                        List.of("-v", "LD_PRELOAD=/tmp/x.so"),
                        List.of("-v", "MILLRACE_TAG=x,BASH_ENV=/tmp/x"),
                        List.of("-V"),
                        List.of("-W", "stagein=.bashrc@h:/tmp/x"),
                        List.of("-W", "depend=afterok:1,stagein=.bashrc@h:/tmp/x"),
                        List.of("-l", "prologue=/tmp/x"),
                        List.of("-l", "walltime=1:00,epilogue=/tmp/x"),
                        List.of("-S", "/tmp/x"),
                        List.of("-o", ".bashrc"),
                        List.of("-e", ".bashrc"),
                        List.of("-C", "#x"),
                        List.of("-I"),
                        List.of("-u", "root")),
                "bsub",
                List.of(
                        List.of("-E", "id"),
                        List.of("-Ep", "id"),
                        List.of("-L", "/tmp/x"),
                        List.of("-env", "LD_PRELOAD=/tmp/x.so"),
                        List.of("-f", "/tmp/x > .bashrc"),
                        List.of("-a", "evil"),
                        List.of("-wa", "/tmp/x"),
                        List.of("-o", ".bashrc"),
                        List.of("-i", "/tmp/x"),
                        List.of("-Zs", "/tmp/x"),
                        List.of("-k", "/tmp method=x"),
                        List.of("-cwd", "/tmp"),
                        List.of("-pack", "/tmp/x")));
        for (final Adapter adapter : adapters()) {
            permitted(adapter, spec);
            final CommandLine<?> submit = commands(adapter, spec).getLast();
            final String program = submit.argv().getFirst();
            for (final List<String> option : options.get(program)) {
                final List<String> argv = new ArrayList<>(submit.argv());
                argv.addAll(1, option);
                final HelperProgram.Ran ran =
                        become(adapter, signature(spec, adapter.cluster()), submit, argv, submit.input());
                assertThat(ran.exit())
                        .as("%s %s%n%s", program, option, ran.text())
                        .isEqualTo(REFUSED);
            }
        }
    }
}
