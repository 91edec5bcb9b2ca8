package io.millrace.script;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code qsub} of Torque and OpenPBS 2.3. */
final class TorqueOptionWriter extends PbsOptionWriter {

    @Override
    List<String> resources(
            final JobSpec spec, final TaskLayout layout, final List<JobSetting.Chunk> ownChunks, final TranslationBuilder sayings) {
        final Resources wanted = spec.resources();
        final Map<String, String> features = new LinkedHashMap<>();
        writableFeatures(layout.features()).forEach(feature -> features.put(feature, ""));
        // It knows no job without nodes: cores that may stand anywhere stand on one.
        final TaskLayout onNodes = layout.nodes() > 0
                ? layout
                : new TaskLayout(layout.tasks(), layout.coresPerTask(), 1, 0, layout.features(), layout.exclusive());
        final Resources withoutMemory = new Resources(wanted.cores(), wanted.nodes(), 0, wanted.gpus());
        final List<JobSetting.Chunk> chunks = ownChunks.isEmpty()
                ? PbsChunks.of(onNodes, withoutMemory, features)
                : PbsChunks.of(ownChunks, withoutMemory);
        final List<String> words = new ArrayList<>(List.of(
                "-l", "nodes=" + chunks.stream().map(TorqueOptionWriter::text).collect(Collectors.joining("+"))));
        if (wanted.memoryMib() > 0) {
            words.addAll(List.of("-l", "mem=" + wanted.memoryMib() + "mb"));
        }
        return words;
    }

    private static String text(final JobSetting.Chunk chunk) {
        final StringBuilder text = new StringBuilder(chunk.count() + ":ppn=" + chunk.cores());
        if (chunk.gpus() > 0) {
            text.append(":gpus=").append(chunk.gpus());
        }
        chunk.other().forEach((name, value) -> {
            if (value.isEmpty() || value.equalsIgnoreCase("true")) {
                text.append(':').append(name);
            }
        });
        return text.toString();
    }

    @Override
    void chunks(final ScriptOption option, final JobSetting.Chunks wish, final TranslationBuilder sayings) {
        wish.chunks()
                .forEach(chunk -> chunk.other().forEach((name, value) -> {
                    if (!value.isEmpty() && !value.equalsIgnoreCase("true") && !name.equals("ompthreads")) {
                        sayings.unsupported(option, "no equivalent for " + name + "=" + value);
                    }
                }));
    }

    @Override
    void exclusive(final ScriptOption option, final JobSetting.Exclusive wish, final TranslationBuilder sayings) {
        if (wish.exclusive()) {
            sayings.add(option, "-n");
        }
    }

    @Override
    void array(final ScriptOption option, final JobSetting.Array wish, final String name, final TranslationBuilder sayings) {
        if (wish.ranges().stream()
                .anyMatch(range -> range.step() > 1 && (range.last() - range.first()) / range.step() > 500)) {
            sayings.unsupported(option, "Torque has no steps in arrays, and these are too many indices to write out");
            return;
        }
        final String indices = wish.ranges().stream()
                .map(range -> range.step() == 1 ? ArrayIndices.write(List.of(range)) : writtenOut(range))
                .collect(Collectors.joining(","));
        sayings.add(option, "-t", indices + (wish.maxRunning() > 0 ? "%" + wish.maxRunning() : ""));
    }

    private static String writtenOut(final JobSetting.Range range) {
        final List<String> all = new ArrayList<>();
        for (int index = range.first(); index <= range.last(); index += range.step()) {
            all.add(Integer.toString(index));
        }
        return String.join(",", all);
    }

    @Override
    void licence(final ScriptOption option, final JobSetting.Licence wish, final TranslationBuilder sayings) {
        if (!wish.name().matches("[\\w.@+-]+")) {
            sayings.unsupported(option, "'" + wish.name() + "' cannot be the name of a licence here");
        } else if (wish.count() == 1) {
            sayings.add(option, "-l", "software=" + wish.name());
        } else {
            sayings.unsupported(option, "the classic line counts no licences; ask for one");
        }
    }

    @Override
    void qualityOfService(final ScriptOption option, final JobSetting.QualityOfService wish, final TranslationBuilder sayings) {
        if (option.dialect() == Dialect.PBS) {
            sayings.add(option, "-l", "qos=" + wish.name());
        } else {
            super.qualityOfService(option, wish, sayings);
        }
    }

    @Override
    void reservation(final ScriptOption option, final JobSetting.Reservation wish, final TranslationBuilder sayings) {
        if (option.dialect() == Dialect.PBS) {
            sayings.add(option, "-l", "advres=" + wish.name());
        } else {
            super.reservation(option, wish, sayings);
        }
    }
}
