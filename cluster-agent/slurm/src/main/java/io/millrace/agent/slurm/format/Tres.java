package io.millrace.agent.slurm.format;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Slurm's "trackable resources": {@code cpu=8,mem=8000M,node=2,gres/gpu=1}. */
public final class Tres {

    private final Map<String, String> parts = new HashMap<>();

    private Tres(final String text) {
        for (final String part : text.split(",")) {
            final int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
    }

    public static Tres read(final String text) {
        return new Tres(text);
    }

    /** Reads slurmctld's numeric form, {@code 1=8,2=8000,4=2}. GPUs are omitted because their number differs between sites. */
    public static Tres numbered(final String text) {
        return new Tres(text.replaceFirst("(^|,)1=", "$1cpu=")
                .replaceFirst("(^|,)2=", "$1mem=")
                .replaceFirst("(^|,)4=", "$1node="));
    }

    /** Memory in MiB; 0 if not specified. */
    public long memory_mib() {
        return Quantities.mebibytes(parts.getOrDefault("mem", "0"));
    }

    /** A size in bytes, as {@code sacct --noconvert} prints what was used; null if missing or zero, which means not measured. */
    public @Nullable Long bytes(final String name) {
        final long size = Quantities.count(parts.getOrDefault(name, "0"));
        return size == 0 ? null : size;
    }

    /** A count; null if missing. */
    public @Nullable Integer count(final String name) {
        final String text = parts.get(name);
        return text == null ? null : Quantities.intCount(text);
    }

    public int cores() {
        return Quantities.intCount(parts.getOrDefault("cpu", "0"));
    }

    public int nodes() {
        return Quantities.intCount(parts.getOrDefault("node", "0"));
    }

    /** The count of a generic resource, such as {@code gpu}, over all its types. A site may account for types only. */
    public int generic(final String name) {
        final String total = parts.get("gres/" + name);
        return total != null
                ? Quantities.intCount(total)
                : (int) Math.min(
                        Integer.MAX_VALUE,
                        ofTypes(name).mapToLong(Quantities::intCount).sum());
    }

    /** Whether the resource {@code gres/NAME} or a type of it is named. */
    public boolean namesGeneric(final String name) {
        return parts.containsKey("gres/" + name) || ofTypes(name).findAny().isPresent();
    }

    private Stream<String> ofTypes(final String name) {
        return parts.entrySet().stream()
                .filter(part -> part.getKey().startsWith("gres/" + name + ":"))
                .map(Map.Entry::getValue);
    }
}
