package io.millrace.submit.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jsr310.ser.InstantSerializer;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Writes times in answers as ISO 8601 with milliseconds, also whole seconds, so that they have one length and sort as text. */
@Singleton
class Milliseconds implements ObjectMapperCustomizer {

    private static final DateTimeFormatter FORMAT =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    /** After the module that has a format of its own. */
    @Override
    public int priority() {
        return MINIMUM_PRIORITY;
    }

    @Override
    public void customize(final ObjectMapper mapper) {
        mapper.registerModule(new SimpleModule().addSerializer(Instant.class, new Formatted()));
    }

    private static final class Formatted extends InstantSerializer {

        private static final long serialVersionUID = 1L;

        Formatted() {
            super(InstantSerializer.INSTANCE, false, FORMAT);
        }
    }
}
