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

/** The OpenAPI document in docs equals that of the running service; {@code -Dmillrace.openapi.write} updates it. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class OpenApiIT {

    private static final Path DOCUMENT = Path.of("..", "docs", "openapi.yaml");

    @Test
    void the_document_is_up_to_date() throws IOException {
        final String served =
                ApiClient.withoutToken().get("/q/openapi").response().body();
        if (System.getProperty("millrace.openapi.write") != null) {
            Files.writeString(DOCUMENT, served);
        }
        assertThat(Files.readString(DOCUMENT))
                .as("run this test with -Dmillrace.openapi.write to update the document")
                .isEqualTo(served);
    }
}
