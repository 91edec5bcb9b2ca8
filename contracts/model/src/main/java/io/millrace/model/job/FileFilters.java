package io.millrace.model.job;

import io.millrace.model.transfer.FilterRule;
import java.util.List;

/**
 * Which files of a job's directory are copied, if it runs on another cluster.
 *
 * @param inputs rules for the copy to that cluster; empty: all files
 * @param results rules for the copy of the results; empty: all files
 */
public record FileFilters(List<FilterRule> inputs, List<FilterRule> results) {

    public static final FileFilters NONE = new FileFilters(List.of(), List.of());

    public FileFilters {
        inputs = List.copyOf(inputs);
        results = List.copyOf(results);
    }
}
