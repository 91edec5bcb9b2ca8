package io.millrace.quota.files;

import io.millrace.model.UserName;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.files.libconfig.LibConfig;
import io.millrace.quota.files.libconfig.SyntaxError;
import io.millrace.quota.files.libconfig.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code limits = { default = …; users = …; groups = …; };} of the Lomonosov extension of Slurm, in processor-hours.
 */
public final class LimitsFile {

    private static final double LARGEST_H = 1e12;

    private LimitsFile() {}

    /**
     * @param members the groups of each user
     * @throws IllegalArgumentException if the file cannot be read or has an error; names line and column
     */
    public static ProcessorHourLimits read(final Path path, final GroupMemberships members) {
        try {
            return read(Files.readString(path), file -> Files.readString(path.resolveSibling(file)), members);
        } catch (final SyntaxError e) {
            throw new IllegalArgumentException("limits file " + path + ", " + e.getMessage(), e);
        } catch (final IOException e) {
            throw new IllegalArgumentException("limits file " + path + " cannot be read: " + e, e);
        }
    }

    static ProcessorHourLimits read(
            final String text, final LibConfig.Includes includes, final GroupMemberships members) {
        final Value.Group file = LibConfig.read(text, includes);
        onlyKnown(file, "limits");
        final Value.Group limits = group(file.settings().get("limits"), "limits", file.at());
        onlyKnown(limits, "default", "users", "groups");
        return new ProcessorHourLimits(
                byDefault(limits),
                named(limits, "users", "user", UserName::of),
                named(limits, "groups", "group", g -> g),
                members);
    }

    private static Optional<Long> byDefault(final Value.Group limits) {
        final List<Value> entries = entries(limits, "default");
        if (entries.size() > 1) {
            throw new SyntaxError(entries.get(1).at(), "duplicate default limit: remove one of them");
        }
        return entries.stream().findFirst().map(entry -> {
            final Value.Group group = group(entry, "default", entry.at());
            onlyKnown(group, "limit");
            return limit(group);
        });
    }

    private static <K> Map<K, Long> named(
            final Value.Group limits, final String section, final String key, final Function<String, K> reader) {
        final Map<K, Long> named = new HashMap<>();
        for (final Value entry : entries(limits, section)) {
            final Value.Group group = group(entry, section, entry.at());
            onlyKnown(group, key, "limit");
            if (!(group.settings().get(key) instanceof Value.Text name)) {
                throw new SyntaxError(entry.at(), "expected " + key + " = \"name\"");
            }
            final K holder;
            try {
                holder = reader.apply(name.text());
            } catch (final IllegalArgumentException e) {
                throw new SyntaxError(name.at(), String.valueOf(e.getMessage()));
            }
            if (named.put(holder, limit(group)) != null) {
                throw new SyntaxError(
                        name.at(), "duplicate limit for " + key + " '" + name.text() + "': remove one of them");
            }
        }
        return named;
    }

    private static List<Value> entries(final Value.Group limits, final String section) {
        final Value value = limits.settings().get(section);
        if (value == null) {
            return List.of();
        }
        if (value instanceof Value.Items items) {
            return items.values();
        }
        throw new SyntaxError(value.at(), "'" + section + "' is " + value.kind() + ", expected ( { … }, … )");
    }

    private static Value.Group group(final @Nullable Value value, final String what, final Value.Position near) {
        if (value instanceof Value.Group group) {
            return group;
        }
        throw new SyntaxError(
                value == null ? near : value.at(),
                value == null
                        ? "expected '" + what + " = { … };'"
                        : "'" + what + "' holds " + value.kind() + ", expected { … }");
    }

    private static long limit(final Value.Group group) {
        final Value value = group.settings().get("limit");
        if (!(value instanceof Value.Number hours)) {
            throw new SyntaxError(value == null ? group.at() : value.at(), "expected limit = processor-hours");
        }
        if (!(hours.number() >= 0 && hours.number() <= LARGEST_H)) {
            throw new SyntaxError(
                    hours.at(), "limit " + hours.number() + " is out of range: use 0 to 10^12 processor-hours");
        }
        return Math.round(hours.number() * 3600);
    }

    private static void onlyKnown(final Value.Group group, final String... known) {
        group.settings().forEach((name, value) -> {
            if (!List.of(known).contains(name)) {
                throw new SyntaxError(
                        value.at(), "'" + name + "' is not a known setting; expected " + String.join(", ", known));
            }
        });
    }
}
