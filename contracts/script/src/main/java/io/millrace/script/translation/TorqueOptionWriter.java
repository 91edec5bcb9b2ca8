package io.millrace.script.translation;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
import io.millrace.script.directive.ArrayIndices;
import io.millrace.script.directive.PbsResources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes options of {@code qsub} of Torque and of the original OpenPBS. */
final class TorqueOptionWriter extends PbsOptionWriter {

    private @Nullable String gpuMode;
    private boolean licenced;

    @Override
    List<String> resources(
            final JobSpec spec,
            final TaskLayout layout,
            final List<JobSetting.Chunk> ownChunks,
            final TranslationBuilder translation) {
        final Resources requested = spec.resources();
        final Map<String, String> features = new LinkedHashMap<>();
        writableFeatures(layout.features()).forEach(feature -> features.put(feature, ""));
        // A Torque job always has nodes: cores without a node count are placed on one node.
        final Resources withoutMemory = new Resources(requested.cores(), requested.nodes(), 0, requested.gpus());
        final List<JobSetting.Chunk> chunks = ownChunks.isEmpty() || layout.nodes() == 1
                ? PbsChunks.of(layout.nodes() > 0 ? layout : layout.onOneNode(), features)
                : PbsChunks.of(ownChunks, withoutMemory);
        final List<String> words = new ArrayList<>(
                List.of("-l", "nodes=" + chunks.stream().map(this::text).collect(Collectors.joining("+"))));
        if (requested.memoryMib() > 0) {
            words.addAll(List.of("-l", "mem=" + requested.memoryMib() + "mb"));
        }
        return words;
    }

    private String text(final JobSetting.Chunk chunk) {
        final StringBuilder text = new StringBuilder(chunk.count() + ":ppn=" + chunk.cores());
        if (chunk.gpus() > 0) {
            text.append(":gpus=").append(chunk.gpus()).append(gpuMode == null ? "" : ":" + gpuMode);
        }
        chunk.other().forEach((name, value) -> {
            if (value.isEmpty() || value.equalsIgnoreCase("true")) {
                text.append(':').append(name);
            }
        });
        return text.toString();
    }

    @Override
    void chunks(final ScriptOption option, final JobSetting.Chunks setting, final TranslationBuilder translation) {
        setting.chunks()
                .forEach(chunk -> chunk.other().forEach((name, value) -> {
                    if (!value.isEmpty() && !value.equalsIgnoreCase("true") && !name.equals("ompthreads")) {
                        translation.unsupported(option, "no equivalent for " + name + "=" + value);
                    }
                }));
    }

    @Override
    void systemSpecific(
            final ScriptOption option, final JobSetting.SystemSpecific setting, final TranslationBuilder translation) {
        if (setting.options().getFirst().equals(PbsResources.GPU_MODE_OPTION)) {
            gpuMode = setting.options().getLast();
        } else {
            super.systemSpecific(option, setting, translation);
        }
    }

    @Override
    void exclusive(
            final ScriptOption option, final JobSetting.Exclusive setting, final TranslationBuilder translation) {
        if (setting.exclusive()) {
            translation.add(option, "-n");
        }
    }

    @Override
    void array(
            final ScriptOption option,
            final JobSetting.Array setting,
            final String name,
            final TranslationBuilder translation) {
        if (setting.ranges().stream()
                .anyMatch(range -> range.step() > 1 && (range.last() - range.first()) / range.step() > 500)) {
            translation.unsupported(
                    option, "Torque does not support array steps, and this range has too many indices to list");
            return;
        }
        final String indices = setting.ranges().stream()
                .map(range -> range.step() == 1 ? ArrayIndices.write(List.of(range)) : enumerated(range))
                .collect(Collectors.joining(","));
        translation.add(option, "-t", indices + (setting.maxRunning() > 0 ? "%" + setting.maxRunning() : ""));
    }

    private static String enumerated(final JobSetting.Range range) {
        final List<String> all = new ArrayList<>();
        for (int index = range.first(); index <= range.last(); index += range.step()) {
            all.add(Integer.toString(index));
        }
        return String.join(",", all);
    }

    @Override
    void licence(final ScriptOption option, final JobSetting.Licence setting, final TranslationBuilder translation) {
        if (!setting.name().matches("[\\w.@+-]+")) {
            translation.unsupported(option, "'" + setting.name() + "' is not a valid licence name for Torque");
        } else if (licenced) {
            translation.unsupported(option, "Torque jobs can request one licence");
        } else if (setting.count() == 1) {
            licenced = translation.add(option, "-l", "software=" + setting.name());
        } else {
            translation.unsupported(option, "Torque does not count licences; request one");
        }
    }

    @Override
    void qualityOfService(
            final ScriptOption option,
            final JobSetting.QualityOfService setting,
            final TranslationBuilder translation) {
        if (option.dialect() == Dialect.PBS) {
            translation.add(option, "-l", "qos=" + setting.name());
        } else {
            super.qualityOfService(option, setting, translation);
        }
    }

    @Override
    void reservation(
            final ScriptOption option, final JobSetting.Reservation setting, final TranslationBuilder translation) {
        if (option.dialect() == Dialect.PBS) {
            translation.add(option, "-l", "advres=" + setting.name());
        } else {
            super.reservation(option, setting, translation);
        }
    }
}
