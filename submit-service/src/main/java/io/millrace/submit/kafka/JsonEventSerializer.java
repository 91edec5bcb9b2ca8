package io.millrace.submit.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.log.EventCodec;
import io.millrace.log.ModelJson;
import io.millrace.model.Event;
import io.millrace.submit.domain.log.EventSerializer;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;

/** Serializes events with the codec of the log. */
@ApplicationScoped
class JsonEventSerializer implements EventSerializer {

    private final ObjectMapper mapper = ModelJson.lenient();

    @Override
    public String write(final Event event) {
        return new String(EventCodec.json(event), StandardCharsets.UTF_8);
    }

    @Override
    public <E extends Event> E read(final String text, final Class<E> type) {
        try {
            return mapper.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "a stored " + type.getSimpleName() + " cannot be read: " + e.getMessage(), e);
        }
    }
}
