package io.millrace.sitefiles;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Collects the errors of a file, so that all of them are reported at once: a part with an error is left out, and the others are read. */
public final class EntryErrors {

    /** All errors of a file. */
    static final class FoundException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        private final transient List<InvalidEntryException> found;

        private FoundException(final List<InvalidEntryException> found) {
            super(found.size() + " errors");
            this.found = List.copyOf(found);
        }

        List<InvalidEntryException> found() {
            return found;
        }
    }

    private final List<InvalidEntryException> found = new ArrayList<>();

    EntryErrors(final List<InvalidEntryException> before) {
        found.addAll(before);
    }

    /**
     * Computes a value from an entry.
     *
     * @param path keys and indexes from the root of the file down to the entry
     * @return empty if the value is rejected
     */
    public <T> Optional<T> entry(final Supplier<T> value, final String... path) {
        try {
            return Optional.of(YamlFile.entry(value, path));
        } catch (final InvalidEntryException e) {
            found.add(e);
            return Optional.empty();
        }
    }

    /**
     * Reads a record from a part of the file. Components with an error are not set.
     *
     * @param path keys and indexes from the root of the file down to the part
     */
    public <T> T bind(final JsonNode part, final Class<T> type, final String... path) {
        JsonNode left = part.isNull() || part.isMissingNode() ? JsonNodeFactory.instance.objectNode() : part;
        while (true) {
            try {
                return YamlFile.bind(left, type);
            } catch (final JsonMappingException e) {
                final List<String> below = YamlFile.path(e);
                found.add(YamlFile.invalidEntry(
                        e, Stream.concat(Stream.of(path), below.stream()).toList()));
                left = left instanceof ObjectNode section && !below.isEmpty()
                        ? section.deepCopy().without(below.getFirst())
                        : JsonNodeFactory.instance.objectNode();
            } catch (final JsonProcessingException e) {
                throw new IllegalArgumentException(e.getOriginalMessage(), e);
            }
        }
    }

    /** Whether anything was rejected so far. */
    public int count() {
        return found.size();
    }

    /** @throws IllegalArgumentException if anything was rejected */
    public void check() {
        if (!found.isEmpty()) {
            throw new FoundException(found);
        }
    }
}
