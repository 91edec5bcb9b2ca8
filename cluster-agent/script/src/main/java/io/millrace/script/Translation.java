package io.millrace.script;

import io.millrace.model.job.JobSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A script's options in the words of one workload manager.
 *
 * @param options native options for what the job's specification does not say itself, word by word for the command line. Never holds
 *     name, partition, project, walltime, cores, nodes, memory or GPUs, nor anything about output, hold, tag or identity.
 * @param resources native options for cores, nodes, memory and GPUs of the specification, split as the script wants (chunks, tasks
 *     per node, features, exclusive use): to be used instead of words of the adapter's own; walltime is not among them
 * @param layout the same split as figures, for an adapter that must say it in another way
 * @param unsupported options without equivalent here, each with its line and the reason
 * @param remarks what else the owner should know
 * @param shell runs a script that names no interpreter itself; null for {@code /bin/sh}
 */
public record Translation(
        List<String> options,
        List<String> resources,
        TaskLayout layout,
        List<String> unsupported,
        List<String> remarks,
        @Nullable String shell) {

    public Translation {
        options = List.copyOf(options);
        resources = List.copyOf(resources);
        unsupported = List.copyOf(unsupported);
        remarks = List.copyOf(remarks);
    }

    /** What this workload manager would be told. */
    public static Translation of(
            final WlmType wlm, final WlmFeatures abilities, final JobSpec spec, final ParsedScript script) {
        return new Translator(wlm, abilities, spec, script).translate();
    }
}
