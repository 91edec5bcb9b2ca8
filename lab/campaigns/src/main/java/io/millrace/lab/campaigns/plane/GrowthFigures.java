package io.millrace.lab.campaigns.plane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of one size, by group and name; a line of the file has the size, the group, the name and the value. */
final class GrowthFigures {

    private static final String SEPARATOR = ";";

    private final GrowthSize size;
    private final Map<String, Map<String, Double>> groups = new LinkedHashMap<>();

    GrowthFigures(final GrowthSize size) {
        this.size = size;
    }

    GrowthSize size() {
        return size;
    }

    void add(final String group, final String name, final double value) {
        groups.computeIfAbsent(group, g -> new LinkedHashMap<>()).put(name, value);
    }

    /** In the order in which they were added; empty if there are none. */
    Map<String, Double> values(final String group) {
        return groups.getOrDefault(group, Map.of());
    }

    void append(final Path file) {
        final List<String> lines = new ArrayList<>();
        groups.forEach((group, values) -> values.forEach((name, value) -> lines.add(String.format(
                Locale.ROOT,
                "%d;%d;%d;%s;%s;%.4f",
                size.waiting(),
                size.clusters(),
                size.partitions(),
                group,
                name,
                value))));
        try {
            Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write '" + file + "'", e);
        }
    }

    /** The figures of all sizes, in the order in which they were measured. */
    static List<GrowthFigures> read(final Path file) {
        final Map<GrowthSize, GrowthFigures> sizes = new LinkedHashMap<>();
        try {
            for (final String line : Files.readAllLines(file)) {
                final String[] parts = line.split(SEPARATOR, -1);
                final GrowthSize size = new GrowthSize(
                        Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
                sizes.computeIfAbsent(size, GrowthFigures::new).add(parts[3], parts[4], Double.parseDouble(parts[5]));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + file + "'", e);
        }
        return List.copyOf(sizes.values());
    }
}
