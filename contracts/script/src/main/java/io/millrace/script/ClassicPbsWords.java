package io.millrace.script;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code qsub} of the classic OpenPBS and of Torque. */
final class ClassicPbsWords extends PbsWords {

    @Override
    List<String> resources(
            final JobSpec spec, final Layout layout, final List<Wish.Chunk> ownChunks, final Sayings sayings) {
        final Resources wanted = spec.resources();
        final Map<String, String> features = new LinkedHashMap<>();
        sayable(layout.features()).forEach(feature -> features.put(feature, ""));
        // It knows no job without nodes: cores that may stand anywhere stand on one.
        final Layout onNodes = layout.nodes() > 0
                ? layout
                : new Layout(layout.tasks(), layout.coresPerTask(), 1, 0, layout.features(), layout.exclusive());
        final Resources withoutMemory = new Resources(wanted.cores(), wanted.nodes(), 0, wanted.gpus());
        final List<Wish.Chunk> chunks = ownChunks.isEmpty()
                ? PbsChunks.of(onNodes, withoutMemory, features)
                : PbsChunks.of(ownChunks, withoutMemory);
        final List<String> words = new ArrayList<>(List.of(
                "-l", "nodes=" + chunks.stream().map(ClassicPbsWords::text).collect(Collectors.joining("+"))));
        if (wanted.memory_mib() > 0) {
            words.addAll(List.of("-l", "mem=" + wanted.memory_mib() + "mb"));
        }
        return words;
    }

    private static String text(final Wish.Chunk chunk) {
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
    void chunks(final Option option, final Wish.Chunks wish, final Sayings sayings) {
        wish.chunks()
                .forEach(chunk -> chunk.other().forEach((name, value) -> {
                    if (!value.isEmpty() && !value.equalsIgnoreCase("true") && !name.equals("ompthreads")) {
                        sayings.lose(option, "no equivalent for " + name + "=" + value);
                    }
                }));
    }

    @Override
    void exclusive(final Option option, final Wish.Exclusive wish, final Sayings sayings) {
        if (wish.yes()) {
            sayings.say(option, "-n");
        }
    }

    @Override
    void array(final Option option, final Wish.Array wish, final String name, final Sayings sayings) {
        if (wish.ranges().stream()
                .anyMatch(range -> range.step() > 1 && (range.last() - range.first()) / range.step() > 500)) {
            sayings.lose(option, "Torque has no steps in arrays, and these are too many indices to write out");
            return;
        }
        final String indices = wish.ranges().stream()
                .map(range -> range.step() == 1 ? Indices.write(List.of(range)) : writtenOut(range))
                .collect(Collectors.joining(","));
        sayings.say(option, "-t", indices + (wish.atOnce() > 0 ? "%" + wish.atOnce() : ""));
    }

    private static String writtenOut(final Wish.Range range) {
        final List<String> all = new ArrayList<>();
        for (int index = range.first(); index <= range.last(); index += range.step()) {
            all.add(Integer.toString(index));
        }
        return String.join(",", all);
    }

    @Override
    void licence(final Option option, final Wish.Licence wish, final Sayings sayings) {
        if (!wish.name().matches("[\\w.@+-]+")) {
            sayings.lose(option, "'" + wish.name() + "' cannot be the name of a licence here");
        } else if (wish.count() == 1) {
            sayings.say(option, "-l", "software=" + wish.name());
        } else {
            sayings.lose(option, "the classic line counts no licences; ask for one");
        }
    }

    @Override
    void quality(final Option option, final Wish.Quality wish, final Sayings sayings) {
        if (option.dialect() == Dialect.PBS) {
            sayings.say(option, "-l", "qos=" + wish.name());
        } else {
            super.quality(option, wish, sayings);
        }
    }

    @Override
    void reservation(final Option option, final Wish.Reservation wish, final Sayings sayings) {
        if (option.dialect() == Dialect.PBS) {
            sayings.say(option, "-l", "advres=" + wish.name());
        } else {
            super.reservation(option, wish, sayings);
        }
    }
}
