package io.millrace.script;

import java.util.Set;

/**
 * What the installed version of a workload manager lacks of its kind's options.
 *
 * @param version product and version for people, e.g. {@code openlava 4.0.0}
 * @param missingOptions options as they stand on the command line, without value: {@code -env}, {@code --signal}, {@code -l place}
 */
public record WlmFeatures(String version, Set<String> missingOptions) {

    public WlmFeatures {
        missingOptions = Set.copyOf(missingOptions);
    }

    /** A version that has all the options of its kind. */
    public static WlmFeatures all(final String version) {
        return new WlmFeatures(version, Set.of());
    }

    boolean has(final String option) {
        return !missingOptions.contains(option);
    }
}
