package io.millrace.script.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.Bash;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobPreambleTest {

    private static final StandardStreams NO_FILES = new StandardStreams(null, null, null);

    private static final AttemptId ATTEMPT = AttemptId.of("01JDA0000000000000000000AA.2");

    @TempDir
    Path directory;

    @Test
    void a_pbs_script_finds_its_variables_on_slurm() throws Exception {
        final String out = run(
                WlmType.SLURM,
                """
                #!/bin/bash
                #PBS -l nodes=2:ppn=2
                cd $PBS_O_WORKDIR
                echo $PBS_JOBID $PBS_JOBNAME $PBS_QUEUE $PBS_NP $PBS_NUM_NODES $PBS_NUM_PPN $PBS_ENVIRONMENT
                cat $PBS_NODEFILE
                cat $PBS_NODEFILE
                pwd
                """,
                4,
                Map.of(
                        "SLURM_JOB_ID", "77",
                        "SLURM_JOB_PARTITION", "main",
                        "SLURM_TASKS_PER_NODE", "2(x2)",
                        "SLURM_JOB_NODELIST", "n[1-2]"));

        assertThat(out.lines().toList())
                .containsExactly(
                        "77 it's $(id) main 4 2 2 PBS_BATCH", "n1", "n1", "n2", "n2", "n1", "n1", "n2", "n2", real());
    }

    @Test
    void a_slurm_script_finds_its_variables_on_pbs() throws Exception {
        final Path nodes = Files.writeString(directory.resolve("nodes"), "a\na\nb\nb\n");
        run(
                WlmType.PBSPRO,
                """
                #!/bin/bash
                #SBATCH --ntasks=4 --cpus-per-task=2 --ntasks-per-node=2
                echo $SLURM_JOB_ID $SLURM_NTASKS $SLURM_CPUS_PER_TASK $SLURM_NTASKS_PER_NODE $SLURM_JOB_NODELIST
                echo $SLURM_JOB_NUM_NODES $SLURM_TASKS_PER_NODE $SLURM_SUBMIT_DIR $SLURM_JOB_PARTITION ${SLURM_ARRAY_TASK_ID-none}
                """,
                8,
                Map.of("PBS_JOBID", "12.vm", "PBS_QUEUE", "workq", "PBS_NODEFILE", nodes.toString()));

        assertThat(Files.readAllLines(directory.resolve("millrace-01JDA0000000000000000000AA.out")))
                .containsExactly("12.vm 4 2 2 a,b", "2 2,2 " + real() + " workq none");
    }

    @Test
    void a_slurm_script_finds_its_variables_on_lsf() throws Exception {
        run(
                WlmType.LSF,
                """
                #!/bin/bash
                #SBATCH -n 3
                echo $SLURM_JOB_ID $SLURM_ARRAY_JOB_ID $SLURM_ARRAY_TASK_ID $SLURM_JOB_NODELIST $SLURM_TASKS_PER_NODE
                """,
                3,
                Map.of("LSB_JOBID", "9", "LSB_JOBINDEX", "4", "LSB_QUEUE", "q", "LSB_MCPU_HOSTS", "h1 2 h2 1 "));

        assertThat(Files.readAllLines(directory.resolve("millrace-01JDA0000000000000000000AA_4.out")))
                .containsExactly("9[4] 9 4 h1,h2 2,1");
    }

    @Test
    void an_lsf_script_finds_its_variables_on_slurm_and_locally() throws Exception {
        final String script = """
            #!/bin/bash
            #BSUB -n 3
            echo "$LSB_JOBID $LSB_JOBINDEX $LS_SUBCWD $LSB_HOSTS,$LSB_MCPU_HOSTS,$LSB_DJOB_NUMPROC"
            """;
        assertThat(run(
                        WlmType.SLURM,
                        script,
                        3,
                        Map.of("SLURM_JOB_ID", "5", "SLURM_TASKS_PER_NODE", "2,1", "SLURM_JOB_NODELIST", "n[1-2]")))
                .isEqualTo("5 0 " + real() + " n1 n1 n2,n1 2 n2 1 ,3\n");
        assertThat(run(WlmType.LOCAL, script, 3, Map.of("MILLRACE_JOB_ID", "8")))
                .matches("8 0 " + real() + " (\\S+) \\1 \\1,\\1 3 ,3\n");
    }

    @Test
    void variables_used_in_the_script_are_set_without_directives() throws Exception {
        assertThat(run(WlmType.LOCAL, "echo $PBS_JOBID $SLURM_NTASKS", 2, Map.of("MILLRACE_JOB_ID", "8")))
                .isEqualTo("8 2\n");
    }

    @Test
    void variables_set_by_the_target_keep_their_values() throws Exception {
        final Path nodes = Files.writeString(directory.resolve("nodes"), "a\n");
        run(
                WlmType.TORQUE,
                "#PBS -l nodes=1\necho $PBS_NP $PBS_NODEFILE $PBS_ARRAY_INDEX",
                1,
                Map.of(
                        "PBS_JOBID", "5[3].s",
                        "PBS_NP", "99",
                        "PBS_ARRAYID", "3",
                        "PBS_NODEFILE", nodes.toString()));

        assertThat(Files.readString(directory.resolve("millrace-01JDA0000000000000000000AA_3.out")))
                .isEqualTo("99 " + nodes + " 3\n");
    }

    /** Slurm redirects the streams itself, and the local workload manager the output. */
    @ParameterizedTest
    @EnumSource(
            value = WlmType.class,
            names = {"PBSPRO", "TORQUE", "LSF", "LOCAL"})
    void the_streams_are_the_files_that_the_user_named(final WlmType target) throws Exception {
        final String hostile = "it's $(touch hit)";
        Files.writeString(directory.resolve(hostile + ".in"), "input\n");
        final Path nodes = Files.writeString(directory.resolve("nodes"), "a\n");
        final String script = "#!/bin/bash\nread -r line; echo \"out $line\"; echo err >&2\n";
        final String preamble = JobPreamble.of(
                target,
                ScriptParser.read(script),
                spec("x", script, 1, Map.of()),
                TaskLayout.even(1, 0),
                ClusterId.of("alpha"),
                ATTEMPT,
                directory.toString(),
                new StandardStreams(hostile + ".out", hostile + ".err", hostile + ".in"),
                List.of());
        for (int run = 0; run < 2; run++) {
            final Bash ran = Bash.run(
                    JobWrapper.of(preamble, script, "n0", null), directory, Map.of("PBS_NODEFILE", nodes.toString()));
            assertThat(ran.status()).as(ran.text()).isZero();
        }
        assertThat(directory.resolve(hostile + ".err")).hasContent("err\nerr");
        if (target != WlmType.LOCAL) {
            assertThat(directory.resolve(hostile + ".out")).hasContent("out input\nout input");
        }
        assertThat(directory.resolve("hit")).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(WlmType.class)
    void hostile_values_stay_values(final WlmType target) throws Exception {
        final String hostile = "a'; touch hit; $(touch hit) `touch hit` \"$HOME\" \\ \n#BSUB -q root\n#SBATCH x\r\t!";
        final Path nodes = Files.writeString(directory.resolve("nodes"), "a\n");
        final String preamble = JobPreamble.of(
                target,
                ScriptParser.read("#!/bin/sh\n#SBATCH -n1\n#PBS -N x\n#BSUB -n 1\n"),
                spec(hostile, "#!/bin/bash\n#SBATCH -n1\n", 1, Map.of("EVIL", hostile, "PBS_SLURM_", hostile)),
                TaskLayout.even(1, 0),
                ClusterId.of("alpha"),
                ATTEMPT,
                directory.toString(),
                NO_FILES,
                List.of());
        final String wrapped = JobWrapper.of(
                preamble,
                "#!/bin/bash\nprintf '%s|' \"$EVIL\" \"$PBS_SLURM_\" \"${PBS_JOBNAME-}\" >seen\n",
                "n0",
                null);
        final Bash ran = Bash.run(
                wrapped,
                directory,
                Map.of(
                        "SLURM_JOB_ID", "1; touch hit",
                        "PBS_JOBID", "1$(touch hit)",
                        "LSB_JOBID", "1`touch hit`",
                        "MILLRACE_JOB_ID", "1",
                        "PBS_NODEFILE", nodes.toString(),
                        "SLURM_TASKS_PER_NODE", "1; touch hit",
                        "LSB_MCPU_HOSTS", "$(touch hit) 1"));

        assertThat(ran.status()).as(ran.text()).isZero();
        assertThat(directory.resolve("hit")).doesNotExist();
        assertThat(Files.readString(directory.resolve("seen"))).startsWith(hostile + "|" + hostile + "|");
        assertThat(wrapped.lines()).noneMatch(line -> line.startsWith("#BSUB") || line.startsWith("#SBATCH"));
    }

    @Test
    void every_job_has_the_variables_of_millrace() throws Exception {
        assertThat(run(
                        WlmType.SLURM,
                        "echo $MILLRACE_CLUSTER $MILLRACE_ATTEMPT $MILLRACE_JOB_ID $MILLRACE_RESTART $MILLRACE_CORES;"
                                + " set | grep ^_mg_; echo none left",
                        6,
                        Map.of("SLURM_JOB_ID", "31", "SLURM_RESTART_COUNT", "2")))
                .isEqualTo("alpha " + ATTEMPT + " 31 2 6\nnone left\n");
    }

    @Test
    void starts_are_counted_if_the_target_does_not_count_them_and_the_output_is_appended() throws Exception {
        final Map<String, String> job = Map.of("PBS_JOBID", "12.vm");
        for (int i = 0; i < 3; i++) {
            run(WlmType.TORQUE, "echo $MILLRACE_RESTART", 1, job);
        }
        assertThat(Files.readString(directory.resolve("millrace-01JDA0000000000000000000AA.out")))
                .isEqualTo("0\n1\n2\n");
    }

    @Test
    void a_module_that_cannot_be_loaded_ends_the_job_with_a_message() throws Exception {
        final Bash ran = Bash.run(
                JobWrapper.of(
                        preamble(WlmType.SLURM, "echo ran", 1, List.of("no/such'module")), "echo ran", "n0", null),
                directory,
                Map.of("SLURM_JOB_ID", "1"));

        assertThat(ran.status()).isEqualTo(78);
        assertThat(ran.text())
                .contains("module no/such'module cannot be loaded on alpha")
                .doesNotContain("ran\n");
    }

    @Test
    void modules_are_loaded_in_order() throws Exception {
        final Path init = Files.createDirectories(directory.resolve("modules/init"));
        Files.writeString(init.resolve("bash"), "module() { echo \"loaded $2\"; }\n");
        final Bash ran = Bash.run(
                JobWrapper.of(preamble(WlmType.SLURM, "echo ran", 1, List.of("gcc/13", "mpi")), "echo ran", "n0", null),
                directory,
                Map.of(
                        "SLURM_JOB_ID",
                        "1",
                        "MODULESHOME",
                        directory.resolve("modules").toString()));

        assertThat(ran.text()).isEqualTo("loaded gcc/13\nloaded mpi\nran\n");
    }

    @Test
    void open_mpi_does_not_use_the_launcher_of_another_workload_manager() throws Exception {
        assertThat(run(WlmType.LOCAL, "#SBATCH -n 2\necho $OMPI_MCA_plm", 2, Map.of("MILLRACE_JOB_ID", "1")))
                .isEqualTo("^slurm\n");
    }

    /** Torque lists a slot for each core. */
    @Test
    void mpirun_starts_one_process_for_the_cores_of_each() throws Exception {
        final Path nodes = Files.writeString(directory.resolve("nodes"), "a\na\na\na\nb\nb\nb\nb\n");
        run(WlmType.TORQUE, """
                #!/bin/bash
                #SBATCH -N 2 --ntasks-per-node=2 -c 2
                echo $PBS_NP $SLURM_NTASKS $SLURM_TASKS_PER_NODE $OMPI_MCA_plm $OMPI_MCA_ras
                paste -s -d , "$PBS_NODEFILE" "$OMPI_MCA_orte_default_hostfile"
                """, 8, Map.of("PBS_JOBID", "12.vm", "PBS_NP", "8", "PBS_NODEFILE", nodes.toString()));

        assertThat(Files.readAllLines(directory.resolve("millrace-01JDA0000000000000000000AA.out")))
                .containsExactly("4 4 2,2 ^slurm ^slurm,tm", "a,a,b,b", "a,a,b,b");
    }

    private String real() throws Exception {
        return directory.toRealPath().toString();
    }

    private String run(final WlmType target, final String script, final int cores, final Map<String, String> variables)
            throws Exception {
        final Path bin = Files.createDirectories(directory.resolve("bin"));
        final Path scontrol = bin.resolve("scontrol");
        Files.writeString(scontrol, "#!/bin/sh\nprintf 'n1\\nn2\\n'\n");
        scontrol.toFile().setExecutable(true);
        final Map<String, String> all = new java.util.HashMap<>(variables);
        all.put("PATH", bin + ":/usr/local/bin:/usr/bin:/bin");
        final Bash ran =
                Bash.run(JobWrapper.of(preamble(target, script, cores, List.of()), script, "n0", null), directory, all);
        assertThat(ran.status()).as(ran.text()).isZero();
        return ran.text();
    }

    private String preamble(final WlmType target, final String script, final int cores, final List<String> modules) {
        final JobSpec spec = spec("it's $(id)", script, cores, Map.of());
        final ParsedScript read = ScriptParser.read(script);
        return JobPreamble.of(
                target,
                read,
                spec,
                Translation.of(target, WlmFeatures.all("any"), spec, read).layout(),
                ClusterId.of("alpha"),
                ATTEMPT,
                directory.toString(),
                NO_FILES,
                modules);
    }

    private static JobSpec spec(
            final String name, final String script, final int cores, final Map<String, String> environment) {
        return new JobSpec(
                name,
                script,
                null,
                Resources.cores(cores),
                Duration.ofHours(1),
                PartitionName.of("main"),
                ProjectName.of("physics"),
                environment,
                new CheckpointMethod.None(),
                false);
    }
}
