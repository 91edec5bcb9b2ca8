package io.millrace.cli.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON as trees, without an {@code ObjectMapper}, whose 450 classes every command would load, even from a cache. */
public final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    /** The tree; a missing node if the text is empty. */
    public static JsonNode read(final String text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            final JsonToken first = parser.nextToken();
            return first == null ? MissingNode.getInstance() : tree(parser, first);
        }
    }

    /** The parser limits the depth. A {@code case null} would make this a pattern switch, which the JVM links again at every start. */
    private static JsonNode tree(final JsonParser parser, final @Nullable JsonToken token) throws IOException {
        if (token == null) {
            throw new JsonParseException(parser, "the text ends early");
        }
        return switch (token) {
            case START_OBJECT -> {
                final ObjectNode object = NODES.objectNode();
                for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                    object.set(name, tree(parser, parser.nextToken()));
                }
                yield object;
            }
            case START_ARRAY -> {
                final ArrayNode array = NODES.arrayNode();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    array.add(tree(parser, next));
                }
                yield array;
            }
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.INT
                        ? NODES.numberNode(parser.getIntValue())
                        : parser.getNumberType() == JsonParser.NumberType.LONG
                                ? NODES.numberNode(parser.getLongValue())
                                : NODES.numberNode(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            default -> throw new JsonParseException(parser, "the text ends early");
        };
    }

    public static ArrayNode array(final Iterable<JsonNode> elements) {
        final ArrayNode array = NODES.arrayNode();
        elements.forEach(array::add);
        return array;
    }

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    /** The fields of an object as texts, sorted by name. */
    public static Map<String, String> texts(final JsonNode object) {
        final Map<String, String> texts = new TreeMap<>();
        object.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    /** On several lines, for people. */
    public static String pretty(final JsonNode node) {
        return written(node, new DefaultPrettyPrinter());
    }

    /** On one line. The trees' own {@code toString} loads an {@code ObjectMapper}. */
    public static String compact(final JsonNode node) {
        return written(node, null);
    }

    private static String written(final JsonNode node, final @Nullable PrettyPrinter printer) {
        final StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.setPrettyPrinter(printer);
            write(node, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not from a StringWriter
        }
        return text.toString();
    }

    private static void write(final JsonNode node, final JsonGenerator json) throws IOException {
        switch (node.getNodeType()) {
            case OBJECT -> {
                json.writeStartObject();
                for (final Map.Entry<String, JsonNode> field : node.properties()) {
                    json.writeFieldName(field.getKey());
                    write(field.getValue(), json);
                }
                json.writeEndObject();
            }
            case ARRAY -> {
                json.writeStartArray();
                for (final JsonNode element : node) {
                    write(element, json);
                }
                json.writeEndArray();
            }
            case STRING -> json.writeString(node.textValue());
            case NUMBER -> json.writeNumber(node.asText());
            case BOOLEAN -> json.writeBoolean(node.booleanValue());
            case NULL, MISSING -> json.writeNull();
            case BINARY, POJO -> throw new IllegalArgumentException("a tree of the API contains " + node.getNodeType());
        }
    }
}
