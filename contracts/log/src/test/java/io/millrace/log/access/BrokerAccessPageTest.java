package io.millrace.log.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BrokerAccessPageTest {

    private static final Path PAGE = Path.of("../../docs/guide/broker-access.md");

    /** With {@code -Dmillrace.write-broker-access} the page is written instead. */
    @Test
    void the_guide_shows_the_table_in_force() throws IOException {
        if (System.getProperty("millrace.write-broker-access") != null) {
            Files.writeString(PAGE, BrokerAccessPage.text());
        }
        assertThat(PAGE)
                .as(
                        "to update it: ./mvnw -pl contracts/log test -Dtest=BrokerAccessPageTest -Dmillrace.write-broker-access")
                .exists()
                .content()
                .isEqualTo(BrokerAccessPage.text());
    }
}
