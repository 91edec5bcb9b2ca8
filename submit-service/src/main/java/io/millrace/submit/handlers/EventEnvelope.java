package io.millrace.submit.handlers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.submit.domain.handler.HandlerEvent;
import java.util.Iterator;

/** The JSON format of CloudEvents; removes credentials from events that leave Millrace. */
public final class EventEnvelope {

    /** Media type of a structured event. */
    static final String MEDIA_TYPE = "application/cloudevents+json; charset=UTF-8";

    /** The signature of a submission, which authorizes an agent to act for the job's owner. */
    private static final String CREDENTIAL = "signature";

    private static final ObjectMapper JSON = new ObjectMapper();

    private EventEnvelope() {}

    /** Attributes and data as one JSON document. */
    static String structured(final HandlerEvent event) {
        final ObjectNode envelope = JSON.createObjectNode();
        event.attributes().forEach(envelope::put);
        envelope.put("datacontenttype", "application/json");
        envelope.set("data", read(event.data()));
        return envelope.toString();
    }

    /**
     * An event's JSON without the signatures of submissions, which handlers do not need.
     *
     * @throws IllegalArgumentException if the text is not JSON
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
            throw new IllegalArgumentException("the data of an event is not valid JSON: " + e.getOriginalMessage(), e);
        }
    }
}
