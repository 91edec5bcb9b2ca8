package io.millrace.script.translation;

import io.millrace.model.job.JobSpec;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
import java.util.List;

/** The local workload manager supports cores, nodes, memory and walltime. */
final class LocalOptionWriter extends OptionWriter {

    @Override
    List<String> resources(
            final JobSpec spec,
            final TaskLayout layout,
            final List<JobSetting.Chunk> ownChunks,
            final TranslationBuilder translation) {
        return List.of();
    }

    @Override
    void feature(final ScriptOption option, final JobSetting.Feature setting, final TranslationBuilder translation) {
        translation.noEquivalent(option);
    }
}
