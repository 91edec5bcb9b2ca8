package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.job.JobSpec;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.directive.ScriptRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes and cores that real Slurm gives to scripts of all workload managers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slurm")
class LayoutLiveIT {

    private SlurmLab lab;
    private WorkloadManager slurm;
    private int jobs;

    @BeforeAll
    void open() {
        lab = SlurmLab.open();
        slurm = lab.wlm();
        slurm.get(ControlSwitching.class).control(Control.NATIVE).get();
    }

    @AfterAll
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    /** Each node of the lab has 4 cores. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#PBS -l select=2:ncpus=4:mpiprocs=3:ompthreads=2 -l place=scatter | srun=6 np=6 lines=6 cpus=4(x2)"
                        + " threads=2",
                "#PBS -l select=1:ncpus=4:mpiprocs=3 | srun=3 np=3 lines=3 cpus=4 threads=1",
                "#PBS -l select=1:ncpus=4:mpiprocs=2 | srun=2 np=2 lines=2 cpus=4 threads=2",
                "#PBS -l nodes=2:ppn=3 | srun=6 np=6 lines=6 cpus=3(x2) threads=unset",
                "#SBATCH -N 2 --ntasks-per-node=2 -c 2 | srun=4 np=4 lines=4 cpus=4(x2) threads=unset",
                "#SBATCH -N 3 -n 3 | srun=3 np=3 lines=3 cpus=1(x3) threads=unset",
                "#BSUB -n 2 -R \"affinity[core(2)] span[hosts=1]\" | srun=2 np=2 lines=2 cpus=4 threads=unset",
                "#BSUB -n 5 -R span[ptile=4] | srun=5 np=5 lines=5 cpus=4,1 threads=unset"
            })
    void slurm_starts_the_processes_on_the_cores_that_the_script_requests(final String line, final String expected)
            throws IOException {
        final String script = "#!/bin/bash\n" + line + "\n"
                + "echo \"srun=$(srun hostname | wc -l) np=$PBS_NP lines=$(wc -l <\"$PBS_NODEFILE\")"
                + " cpus=$SLURM_JOB_CPUS_PER_NODE threads=${OMP_NUM_THREADS-unset}\" >seen.new\nmv seen.new seen\n";
        final ScriptRequest request = ScriptParser.read(script).request();
        final JobSpec spec = new JobSpec(
                "layout",
                script,
                null,
                new Resources(request.cores(), request.nodes() == null ? 0 : request.nodes(), 0, 0),
                Duration.ofMinutes(5),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        final Path directory = lab.directory();
        final GlobalJobId id = GlobalJobId.of("01JDA00000000000000000" + (1000 + jobs++));
        final JobKey job = slurm.submit(new Submission(new AttemptId(id, 1), lab.owner(), spec, directory.toString()))
                .get();
        slurm.get(Holding.class).release(job, HoldKind.SUBMISSION).get();
        final Path seen = directory.resolve("seen");
        lab.until("the job of " + line, () -> Files.exists(seen));

        assertThat(Files.readString(seen).strip()).as(line).isEqualTo(expected);
    }
}
