package io.millrace.classifier.file;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.classifier.domain.model.Stage;
import io.millrace.classifier.domain.plan.Classification;
import io.millrace.classifier.domain.plan.ClosestMiss;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/** Writes classifications, each a line of JSON: {@code {"id":"1","classes":["small"],"values":{…},"closest":null}}. */
public final class ResultLines implements AutoCloseable {

    private final Writer out;
    private final JsonGenerator json;

    public ResultLines(final Writer out) throws IOException {
        this.out = out;
        json = new JsonMapper().createGenerator(out).setRootValueSeparator(null);
    }

    public void write(final String id, final Classification found) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", id);
        json.writeArrayFieldStart("classes");
        for (final String name : found.classes()) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeObjectFieldStart("values");
        for (final Map.Entry<Stage, Map<String, Double>> stage : found.values().entrySet()) {
            json.writeObjectFieldStart(stage.getKey().label());
            for (final Map.Entry<String, Double> value : stage.getValue().entrySet()) {
                json.writeNumberField(value.getKey(), value.getValue());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeFieldName("closest");
        if (found.closest().isPresent()) {
            write(found.closest().get());
        } else {
            json.writeNull();
        }
        json.writeEndObject();
        json.writeRaw('\n');
    }

    private void write(final ClosestMiss miss) throws IOException {
        json.writeStartObject();
        json.writeStringField("class", miss.jobClass());
        json.writeArrayFieldStart("failed");
        for (final ClosestMiss.Failure failure : miss.failures()) {
            json.writeStartObject();
            json.writeStringField("characteristic", failure.characteristic());
            json.writeFieldName("given");
            if (failure.given() == null) {
                json.writeNull();
            } else {
                json.writeTree(DomainJson.write(failure.given()));
            }
            json.writeFieldName("allowed");
            json.writeTree(DomainJson.write(failure.allowed()));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    @Override
    public void close() throws IOException {
        json.close();
        out.close();
    }
}
