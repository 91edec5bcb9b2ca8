package io.millrace.cli.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Reads and writes JSON as trees. Binding to classes would slow down the start. */
public final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper(new JsonFactory());

    private Json() {}

    public static JsonNode read(final String text) throws IOException {
        return MAPPER.readTree(text);
    }

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** The fields of an object as texts, sorted by name. */
    public static Map<String, String> texts(final JsonNode object) {
        final Map<String, String> texts = new TreeMap<>();
        object.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    public static String pretty(final JsonNode node) {
        return node.toPrettyString();
    }
}
