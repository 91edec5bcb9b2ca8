package io.millrace.script.wrapper;

import io.millrace.script.Dialect;
import java.util.List;
import java.util.Locale;

/**
 * A variable that a workload manager sets in its jobs, and that scripts use.
 *
 * @param meaning its value on every workload manager
 */
public record JobVariable(Dialect dialect, String name, Meaning meaning) {

    /** The value of a variable. The preamble computes it in the shell variable with this name. */
    public enum Meaning {
        JOB_ID("local job id"),
        JOB_NAME("job name"),
        SUBMIT_DIR("working directory"),
        SUBMIT_HOST("submission host"),
        OWNER("owner's user name"),
        OWNER_HOME("owner's home directory"),
        OWNER_SHELL("owner's login shell"),
        OWNER_PATH("search path"),
        LANGUAGE("language setting"),
        PROJECT("project"),
        PARTITION("partition or queue"),
        CLUSTER("cluster name"),
        BATCH("batch job indicator"),
        ZERO("index of the first process, node or task: 0"),
        TASKS("total processes"),
        CORES_PER_TASK("cores per process, if the script sets it"),
        THREADS("cores per process"),
        OPENMP_THREADS("threads per process: `ompthreads`, otherwise `ncpus` divided by `mpiprocs`"),
        TASKS_PER_NODE("processes per node, if the script sets it"),
        NODES("total nodes"),
        HOST("current host"),
        HOST_LIST("hosts, separated by commas"),
        HOSTS_BY_SLOT("host of each process, separated by blanks"),
        HOSTS_WITH_COUNTS("hosts with their number of processes"),
        HOST_FILE("file with the host of each process"),
        TASKS_BY_HOST("processes per host, separated by commas"),
        GPUS("total GPUs"),
        WALLTIME_S("walltime in seconds"),
        ARRAY_JOB("array id, in an array"),
        ARRAY_INDEX("task index, in an array"),
        ARRAY_INDEX_OR_0("task index, 0 outside an array"),
        RESTARTS("number of previous starts");

        private final String description;

        Meaning(final String words) {
            this.description = words;
        }

        /** The description for the guide. */
        public String description() {
            return description;
        }

        /** Whether it describes processes, which have several slots each where the workload manager counts cores. */
        boolean isOfProcesses() {
            return switch (this) {
                case TASKS, TASKS_PER_NODE, TASKS_BY_HOST, HOSTS_BY_SLOT, HOSTS_WITH_COUNTS, HOST_FILE -> true;
                default -> false;
            };
        }

