package io.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** One of the options that choose the files to copy. Their order counts. */
final class FilterRuleOption {

    @Option(
            names = "--exclude-files",
            paramLabel = "PATTERN",
            description = "do not copy these files to another cluster, e.g. '*.tmp' or /scratch/")
    @Nullable
    String exclude;

    @Option(
            names = "--include-files",
            paramLabel = "PATTERN",
            description = "copy these files although a later --exclude-files matches")
    @Nullable
    String include;

    @Option(names = "--exclude-results", paramLabel = "PATTERN", description = "do not copy these files back")
    @Nullable
    String excludeResults;

    @Option(
            names = "--include-results",
            paramLabel = "PATTERN",
            description = "copy these files back although a later --exclude-results matches")
    @Nullable
    String includeResults;

    static void putInto(final ObjectNode job, final List<FilterRuleOption> rules) {
        for (final FilterRuleOption rule : rules) {
            add(job, "inputFilter", "- ", rule.exclude);
            add(job, "inputFilter", "+ ", rule.include);
            add(job, "resultFilter", "- ", rule.excludeResults);
            add(job, "resultFilter", "+ ", rule.includeResults);
        }
    }

    private static void add(
            final ObjectNode job, final String field, final String effect, final @Nullable String pattern) {
        if (pattern != null) {
            job.withArray(field).add(effect + pattern);
        }
    }
}
