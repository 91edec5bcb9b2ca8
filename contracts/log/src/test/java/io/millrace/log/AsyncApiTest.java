package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AsyncApiTest {

    private static final Path PAGE = Path.of("../../docs/asyncapi.yaml");

    /** With {@code -Dmillrace.write-asyncapi} the page is written instead. */
    @Test
    void the_page_says_what_the_tables_say() throws IOException {
        if (System.getProperty("millrace.write-asyncapi") != null) {
            Files.writeString(PAGE, AsyncApiPage.text());
        }
        assertThat(Files.readString(PAGE))
                .as("write it anew: ./mvnw -pl contracts/log test -Dtest=AsyncApiTest -Dmillrace.write-asyncapi")
                .isEqualTo(AsyncApiPage.text());
    }
}
