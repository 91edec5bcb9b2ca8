package io.millrace.classifier.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.NearestName;
import java.util.List;

/** Refuses unknown keys. */
final class KnownKeys {

    private KnownKeys() {}

    /** @throws IllegalArgumentException naming the known keys, and the one that was most likely meant */
    static void check(final JsonNode node, final List<String> known) {
        node.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                throw new IllegalArgumentException("'" + key + "' is not a known key; expected "
                        + String.join(", ", known)
                        + NearestName.of(key, known)
                                .map(meant -> "; did you mean '" + meant + "'?")
                                .orElse(""));
            }
        });
    }
}
