package io.millrace.cli.api;

import java.util.Map;
import java.util.Set;

/** How users of the commands name the fields and parameters of the REST API. */
final class FieldOptions {

    /** Fields whose option has the same name. */
    private static final Set<String> SAME = Set.of(
            "array",
            "batch",
            "clusters",
            "cores",
            "dependency",
            "directories",
            "directory",
            "error",
            "from",
            "gpus",
            "input",
            "make",
            "name",
            "nodes",
            "output",
            "partition",
            "priority",
            "project",
            "reason",
            "software",
            "state",
            "target",
            "to",
            "walltime");

    private static final Map<String, String> OTHERS = Map.ofEntries(
            Map.entry("memoryMib", "--memory"),
            Map.entry("diskMib", "--disk"),
            Map.entry("targetRule", "--target-rule"),
            Map.entry("inputFilter", "--include-files or --exclude-files"),
            Map.entry("resultFilter", "--include-results or --exclude-results"),
            Map.entry("checkpoint.method", "--checkpoint"),
            Map.entry("checkpoint.signal", "--checkpoint-signal"),
            Map.entry("checkpoint.marker", "--checkpoint-marker"),
            Map.entry("checkpoint.grace", "--checkpoint-grace"),
            Map.entry("checkpoint.onTimeout", "--checkpoint-on-timeout"),
            Map.entry("command", "the command"),
            // Options of some commands and arguments of others.
            Map.entry("cluster", "the cluster"),
            Map.entry("user", "the user"),
            Map.entry("options", ""), // the reason names the option
            Map.entry("script", "the script"));

    private static final String VARIABLE = "environment.";

    private FieldOptions() {}

    /** @param field such as {@code targetRule}, {@code environment.OMP_NUM_THREADS} or {@code checkpoint.method} */
    static String of(final String field) {
        if (SAME.contains(field)) {
            return "--" + field;
        }
        final String other = OTHERS.get(field);
        if (other != null) {
            return other;
        }
        return field.startsWith(VARIABLE) ? "variable " + field.substring(VARIABLE.length()) : "'" + field + "'";
    }
}
