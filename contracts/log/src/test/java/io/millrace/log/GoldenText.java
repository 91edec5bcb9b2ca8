package io.millrace.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.model.Event;

/** An event as its golden sample shows it: the JSON of the log, indented so that a diff can be read. */
final class GoldenText {

    private static final ObjectMapper MODEL = ModelJson.lenient();
    private static final DefaultPrettyPrinter INDENTED = new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));

    private GoldenText() {}

    static String of(final Event event) {
        try {
            return MODEL.writer(INDENTED).writeValueAsString(event) + "\n";
        } catch (final JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
