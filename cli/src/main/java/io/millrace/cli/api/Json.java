package io.millrace.cli.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON as trees, without an {@code ObjectMapper}, whose 450 classes every command would load, even from a cache. */
public final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();
    /** Any number of so many characters is a {@code long}. */
    private static final int LONGEST_LONG = 18;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    /**
     * The tree; a missing node if the text is empty. Jackson's parsers compute a table of large powers before the first byte (in
     * {@code BigDecimal}), which costs a quarter of the processor time of a command.
     */
    public static JsonNode read(final String text) throws IOException {
        if (text.isBlank()) {
            return MissingNode.getInstance();
        }
        try (JsonReader reader = new JsonReader(new StringReader(text))) {
            reader.setStrictness(Strictness.STRICT);
            return tree(reader);
        } catch (final IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The parser limits the depth. */
    private static JsonNode tree(final JsonReader reader) throws IOException {
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> {
                final ObjectNode object = NODES.objectNode();
                reader.beginObject();
                while (reader.hasNext()) {
                    object.set(reader.nextName(), tree(reader));
                }
                reader.endObject();
                yield object;
            }
            case BEGIN_ARRAY -> {
                final ArrayNode array = NODES.arrayNode();
                reader.beginArray();
                while (reader.hasNext()) {
                    array.add(tree(reader));
                }
                reader.endArray();
                yield array;
            }
            case STRING -> NODES.textNode(reader.nextString());
            case NUMBER -> number(reader.nextString());
            case BOOLEAN -> NODES.booleanNode(reader.nextBoolean());
            case NULL -> {
                reader.nextNull();
                yield NODES.nullNode();
            }
            case NAME, END_OBJECT, END_ARRAY, END_DOCUMENT -> throw new IOException("the text ends early");
        };
    }

    private static JsonNode number(final String text) {
        final boolean isWhole = text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0;
        if (!isWhole) {
            return NODES.numberNode(Double.parseDouble(text));
        }
        if (text.length() > LONGEST_LONG) {
            return NODES.numberNode(new BigInteger(text));
        }
        final long number = Long.parseLong(text);
        return number == (int) number ? NODES.numberNode((int) number) : NODES.numberNode(number);
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
