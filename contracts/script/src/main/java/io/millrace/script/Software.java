package io.millrace.script;

import io.millrace.model.job.JobSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The software that a job requests by site-wide names. Each cluster maps the names to environment modules. */
public final class Software {

    /** The variable with the names, separated by blanks. */
    public static final String VARIABLE = "MILLRACE_SOFTWARE";

    private Software() {}

    public static List<String> of(final JobSpec spec) {
        return of(spec.environment());
    }

    /** @param environment of the job */
    public static List<String> of(final Map<String, String> environment) {
        return Arrays.stream(environment.getOrDefault(VARIABLE, "").split("\\s+"))
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    /** Whether this is a valid software name. */
    public static boolean isName(final String name) {
        return name.matches("[A-Za-z0-9][A-Za-z0-9._+/-]{0,99}");
    }
}
