package io.millrace.agent.pbs;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job, queue, node or server as printed by PBS: attributes by name, with a dot for members of a group
 * ({@code Resource_List.ncpus}). An attribute can have several values ({@code max_run_res_soft.ncpus}, one per user).
 *
 * @param name job id, queue name, node name or server name
 */
public record PbsObject(String name, Map<String, List<String>> attributes) {

    public PbsObject {
        final Map<String, List<String>> copy = new LinkedHashMap<>();
        attributes.forEach((attribute, values) -> copy.put(attribute, List.copyOf(values)));
        attributes = Collections.unmodifiableMap(copy);
    }

    /** The object with another value of an attribute. */
    public PbsObject with(final String attribute, final String value) {
        final Map<String, List<String>> changed = new LinkedHashMap<>(attributes);
        changed.put(attribute, List.of(value));
        return new PbsObject(name, changed);
    }

    /** The first value; null if the attribute is missing. */
    public @Nullable String get(final String attribute) {
        final List<String> values = attributes.get(attribute);
        return values == null || values.isEmpty() ? null : values.get(0);
    }

    public String get(final String attribute, final String otherwise) {
        final String value = get(attribute);
        return value == null ? otherwise : value;
    }

    public List<String> all(final String attribute) {
        return attributes.getOrDefault(attribute, List.of());
    }

    public boolean has(final String attribute) {
        return get(attribute) != null;
    }

    /** Whether the value is {@code True}, {@code true}, {@code t}, {@code y} or {@code 1}. */
    public boolean is(final String attribute) {
        return get(attribute, "").strip().matches("(?i)true|t|yes|y|1");
    }

    /** The value as an integer; {@code otherwise} if it is missing or not an integer. */
    public long number(final String attribute, final long otherwise) {
        final String value = get(attribute, "").strip();
        return value.matches("[+-]?\\d{1,18}") ? Long.parseLong(value) : otherwise;
    }

    public @Nullable Instant time(final String attribute, final ZoneId zone) {
        return PbsTime.read(get(attribute), zone);
    }

    /** The members of a group by their names without the prefix, e.g. {@code ncpus} and {@code mem} of {@code Resource_List}. */
    public Map<String, String> group(final String group) {
        final Map<String, String> members = new LinkedHashMap<>();
        attributes.forEach((attribute, values) -> {
            if (attribute.startsWith(group + ".") && !values.isEmpty()) {
                members.put(attribute.substring(group.length() + 1), values.get(0));
            }
        });
        return members;
    }

    /** Builder of a PbsObject. */
    public static final class Builder {

        private final String name;
        private final Map<String, List<String>> attributes = new LinkedHashMap<>();

        public Builder(final String name) {
            this.name = name;
        }

        public Builder add(final String attribute, final String value) {
            attributes.computeIfAbsent(attribute, a -> new ArrayList<>()).add(value);
            return this;
        }

        public PbsObject build() {
            return new PbsObject(name, attributes);
        }
    }
}
