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
    private static final String ONE_OF = "oneOf";

    private DomainJson() {}

    /** The keys of a domain that is a mapping. */
    static List<String> keys(final Kind kind) {
        return switch (kind) {
            case NUMBER -> List.of("min", "minExclusive", "max", "maxExclusive");
            case ENUM, BOOLEAN -> List.of(ONE_OF);
            case TEXT -> List.of(ONE_OF, "pattern");
            case SET -> List.of(ONE_OF, "within", "allOf", "anyOf");
        };
    }

    /** @throws IllegalArgumentException if it is not a domain of this kind */
    static Domain read(final Kind kind, final JsonNode node) {
        return switch (kind) {
            case NUMBER -> number(node);
            case ENUM -> new OneOf(names(kind, node));
            case BOOLEAN -> booleans(new OneOf(names(kind, node)));
            case SET -> sets(node);
            case TEXT -> node.has("pattern") ? pattern(node) : new OneOf(names(kind, node));
        };
    }

    private static Domain number(final JsonNode node) {
        if (!node.isObject()) {
            return NumberRange.exactly(bound(node));
        }
        KnownKeys.check(node, keys(Kind.NUMBER));
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

    private static Set<String> names(final Kind kind, final JsonNode node) {
        if (!node.isObject()) {
            return texts(node);
        }
        KnownKeys.check(node, keys(kind));
        if (!node.has(ONE_OF)) {
            throw new IllegalArgumentException("expected a value, a list or {oneOf: [ … ]}, got " + node);
        }
        return texts(node.get(ONE_OF));
    }

    private static OneOf booleans(final OneOf read) {
        if (!OneOf.BOTH.includes(read)) {
            throw new IllegalArgumentException("expected true or false, got " + read);
        }
        return read;
    }

    private static Domain pattern(final JsonNode node) {
        KnownKeys.check(node, List.of("pattern"));
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
        KnownKeys.check(node, keys(Kind.SET));
        if (node.has(ONE_OF) && node.has("within")) {
            throw new IllegalArgumentException("'oneOf' and 'within' mean the same for a set: keep one");
        }
        final JsonNode within = node.has(ONE_OF) ? node.get(ONE_OF) : node.get("within");
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
        return NODES.objectNode().set(ONE_OF, list(values));
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
