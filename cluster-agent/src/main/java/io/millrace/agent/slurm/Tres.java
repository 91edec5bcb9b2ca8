package io.millrace.agent.slurm;

import java.util.HashMap;
import java.util.Map;

/** Slurm's "trackable resources": {@code cpu=8,mem=8000M,node=2,gres/gpu=1}. */
final class Tres {

    private final Map<String, String> parts = new HashMap<>();

    private Tres(final String text) {
        for (final String part : text.split(",")) {
            final int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
    }

    static Tres read(final String text) {
        return new Tres(text);
    }

    /** Memory in MiB; 0 if it is not stated. */
    long memory_mib() {
        final String memory = parts.getOrDefault("mem", "0");
        final char unit = memory.charAt(memory.length() - 1);
        final double figure =
                Double.parseDouble(Character.isDigit(unit) ? memory : memory.substring(0, memory.length() - 1));
        return Math.round(
                switch (unit) {
                    case 'K' -> figure / 1024;
                    case 'G' -> figure * 1024;
                    case 'T' -> figure * 1024 * 1024;
                    case 'P' -> figure * 1024 * 1024 * 1024;
                    default -> figure;
                });
    }

    /** Generic resources of this name, e.g. {@code gpu}, of whatever type. */
    int generic(final String name) {
        return Integer.parseInt(parts.getOrDefault("gres/" + name, "0"));
    }
}
