package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The OpenAPI document is complete, and its examples match its schemas. The examples are in {@code META-INF/openapi.yaml}. */
class OpenApiTest {

    private final JsonNode document = document();

    private static JsonNode document() {
        try {
            return new YAMLMapper()
                    .readTree(Path.of("..", "docs", "openapi.yaml").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Operation(String name, JsonNode definition) {

        /** Request and response bodies, except problems, by description. */
        Stream<Map.Entry<String, JsonNode>> bodies() {
            return Stream.concat(
                            Stream.of(Map.entry(name + " request", definition.path("requestBody"))),
                            definition
                                    .path("responses")
                                    .propertyStream()
                                    .filter(response -> response.getKey().startsWith("2"))
                                    .map(response -> Map.entry(name + " " + response.getKey(), response.getValue())))
                    .flatMap(body -> body.getValue()
                            .path("content")
                            .valueStream()
                            .map(content -> Map.entry(body.getKey(), content)));
        }
    }

    private Stream<Operation> operations() {
        return document.path("paths")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .filter(operation -> operation.has("operationId"))
                .map(operation -> new Operation(operation.path("operationId").asText(), operation));
    }

    @Test
    void every_operation_has_a_success_response_and_problem_responses() {
        assertThat(operations())
                .isNotEmpty()
                .allSatisfy(operation -> assertThat(operation
                                .definition()
                                .path("responses")
                                .propertyStream()
                                .map(Map.Entry::getKey))
                        .as(operation.name())
                        .anyMatch(code -> code.startsWith("2"))
                        .contains("401", "default"));
    }

    @TestFactory
    Stream<DynamicTest> every_body_has_a_schema_and_examples_that_match_it() {
        return operations()
                .flatMap(Operation::bodies)
                .map(body -> DynamicTest.dynamicTest(body.getKey(), () -> {
                    final JsonNode content = body.getValue();
                    assertThat(content.path("schema").isObject()).as("schema").isTrue();
                    assertThat(content.path("examples").isEmpty())
                            .as("examples; add one to META-INF/openapi.yaml")
                            .isFalse();
                    content.path("examples")
                            .properties()
                            .forEach(
                                    example -> assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                                                    .getSchema(strict(content.get("schema")))
                                                    .validate(example.getValue().get("value")))
                                            .as(example.getKey())
                                            .isEmpty());
                }));
    }

    /** The schema, with fields that it does not name as errors. */
    private JsonNode strict(final JsonNode schema) {
        final ObjectNode strict = schema.deepCopy();
        final JsonNode components = document.get("components").deepCopy();
        components.get("schemas").forEach(component -> {
            if (component.has("properties")) {
                ((ObjectNode) component).put("additionalProperties", false);
            }
        });
        return strict.set("components", components);
    }
}
