package io.millrace.script;

import io.millrace.model.job.JobSpec;
import java.util.Arrays;
import java.util.List;

/** The software a job wants, by the names of the site; each cluster knows which modules that means. */
public final class Software {

    /** The job's variable that holds the names, with blanks between them. */
    public static final String VARIABLE = "MILLRACE_SOFTWARE";

    private Software() {}

    public static List<String> of(final JobSpec spec) {
        return Arrays.stream(spec.environment().getOrDefault(VARIABLE, "").split("\\s+"))
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    /** Whether a software can have this name. */
    public static boolean isName(final String name) {
        return name.matches("[A-Za-z0-9][A-Za-z0-9._+/-]{0,99}");
    }
}