        String shellVariable() {
            return "_mg_" + name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether a script that mentions this variable was written for its workload manager. */
    boolean isTelling() {
        return name.contains("_") && meaning != Meaning.OPENMP_THREADS;
    }

    /** All variables that Millrace sets where the workload manager does not. */
    public static final List<JobVariable> ALL = List.of(
            slurm("SLURM_JOB_ID", Meaning.JOB_ID),
            slurm("SLURM_JOBID", Meaning.JOB_ID),
            slurm("SLURM_JOB_NAME", Meaning.JOB_NAME),
            slurm("SLURM_SUBMIT_DIR", Meaning.SUBMIT_DIR),
            slurm("SLURM_SUBMIT_HOST", Meaning.SUBMIT_HOST),
            slurm("SLURM_JOB_USER", Meaning.OWNER),
            slurm("SLURM_JOB_ACCOUNT", Meaning.PROJECT),
            slurm("SLURM_JOB_PARTITION", Meaning.PARTITION),
            slurm("SLURM_CLUSTER_NAME", Meaning.CLUSTER),
            slurm("SLURM_NTASKS", Meaning.TASKS),
            slurm("SLURM_NPROCS", Meaning.TASKS),
            slurm("SLURM_CPUS_PER_TASK", Meaning.CORES_PER_TASK),
            slurm("SLURM_NTASKS_PER_NODE", Meaning.TASKS_PER_NODE),
            slurm("SLURM_TASKS_PER_NODE", Meaning.TASKS_BY_HOST),
            slurm("SLURM_JOB_NODELIST", Meaning.HOST_LIST),
            slurm("SLURM_NODELIST", Meaning.HOST_LIST),
            slurm("SLURM_JOB_NUM_NODES", Meaning.NODES),
            slurm("SLURM_NNODES", Meaning.NODES),
            slurm("SLURMD_NODENAME", Meaning.HOST),
            slurm("SLURM_GPUS", Meaning.GPUS),
            slurm("SLURM_PROCID", Meaning.ZERO),
            slurm("SLURM_LOCALID", Meaning.ZERO),
            slurm("SLURM_NODEID", Meaning.ZERO),
            slurm("SLURM_ARRAY_JOB_ID", Meaning.ARRAY_JOB),
            slurm("SLURM_ARRAY_TASK_ID", Meaning.ARRAY_INDEX),
            slurm("SLURM_RESTART_COUNT", Meaning.RESTARTS),
            pbs("PBS_JOBID", Meaning.JOB_ID),
            pbs("PBS_JOBNAME", Meaning.JOB_NAME),
            pbs("PBS_O_WORKDIR", Meaning.SUBMIT_DIR),
            pbs("PBS_O_HOST", Meaning.SUBMIT_HOST),
            pbs("PBS_O_LOGNAME", Meaning.OWNER),
            pbs("PBS_O_HOME", Meaning.OWNER_HOME),
            pbs("PBS_O_SHELL", Meaning.OWNER_SHELL),
            pbs("PBS_O_PATH", Meaning.OWNER_PATH),
            pbs("PBS_O_LANG", Meaning.LANGUAGE),
            pbs("PBS_QUEUE", Meaning.PARTITION),
            pbs("PBS_O_QUEUE", Meaning.PARTITION),
            pbs("PBS_ENVIRONMENT", Meaning.BATCH),
            pbs("PBS_NODEFILE", Meaning.HOST_FILE),
            pbs("PBS_NP", Meaning.TASKS),
            pbs("PBS_NUM_NODES", Meaning.NODES),
            pbs("PBS_NUM_PPN", Meaning.TASKS_PER_NODE),
            pbs("PBS_NODENUM", Meaning.ZERO),
            pbs("PBS_VNODENUM", Meaning.ZERO),
            pbs("PBS_WALLTIME", Meaning.WALLTIME_S),
            pbs("PBS_ARRAY_ID", Meaning.ARRAY_JOB),
            pbs("PBS_ARRAY_INDEX", Meaning.ARRAY_INDEX),
            pbs("PBS_ARRAYID", Meaning.ARRAY_INDEX),
            pbs("NCPUS", Meaning.THREADS),
            pbs("OMP_NUM_THREADS", Meaning.OPENMP_THREADS),
            lsf("LSB_JOBID", Meaning.JOB_ID),
            lsf("LSB_JOBNAME", Meaning.JOB_NAME),
            lsf("LSB_JOBINDEX", Meaning.ARRAY_INDEX_OR_0),
            lsf("LSB_QUEUE", Meaning.PARTITION),
            lsf("LSB_PROJECT_NAME", Meaning.PROJECT),
            lsf("LSB_SUB_HOST", Meaning.SUBMIT_HOST),
            lsf("LSB_SUB_USER", Meaning.OWNER),
            lsf("LSFUSER", Meaning.OWNER),
            lsf("LS_SUBCWD", Meaning.SUBMIT_DIR),
            lsf("LSB_OUTDIR", Meaning.SUBMIT_DIR),
            lsf("LSB_HOSTS", Meaning.HOSTS_BY_SLOT),
            lsf("LSB_MCPU_HOSTS", Meaning.HOSTS_WITH_COUNTS),
            lsf("LSB_DJOB_HOSTFILE", Meaning.HOST_FILE),
            lsf("LSB_DJOB_NUMPROC", Meaning.TASKS),
            lsf("LSB_MAX_NUM_PROCESSORS", Meaning.TASKS),
            lsf("LSB_BATCH_JID", Meaning.JOB_ID));

    private static JobVariable slurm(final String name, final Meaning meaning) {
        return new JobVariable(Dialect.SLURM, name, meaning);
    }

    private static JobVariable pbs(final String name, final Meaning meaning) {
        return new JobVariable(Dialect.PBS, name, meaning);
    }

    private static JobVariable lsf(final String name, final Meaning meaning) {
        return new JobVariable(Dialect.LSF, name, meaning);
    }
}
