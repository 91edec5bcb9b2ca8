package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.millrace.model.protocol.EventType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** {@code deploy/interfaces/check} also validates the page with the official parser. */
class AsyncApiTest {

    private static final Path PAGE = Path.of("../../docs/asyncapi.yaml");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** With {@code -Dmillrace.write-asyncapi} the page is written instead. */
    @Test
    void the_page_equals_the_tables() throws IOException {
        if (System.getProperty("millrace.write-asyncapi") != null) {
            Files.writeString(PAGE, AsyncApiPage.text());
        }
        assertThat(Files.readString(PAGE))
                .as("write the page with: ./mvnw -pl contracts/log test -Dtest=AsyncApiTest -Dmillrace.write-asyncapi")
                .isEqualTo(AsyncApiPage.text());
    }

    @Test
    void every_reference_has_a_target() throws IOException {
        final JsonNode page = page();
        assertThat(page.findValuesAsText("$ref"))
                .isNotEmpty()
                .allSatisfy(
                        reference -> assertThat(page.at(reference.substring(1)).isObject())
                                .as(reference)
                                .isTrue());
    }

    /** Fields that the schema does not name are errors here, although readers ignore them. */
    @TestFactory
    Stream<DynamicTest> every_sample_matches_the_schema_of_its_type() throws IOException {
        final JsonNode page = page();
        page.at("/components/schemas").forEach(schema -> {
            if (schema.has("properties")) {
                ((ObjectNode) schema).put("additionalProperties", false);
            }
        });
        return GoldenSamples.files().stream()
                .map(file -> DynamicTest.dynamicTest(
                        file.getFileName().toString(),
                        () -> assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
                                        .getSchema(payload(page, GoldenSamples.type(file)))
                                        .validate(JSON.readTree(file.toFile())))
                                .isEmpty()));
    }

    private static JsonNode page() throws IOException {
        return new YAMLMapper().readTree(PAGE.toFile());
    }

    private static JsonNode payload(final JsonNode page, final EventType type) {
        final ObjectNode schema = JSON.createObjectNode();
        schema.set("components", page.get("components"));
        schema.set("$ref", page.at("/components/messages/" + type.record().getSimpleName() + "/payload/$ref"));
        return schema;
    }
}
