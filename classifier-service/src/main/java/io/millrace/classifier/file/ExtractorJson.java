package io.millrace.classifier.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.classifier.domain.extraction.JobFacts;
import io.millrace.classifier.domain.model.Extractor;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;

/** Extractors as they are written in a model: {@code {field: script, pattern: 'srun (\S+)'}}, or a list of them. */
final class ExtractorJson {

    private static final List<String> KEYS = List.of("field", "pattern", "value");
    private static final String ENVIRONMENT = "environment.";

    private ExtractorJson() {}

    /** @throws IllegalArgumentException if one of them is wrong */
    static List<Extractor> readAll(final JsonNode node) {
        final List<Extractor> extractors = new ArrayList<>();
        if (node.isArray()) {
            node.forEach(item -> extractors.add(read(item)));
        } else {
            extractors.add(read(node));
        }
        return extractors;
    }

    private static Extractor read(final JsonNode node) {
        KnownKeys.check(node, KEYS);
        final String field = text(node, "field");
        if (!JobFacts.FIELDS.contains(field) && !field.startsWith(ENVIRONMENT)) {
            throw new IllegalArgumentException("field '" + field + "' is not known: use environment.NAME, "
                    + String.join(", ", new TreeSet<>(JobFacts.FIELDS)));
        }
        try {
            return Extractor.of(field, text(node, "pattern"), node.has("value") ? text(node, "value") : null);
        } catch (final PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "'" + e.getPattern() + "' is not a regular expression: " + e.getDescription(), e);
        }
    }

    private static String text(final JsonNode node, final String key) {
        final JsonNode value = node.get(key);
        if (value == null || !value.isValueNode() || value.isNull()) {
            throw new IllegalArgumentException("'" + key + "' is missing: an extractor is {field: …, pattern: …}");
        }
        return value.asText();
    }
}
