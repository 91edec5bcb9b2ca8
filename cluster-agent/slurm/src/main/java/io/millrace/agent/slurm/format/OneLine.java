package io.millrace.agent.slurm.format;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The output of {@code scontrol --oneliner show}: one thing per line, {@code Name=value} separated by blanks. */
public final class OneLine {

    private OneLine() {}

    /**
     * The lines of a complete output; a sentence such as {@code No partitions in the system} is not among them.
     *
     * @throws IllegalArgumentException if the last line is incomplete
     */
    public static List<String> each(final String output) {
        if (!output.isEmpty() && !output.endsWith("\n")) {
            throw new IllegalArgumentException("the last line is incomplete");
        }
        return output.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("No "))
                .toList();
    }

    /** The values by name. */
    public static Map<String, String> settings(final String line) {
        final Map<String, String> settings = new HashMap<>();
        for (final String setting : line.strip().split("\\s+")) {
            final int equals = setting.indexOf('=');
            if (equals > 0) {
                settings.put(setting.substring(0, equals), setting.substring(equals + 1));
            }
        }
        return settings;
    }

    /** @throws IllegalArgumentException if the line has no such name */
    public static String required(final Map<String, String> settings, final String name) {
        final String value = settings.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the line " + settings + " lacks " + name);
        }
        return value;
    }
}
