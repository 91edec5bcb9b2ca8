package io.millrace.script;

import io.millrace.model.job.JobNumber;
import io.millrace.model.job.JobSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of a job that contain its number. A repeated request has the same ones except for these. */
public final class NumberVariables {

    /** The number of the job: {@code 4711}; of a job of a batch {@code 4711_4}. */
    public static final String NUMBER = "MILLRACE_JOB_NUMBER";

    private NumberVariables() {}

    /** The job with its number, and with the name of its output file if the user has chosen none. */
    public static JobSpec added(final JobSpec spec, final JobNumber number) {
        final Map<String, String> variables = new HashMap<>(spec.environment());
        variables.put(NUMBER, number.toString());
        variables.putIfAbsent(StandardStreams.OUTPUT, output(number.toString()));
        return spec.withEnvironment(variables);
    }

    /** What the user has requested. */
    public static Map<String, String> removed(final Map<String, String> environment) {
        final String number = environment.get(NUMBER);
        if (number == null) {
            return environment;
        }
        final Map<String, String> variables = new HashMap<>(environment);
        variables.keySet().removeAll(List.of(NUMBER, ArrayTask.ARRAY, ArrayTask.SLURM_ARRAY, ArrayTask.PBS_ARRAY));
        variables.remove(StandardStreams.OUTPUT, output(number));
        return variables;
    }

    /** The number of a job; null: it was not submitted by submit-service. */
    static @Nullable String of(final JobSpec spec) {
        return spec.environment().get(NUMBER);
    }

    private static String output(final String number) {
        return "millrace-" + number + ".out";
    }
}
