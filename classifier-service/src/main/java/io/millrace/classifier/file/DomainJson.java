package io.millrace.classifier.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.classifier.domain.model.Characteristic.Kind;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.SetDomain;
import io.millrace.classifier.domain.model.TextPattern;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Domains as they are written in models and jobs: a value, a list, or a mapping such as {@code {min: 2, max: 8}}. */
final class DomainJson {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String UNLIMITED = "unlimited";

    private DomainJson() {}

    /** @throws IllegalArgumentException if it is not a domain of this kind */
    static Domain read(final Kind kind, final JsonNode node) {
        return switch (kind) {
            case NUMBER -> number(node);
            case ENUM -> new OneOf(names(kind, node, "oneOf"));
            case BOOLEAN -> booleans(new OneOf(names(kind, node, "oneOf")));
            case SET -> sets(node);
            case TEXT -> node.has("pattern") ? pattern(node) : new OneOf(names(kind, node, "oneOf"));
        };
    }

    private static Domain number(final JsonNode node) {
        if (!node.isObject()) {
            return NumberRange.exactly(bound(node));
        }
        keys(node, "min", "minExclusive", "max", "maxExclusive");
        return new NumberRange(
                bound(node, "min", Double.NEGATIVE_INFINITY),
                isExclusive(node, "min"),
                bound(node, "max", Double.POSITIVE_INFINITY),
                isExclusive(node, "max"));
    }

    /** An exclusive bound is {@code minExclusive: 60}, or {@code min: 60, minExclusive: true}. */
    private static double bound(final JsonNode node, final String side, final double open) {
        final JsonNode bound = node.get(side);
        final JsonNode exclusive = node.get(side + "Exclusive");
        if (exclusive == null || exclusive.isBoolean()) {
            if (bound == null && exclusive != null) {
                throw new IllegalArgumentException(
                        "'" + side + "Exclusive' needs '" + side + "', or the bound itself as its value");
            }
            return bound == null ? open : bound(bound);
        }
        if (bound != null) {
            throw new IllegalArgumentException(
                    "'" + side + "' and '" + side + "Exclusive' exclude each other: keep one");
        }
        return bound(exclusive);
    }

    private static boolean isExclusive(final JsonNode node, final String side) {
        final JsonNode exclusive = node.get(side + "Exclusive");
        return exclusive != null && (!exclusive.isBoolean() || exclusive.booleanValue());
    }

    private static double bound(final JsonNode node) {
        if (node.isTextual() && node.textValue().equals(UNLIMITED)) {
            return Double.POSITIVE_INFINITY;
        }
        if (!node.isNumber()) {
            throw new IllegalArgumentException("expected a number, 'unlimited' or {min, max}, got " + node);
        }
        return node.doubleValue();
    }

    private static Set<String> names(final Kind kind, final JsonNode node, final String key) {
        if (!node.isObject()) {
            return texts(node);
        }
        keys(node, kind == Kind.TEXT ? new String[] {key, "pattern"} : new String[] {key});
        if (!node.has(key)) {
            throw new IllegalArgumentException("expected a value, a list or {" + key + ": [ … ]}, got " + node);
        }
        return texts(node.get(key));
    }

    private static OneOf booleans(final OneOf read) {
        if (!OneOf.BOTH.includes(read)) {
            throw new IllegalArgumentException("expected true or false, got " + read);
        }
        return read;
    }

    private static Domain pattern(final JsonNode node) {
        keys(node, "pattern");
        try {
            return TextPattern.of(text(node.get("pattern")));
        } catch (final PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "'" + e.getPattern() + "' is not a regular expression: " + e.getDescription(), e);
        }
    }

    private static Domain sets(final JsonNode node) {
        if (!node.isObject()) {
            return SetDomain.exactly(texts(node));
        }
        keys(node, "oneOf", "within", "allOf", "anyOf");
        if (node.has("oneOf") && node.has("within")) {
            throw new IllegalArgumentException("'oneOf' and 'within' mean the same for a set: keep one");
        }
        final JsonNode within = node.has("oneOf") ? node.get("oneOf") : node.get("within");
        return new SetDomain(
                within == null ? null : texts(within),
                node.has("allOf") ? texts(node.get("allOf")) : Set.of(),
                node.has("anyOf") ? texts(node.get("anyOf")) : Set.of());
    }

    private static Set<String> texts(final JsonNode node) {
        if (!node.isArray()) {
            return Set.of(text(node));
        }
        final Set<String> texts = new HashSet<>();
        node.forEach(item -> texts.add(text(item)));
        return texts;
    }

    private static String text(final JsonNode node) {
        if (!node.isValueNode() || node.isNull()) {
            throw new IllegalArgumentException("expected a single value, got " + node);
        }
        return node.asText();
    }

    private static void keys(final JsonNode node, final String... known) {
        node.fieldNames().forEachRemaining(key -> {
            if (!List.of(known).contains(key)) {
                throw new IllegalArgumentException(
                        "'" + key + "' is not a known key; expected " + String.join(", ", known));
            }
        });
    }

    /** The domain in the form that {@link #read} takes. */
    static JsonNode write(final Domain domain) {
        return switch (domain) {
            case NumberRange range -> range.low() == range.high() ? bound(range.low()) : range(range);
            case OneOf some ->
                some.values().size() == 1
                        ? NODES.textNode(some.values().iterator().next())
                        : oneOf(some.values());
            case TextPattern text ->
                NODES.objectNode().put("pattern", text.pattern().pattern());
            case SetDomain sets -> sets.allOf().equals(sets.within()) ? list(sets.allOf()) : sets(sets);
        };
    }

    private static JsonNode bound(final double number) {
        if (Double.isInfinite(number)) {
            return NODES.textNode(UNLIMITED);
        }
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? NODES.numberNode((long) number)
                : NODES.numberNode(number);
    }

    private static JsonNode range(final NumberRange range) {
        final ObjectNode node = NODES.objectNode();
        if (range.min() != Double.NEGATIVE_INFINITY) {
            node.set(range.minExclusive() ? "minExclusive" : "min", bound(range.min()));
        }
        if (range.max() != Double.POSITIVE_INFINITY) {
            node.set(range.maxExclusive() ? "maxExclusive" : "max", bound(range.max()));
        }
        return node;
    }

    private static JsonNode oneOf(final Set<String> values) {
        return NODES.objectNode().set("oneOf", list(values));
    }

    private static JsonNode sets(final SetDomain sets) {
        final ObjectNode node = NODES.objectNode();
        put(node, "within", sets.within());
        put(node, "allOf", sets.allOf().isEmpty() ? null : sets.allOf());
        put(node, "anyOf", sets.anyOf().isEmpty() ? null : sets.anyOf());
        return node;
    }

    private static void put(final ObjectNode node, final String key, final @Nullable Set<String> texts) {
        if (texts != null) {
            node.set(key, list(texts));
        }
    }

    private static ArrayNode list(final Collection<String> texts) {
        final ArrayNode list = NODES.arrayNode();
        new TreeSet<>(texts).forEach(list::add);
        return list;
    }
}
