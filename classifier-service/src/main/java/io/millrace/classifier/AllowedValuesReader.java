package io.millrace.classifier;

import io.millrace.classifier.domain.AllowedValues;
import io.millrace.classifier.domain.Characteristic;
import io.millrace.classifier.domain.Characteristic.Kind;
import io.millrace.classifier.domain.Value;
import io.millrace.sitefiles.Durations;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a class allows for a characteristic: a single value, a list of names, or a range. */
final class AllowedValuesReader {

    private static final Set<String> BOUNDS = Set.of("from", "above", "to", "below");

    private AllowedValuesReader() {}

    /** @param text a string, a list of strings, or a map of bounds to strings */
    static AllowedValues read(final Characteristic characteristic, final Object text) {
        return switch (text) {
            case String single ->
                characteristic.kind() == Kind.NAME
                        ? new AllowedValues.OneOf(Set.of(single))
                        : AllowedValues.Range.exactly(value(characteristic, single));
            case List<?> list -> names(characteristic, list);
            case Map<?, ?> bounds -> range(characteristic, bounds);
            default ->
                throw new IllegalArgumentException(characteristic.label() + ": a value, a list or bounds expected");
        };
    }

    private static AllowedValues names(final Characteristic characteristic, final List<?> list) {
        if (characteristic.kind() != Kind.NAME) {
            throw new IllegalArgumentException(
                    characteristic.label() + " takes a value or a range such as {from: 2, to: 8}, not a list");
        }
        final Set<String> names = new HashSet<>();
        list.forEach(name -> names.add(String.valueOf(name)));
        return new AllowedValues.OneOf(names);
    }

    private static AllowedValues range(final Characteristic characteristic, final Map<?, ?> bounds) {
        if (characteristic.kind() == Kind.NAME) {
            throw new IllegalArgumentException(
                    characteristic.label() + " takes a name or a list of names, not a range");
        }
        bounds.keySet().forEach(key -> {
            if (!BOUNDS.contains(String.valueOf(key))) {
                throw new IllegalArgumentException(
                        characteristic.label() + ": '" + key + "' is not a bound: use from or above, and to or below");
            }
        });
        one(characteristic, bounds, "from", "above");
        one(characteristic, bounds, "to", "below");
        return new AllowedValues.Range(
                bound(characteristic, bounds, "from", "above"),
                bounds.containsKey("from"),
                bound(characteristic, bounds, "to", "below"),
                bounds.containsKey("to"));
    }

    private static void one(
            final Characteristic characteristic, final Map<?, ?> bounds, final String in, final String out) {
        if (bounds.containsKey(in) && bounds.containsKey(out)) {
            throw new IllegalArgumentException(
                    characteristic.label() + ": '" + in + "' and '" + out + "' exclude each other: keep one");
        }
    }

    private static @Nullable Value bound(
            final Characteristic characteristic, final Map<?, ?> bounds, final String in, final String out) {
        final Object text = bounds.containsKey(in) ? bounds.get(in) : bounds.get(out);
        return text == null ? null : value(characteristic, String.valueOf(text));
    }

    private static Value value(final Characteristic characteristic, final String text) {
        return switch (characteristic.kind()) {
            case COUNT -> new Value.Count(count(characteristic, text));
            case DURATION -> new Value.Length(duration(characteristic, text));
            case NAME -> new Value.Name(text);
        };
    }

    private static long count(final Characteristic characteristic, final String text) {
        try {
            final long count = Long.parseLong(text);
            if (count >= 0) {
                return count;
            }
        } catch (final NumberFormatException e) {
            throw notA(characteristic, text, "a whole number from 0", e);
        }
        throw notA(characteristic, text, "a whole number from 0", null);
    }

    private static Duration duration(final Characteristic characteristic, final String text) {
        try {
            return Durations.parse(text);
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException(characteristic.label() + ": " + e.getMessage(), e);
        }
    }

    private static IllegalArgumentException notA(
            final Characteristic characteristic,
            final String text,
            final String what,
            final @Nullable Exception cause) {
        return new IllegalArgumentException(characteristic.label() + ": '" + text + "' is not " + what, cause);
    }
}
