package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The description in the documentation is the running service's own; {@code -Dmillrace.openapi.write} writes it anew. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class OpenApiIT {

    private static final Path DOCUMENT = Path.of("..", "docs", "openapi.yaml");

    @Test
    void the_document_is_what_the_service_says() throws IOException {
        final String said = ApiClient.withoutToken().get("/q/openapi").response().body();
        if (System.getProperty("millrace.openapi.write") != null) {
            Files.writeString(DOCUMENT, said);
        }
        assertThat(Files.readString(DOCUMENT))
                .as("run this test with -Dmillrace.openapi.write to bring the document up to date")
                .isEqualTo(said);
    }
}
