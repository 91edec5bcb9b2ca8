package io.millrace.classifier.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.classifier.domain.extraction.GivenCharacteristics;
import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.plan.Classifier;
import io.millrace.classifier.domain.plan.GivenDomains;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads jobs and executed jobs, each a line of JSON: {@code {"id":"1","given":{"cores":4}}}. */
public final class JobLines {

    private static final ObjectReader READER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    private final Classifier classifier;
    private final Map<String, Characteristic> characteristics;

    /** A job of a file. */
    public record Job(String id, GivenDomains given) {}

    /**
     * An executed job.
     *
     * @param classes the classes that it had; null if the line does not name them
     */
    public record ExecutedJob(Job job, @Nullable List<String> classes) {}

    public JobLines(final Classifier classifier) {
        this.classifier = classifier;
        characteristics = classifier.model().characteristics().stream()
                .collect(Collectors.toMap(Characteristic::name, one -> one));
    }

    /** @throws IllegalArgumentException if the line is not a job that the model can classify */
    public Job job(final String line) {
        return job(parse(line));
    }

    /**
     * An executed job, or an ended run of an imported history.
     *
     * @return empty: a run that never started, or did not end its job
     * @throws IllegalArgumentException if the line is neither, or the model cannot classify it
     */
    public Optional<ExecutedJob> executed(final String line) {
        final JsonNode node = parse(line);
        if (!EndedRunJson.isRun(node)) {
            return Optional.of(new ExecutedJob(job(node), classes(node.get("classes"))));
        }
        if (!EndedRunJson.isExecuted(node)) {
            return Optional.empty();
        }
        final Map<String, Domain> given = GivenCharacteristics.of(classifier.model(), EndedRunJson.facts(node))
                .given();
        return Optional.of(new ExecutedJob(new Job(node.get("job").asText(), classifier.given(given)), null));
    }

    private static JsonNode parse(final String line) {
        try {
            final JsonNode node = READER.readTree(line);
            if (!node.isObject()) {
                throw new IllegalArgumentException(
                        "expected a JSON object such as {\"id\":\"1\",\"given\":{\"cores\":4}}");
            }
            return node;
        } catch (final JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "not valid JSON, column " + e.getLocation().getColumnNr() + ": " + e.getOriginalMessage(), e);
        }
    }

    private Job job(final JsonNode node) {
        final JsonNode id = node.get("id");
        if (id == null || !id.isTextual() && !id.isNumber()) {
            throw new IllegalArgumentException("'id' must be a text or a number, got " + id);
        }
        final JsonNode given = node.get("given");
        if (given == null || !given.isObject()) {
            throw new IllegalArgumentException("'given' must be an object of characteristics, got " + given);
        }
        final Map<String, Domain> domains = new HashMap<>();
        given.properties().forEach(entry -> {
            if (!entry.getValue().isNull()) {
                domains.put(entry.getKey(), domain(entry.getKey(), entry.getValue()));
            }
        });
        return new Job(id.asText(), classifier.given(domains));
    }

    private Domain domain(final String name, final JsonNode node) {
        final Characteristic used = characteristics.get(name);
        if (used == null) {
            throw new IllegalArgumentException("'" + name + "' is not a characteristic of the model");
        }
        try {
            return DomainJson.read(used.kind(), node);
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable List<String> classes(final @Nullable JsonNode node) {
        if (node == null || node.isNull()) {
            return null;
        }
        if (!node.isArray()) {
            throw new IllegalArgumentException("'classes' must be a list of class names, got " + node);
        }
        final List<String> names = new ArrayList<>();
        node.forEach(name -> names.add(name.asText()));
        return names;
    }
}
