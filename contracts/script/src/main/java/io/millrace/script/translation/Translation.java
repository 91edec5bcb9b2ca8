package io.millrace.script.translation;

import io.millrace.model.job.JobSpec;
import io.millrace.script.OptionEffect;
import io.millrace.script.TaskLayout;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ParsedScript;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a script, translated for a workload manager.
 *
 * @param options native options as command-line words, for everything that the specification does not cover. They never contain name,
 *     partition, project, walltime, cores, nodes, memory or GPUs, nor output, hold, tag or identity.
 * @param resources native options for cores, nodes, memory and GPUs of the specification, divided as the script requests (chunks, tasks per
 *     node, features, exclusive use), without walltime. The adapter uses them instead of its default options.
 * @param layout the same division as numbers, for an adapter that writes these options itself
 * @param unsupported options without an equivalent, each with its line and the reason
 * @param essential those of {@code unsupported} without which the job must not run here; see {@link OptionEffect}
 * @param remarks what else the owner should know
 * @param shell interpreter of a script without a {@code #!} line; null for {@code /bin/sh}
 */
public record Translation(
        List<String> options,
        List<String> resources,
        TaskLayout layout,
        List<String> unsupported,
        List<String> essential,
        List<String> remarks,
        @Nullable String shell) {

    public Translation {
        options = List.copyOf(options);
        resources = List.copyOf(resources);
        unsupported = List.copyOf(unsupported);
        essential = List.copyOf(essential);
        remarks = List.copyOf(remarks);
    }

    /** Translates a script for a workload manager. */
    public static Translation of(
            final WlmType wlm, final WlmFeatures features, final JobSpec spec, final ParsedScript script) {
        return new Translator(wlm, features, spec, script).translate();
    }
}
