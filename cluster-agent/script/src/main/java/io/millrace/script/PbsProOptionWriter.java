package io.millrace.script;

import io.millrace.model.job.JobSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code qsub} of PBS Pro and of OpenPBS from 18 on. */
final class PbsProOptionWriter extends PbsOptionWriter {

    /** What a chunk is told of its size. */
    private static final Set<String> FIGURES = Set.of("ncpus", "mpiprocs", "mem", "ngpus");

    /** Of a node, not of a job: qsub refuses them beside a select and takes them in its chunks. */
    private static final Set<String> OF_NODES = Set.of("arch", "ompthreads");

    private final Map<String, String> ofEachNode = new LinkedHashMap<>();

    @Override
    List<String> resources(
            final JobSpec spec, final TaskLayout layout, final List<JobSetting.Chunk> ownChunks, final TranslationBuilder sayings) {
        final Map<String, String> features = PbsChunks.requiring(writableFeatures(layout.features()));
        final List<JobSetting.Chunk> chunks = ownChunks.isEmpty()
                ? PbsChunks.of(layout, spec.resources(), features)
                : PbsChunks.of(ownChunks, spec.resources());
        final List<String> words = new ArrayList<>(
                List.of("-l", "select=" + chunks.stream().map(this::text).collect(Collectors.joining("+"))));
        final List<String> place = new ArrayList<>();
        if (layout.nodes() > 1) {
            place.add("scatter");
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
        if (chunk.memory_mib() > 0) {
            all.put("mem", chunk.memory_mib() + "mb");
        }
        if (chunk.gpus() > 0) {
            all.put("ngpus", Integer.toString(chunk.gpus()));
        }
        chunk.other().forEach((name, value) -> {
            if (!FIGURES.contains(name)) {
                all.put(name, value.isEmpty() ? "True" : value);
            }
        });
        ofEachNode.forEach(all::putIfAbsent);
        return chunk.count() + ":"
                + all.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(":"));
    }

    @Override
    void chunks(final ScriptOption option, final JobSetting.Chunks wish, final TranslationBuilder sayings) {
        // Its own language; the classic nodes are chunks apart from each other, and may have a property of any name.
        wish.chunks().stream()
                .flatMap(chunk -> chunk.other().keySet().stream())
                .filter(FIGURES::contains)
                .distinct()
                .forEach(name -> sayings.unsupported(option, "a property '" + name + "' is a figure here"));
    }

    @Override
    void exclusive(final ScriptOption option, final JobSetting.Exclusive wish, final TranslationBuilder sayings) {
        // Stands in place.
    }

    @Override
    void array(final ScriptOption option, final JobSetting.Array wish, final String name, final TranslationBuilder sayings) {
        if (wish.ranges().size() > 1) {
            sayings.unsupported(option, "PBS Pro takes one range first-last[:step]; submit the others by themselves");
            return;
        }
        final JobSetting.Range range = wish.ranges().get(0);
        if (range.first() == range.last()) {
            sayings.unsupported(option, "PBS Pro has no array of one task");
            return;
        }
        sayings.add(
                option,
                "-J",
                range.first() + "-" + range.last() + (range.step() > 1 ? ":" + range.step() : "")
                        + (wish.maxRunning() > 0 ? "%" + wish.maxRunning() : ""));
    }

    @Override
    void licence(final ScriptOption option, final JobSetting.Licence wish, final TranslationBuilder sayings) {
        if (wish.name().matches("[A-Za-z][\\w-]*") && !PbsResources.isReserved(wish.name())) {
            sayings.add(option, "-l", wish.name() + "=" + wish.count());
        } else {
            sayings.unsupported(option, "'" + wish.name() + "' cannot be the name of a licence here");
        }
    }

    @Override
    void hosts(final ScriptOption option, final JobSetting.Hosts wish, final TranslationBuilder sayings) {
        if (option.dialect() == Dialect.PBS && wish.allowed() && wish.names().size() == 1) {
            ofEachNode(option, "host", wish.names().get(0), sayings);
        } else {
            super.hosts(option, wish, sayings);
        }
    }

    @Override
    void systemSpecific(final ScriptOption option, final JobSetting.SystemSpecific wish, final TranslationBuilder sayings) {
        final String[] resource = wish.options().get(wish.options().size() - 1).split("=", 2);
        if (wish.options().get(0).equals("-l") && resource.length == 2 && OF_NODES.contains(resource[0])) {
            ofEachNode(option, resource[0], resource[1], sayings);
        } else {
            super.systemSpecific(option, wish, sayings);
        }
    }

    private void ofEachNode(final ScriptOption option, final String name, final String value, final TranslationBuilder sayings) {
        if (value.matches("[\\w.-]+")) {
            ofEachNode.put(name, value);
        } else {
            sayings.unsupported(option, "'" + value + "' cannot stand in a chunk");
        }
    }
}
