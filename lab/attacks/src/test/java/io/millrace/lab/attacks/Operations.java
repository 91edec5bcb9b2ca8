package io.millrace.lab.attacks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** All operations of {@code docs/openapi.yaml}, so that a new route is attacked without a change of the tests. */
final class Operations {

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    private Operations() {}

    /**
     * @param body the first example of a request body; empty if it has none
     * @param parameters names of its query parameters
     */
    record Operation(String method, String template, String body, List<String> parameters) {

        boolean hasBody() {
            return !body.isEmpty();
        }

        /** The path with the identifiers of a job, a batch, and the user and local job that they belong to. */
        String path(final Target target) {
            return template.replace("{id}", template.contains("/batches/") ? target.batch() : target.job())
                    .replace("{cluster}", "alpha")
                    .replace("{user}", target.user())
                    .replace("{handler}", "pager")
                    .replace("{holder}", target.user())
                    .replace("{period}", "2026-03")
                    .concat(template.endsWith("/local-jobs/why") ? "?job=" + target.localJob() : "");
        }

        @Override
        public String toString() {
            return method + " " + template;
        }
    }

    record Target(String user, String job, String batch, String localJob) {}

    static List<Operation> all() {
        final List<Operation> operations = new ArrayList<>();
        document()
                .path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    if (METHODS.contains(operation.getKey())) {
                        operations.add(new Operation(
                                operation.getKey().toUpperCase(Locale.ROOT),
                                path.getKey(),
                                example(operation.getValue()),
                                queryParameters(operation.getValue())));
                    }
                }));
        return operations;
    }

    private static JsonNode document() {
        try {
            return new YAMLMapper()
                    .readTree(Path.of("..", "..", "docs", "openapi.yaml").toFile());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> queryParameters(final JsonNode operation) {
        return operation
                .path("parameters")
                .valueStream()
                .filter(parameter -> parameter.path("in").asText().equals("query"))
                .map(parameter -> parameter.path("name").asText())
                .toList();
    }

    private static String example(final JsonNode operation) {
        return operation
                .path("requestBody")
                .path("content")
                .path("application/json")
                .path("examples")
                .valueStream()
                .findFirst()
                .map(example -> example.path("value").toString())
                .orElse("");
    }
}
