package io.millrace.script;

import java.util.Set;

/**
 * Options that the installed version of a workload manager lacks.
 *
 * @param version product and version to display, for example {@code openlava 4.0.0}
 * @param missingOptions options as on the command line, without a value: {@code -env}, {@code --signal}, {@code -l place}
 */
public record WlmFeatures(String version, Set<String> missingOptions) {

    /** LSF reserves memory ({@code rusage}) on each host, as by default, and not for each slot ({@code RESOURCE_RESERVE_PER_TASK}). */
    public static final String RESERVES_PER_HOST = "rusage /host by default";

    public WlmFeatures {
        missingOptions = Set.copyOf(missingOptions);
    }

    /** A version with all options. */
    public static WlmFeatures all(final String version) {
        return new WlmFeatures(version, Set.of());
    }

    public boolean has(final String option) {
        return !missingOptions.contains(option);
    }
}
