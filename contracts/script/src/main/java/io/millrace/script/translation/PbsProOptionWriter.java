package io.millrace.script.translation;

import io.millrace.model.job.JobSpec;
import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
import io.millrace.script.directive.PbsResources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes options of {@code qsub} of PBS Pro and of OpenPBS 18 and later. */
final class PbsProOptionWriter extends PbsOptionWriter {

    /** Resource names for the size of a chunk. */
    private static final Set<String> SIZE_RESOURCES = Set.of("ncpus", "mpiprocs", "mem", "ngpus");

    /** Host-level resources: qsub accepts them in a chunk, but not next to a select. */
    private static final Set<String> HOST_LEVEL = Set.of("arch", "ompthreads");

    private final Map<String, String> perChunk = new LinkedHashMap<>();

    @Override
    List<String> resources(
            final JobSpec spec,
            final TaskLayout layout,
            final List<JobSetting.Chunk> ownChunks,
            final TranslationBuilder translation) {
        final Map<String, String> features = PbsChunks.requiring(writableFeatures(layout.features()));
        final List<JobSetting.Chunk> chunks =
                ownChunks.isEmpty() ? PbsChunks.of(layout, features) : PbsChunks.of(ownChunks, spec.resources());
        final List<String> words = new ArrayList<>(
                List.of("-l", "select=" + chunks.stream().map(this::text).collect(Collectors.joining("+"))));
        final List<String> place = new ArrayList<>();
        if (layout.nodes() > 1) {
            place.add("scatter");
        } else if (layout.nodes() == 1
                && chunks.stream().mapToInt(JobSetting.Chunk::count).sum() > 1) {
            place.add("pack");
        }
        if (layout.exclusive()) {
            place.add("excl");
        }
        if (!place.isEmpty()) {
            words.addAll(List.of("-l", "place=" + String.join(":", place)));
        }
        return words;
    }

    private String text(final JobSetting.Chunk chunk) {
        final Map<String, String> all = new LinkedHashMap<>();
        all.put("ncpus", Integer.toString(chunk.cores()));
        if (chunk.tasks() > 0) {
            all.put("mpiprocs", Integer.toString(chunk.tasks()));
        }
        if (chunk.memoryMib() > 0) {
            all.put("mem", chunk.memoryMib() + "mb");
        }
        if (chunk.gpus() > 0) {
            all.put("ngpus", Integer.toString(chunk.gpus()));
        }
        chunk.other().forEach((name, value) -> {
            if (!SIZE_RESOURCES.contains(name)) {
                all.put(name, value.isEmpty() ? "True" : value);
            }
        });
        perChunk.forEach(all::putIfAbsent);
        return chunk.count() + ":"
                + all.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(":"));
    }

    @Override
    void chunks(final ScriptOption option, final JobSetting.Chunks setting, final TranslationBuilder translation) {
        // PBS syntax. Torque nodes can have a property of any name.
        setting.chunks().stream()
                .flatMap(chunk -> chunk.other().keySet().stream())
                .filter(SIZE_RESOURCES::contains)
                .distinct()
                .forEach(name -> translation.unsupported(
                        option, "property '" + name + "' is the name of a resource in PBS Pro"));
    }

    @Override
    void exclusive(
            final ScriptOption option, final JobSetting.Exclusive setting, final TranslationBuilder translation) {
        // Part of place.
    }

    @Override
    void array(
            final ScriptOption option,
            final JobSetting.Array setting,
            final String name,
            final TranslationBuilder translation) {
        if (setting.ranges().size() > 1) {
            translation.unsupported(
                    option, "PBS Pro supports one range first-last[:step]; submit the other ranges separately");
            return;
        }
        final JobSetting.Range range = setting.ranges().get(0);
        if (range.first() == range.last()) {
            translation.unsupported(option, "PBS Pro does not support an array of one task");
            return;
        }
        translation.add(
                option,
                "-J",
                range.first() + "-" + range.last() + (range.step() > 1 ? ":" + range.step() : "")
                        + (setting.maxRunning() > 0 ? "%" + setting.maxRunning() : ""));
    }

    @Override
    void licence(final ScriptOption option, final JobSetting.Licence setting, final TranslationBuilder translation) {
        if (setting.name().matches("[A-Za-z][\\w-]*") && !PbsResources.isReserved(setting.name())) {
            translation.add(option, "-l", setting.name() + "=" + setting.count());
        } else {
            translation.unsupported(option, "'" + setting.name() + "' is not a valid licence name for PBS Pro");
        }
    }

    @Override
    void hosts(final ScriptOption option, final JobSetting.Hosts setting, final TranslationBuilder translation) {
        if (option.dialect() == Dialect.PBS
                && setting.allowed()
                && setting.names().size() == 1) {
            perChunk(option, "host", setting.names().get(0), translation);
        } else {
            super.hosts(option, setting, translation);
        }
    }

    @Override
    void systemSpecific(
            final ScriptOption option, final JobSetting.SystemSpecific setting, final TranslationBuilder translation) {
        final String[] resource =
                setting.options().get(setting.options().size() - 1).split("=", 2);
        if (setting.options().get(0).equals("-l") && resource.length == 2 && HOST_LEVEL.contains(resource[0])) {
            perChunk(option, resource[0], resource[1], translation);
        } else {
            super.systemSpecific(option, setting, translation);
        }
    }

    private void perChunk(
            final ScriptOption option, final String name, final String value, final TranslationBuilder translation) {
        if (value.matches("[\\w.-]+")) {
            perChunk.put(name, value);
        } else {
            translation.unsupported(option, "'" + value + "' is not valid in a chunk");
        }
    }
}
