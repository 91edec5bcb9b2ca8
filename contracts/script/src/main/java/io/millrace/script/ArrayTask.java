package io.millrace.script;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A task of an array of global jobs. It reaches the job as variables: those of Millrace, and those that scripts of each workload manager
 * read ({@code sbatch(1)}, {@code qsub(1)} of PBS Pro and Torque, {@code bsub(1)}).
 *
 * @param array number of the array
 * @param index of the task
 * @param indices of all tasks, ascending
 */
public record ArrayTask(long array, int index, List<Integer> indices) {

    /** The variable with the index of the task; only tasks have it. */
    public static final String INDEX = "MILLRACE_ARRAY_INDEX";

    /** The variable with the number of the array. */
    public static final String ARRAY = "MILLRACE_ARRAY_JOB";

    static final String SLURM_ARRAY = "SLURM_ARRAY_JOB_ID";
    static final String PBS_ARRAY = "PBS_ARRAY_ID";

    public ArrayTask {
        indices = List.copyOf(indices);
    }

    /** Whether a job with this environment is a task of an array of global jobs. */
    public static boolean isTask(final Map<String, String> environment) {
        return environment.containsKey(INDEX);
    }

    /** @param dialects those of the script; none: the variables of all */
    public Map<String, String> variables(final Collection<Dialect> dialects) {
        final Map<String, String> variables = new TreeMap<>(Map.of(INDEX, "" + index, ARRAY, "" + array));
        for (final Dialect dialect : dialects.isEmpty() ? List.of(Dialect.values()) : dialects) {
            variables.putAll(variables(dialect));
        }
        return variables;
    }

    private Map<String, String> variables(final Dialect dialect) {
        final String task = "" + index;
        return switch (dialect) {
            case SLURM ->
                Map.of(
                        SLURM_ARRAY,
                        "" + array,
                        "SLURM_ARRAY_TASK_ID",
                        task,
                        "SLURM_ARRAY_TASK_COUNT",
                        "" + indices.size(),
                        "SLURM_ARRAY_TASK_MIN",
                        "" + indices.getFirst(),
                        "SLURM_ARRAY_TASK_MAX",
                        "" + indices.getLast(),
                        "SLURM_ARRAY_TASK_STEP",
                        "" + step());
            case PBS -> Map.of(PBS_ARRAY, "" + array, "PBS_ARRAY_INDEX", task, "PBS_ARRAYID", task);
            case LSF ->
                Map.of(
                        "LSB_JOBINDEX", task,
                        "LSB_JOBINDEX_STEP", "" + step(),
                        "LSB_JOBINDEX_END", "" + indices.getLast());
        };
    }

    private int step() {
        return indices.size() < 2 ? 1 : indices.get(1) - indices.getFirst();
    }
}
