package io.millrace.submit.handlers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.submit.domain.handler.HandlerEvent;
import java.util.Iterator;

/** CloudEvents' JSON format, and what of an event leaves the house. */
public final class EventEnvelope {

    /** Media type of a structured event. */
    static final String MEDIA_TYPE = "application/cloudevents+json; charset=UTF-8";

    /** With it an agent acts for a job's owner. */
    private static final String CREDENTIAL = "signature";

    private static final ObjectMapper JSON = new ObjectMapper();

    private EventEnvelope() {}

    /** Attributes and data as one JSON document. */
    static String structured(final HandlerEvent letter) {
        final ObjectNode envelope = JSON.createObjectNode();
        letter.attributes().forEach(envelope::put);
        envelope.put("datacontenttype", "application/json");
        envelope.set("data", read(letter.data()));
        return envelope.toString();
    }

    /**
     * An event's JSON without the signatures of submissions: whoever takes events needs none.
     *
     * @throws IllegalArgumentException if it is no JSON
     */
    public static String withoutCredentials(final String json) {
        if (!json.contains(CREDENTIAL)) {
            return json;
        }
        final JsonNode event = read(json);
        strip(event);
        return event.toString();
    }

    private static void strip(final JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(CREDENTIAL);
        }
        for (final Iterator<JsonNode> parts = node.elements(); parts.hasNext(); ) {
            strip(parts.next());
        }
    }

    private static JsonNode read(final String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("an event's data is no JSON: " + e.getOriginalMessage(), e);
        }
    }
}
