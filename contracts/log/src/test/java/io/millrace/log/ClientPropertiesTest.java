package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testing.Attack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientPropertiesTest {

    @TempDir
    Path folder;

    @AfterEach
    void forget() {
        Clients.useEverywhere(Map.of());
    }

    @Test
    void every_client_has_the_properties_of_the_site_and_keeps_those_on_which_millrace_relies() throws IOException {
        final Path file = Files.writeString(folder.resolve("client.properties"), """
                # the login
                security.protocol=SASL_SSL
                isolation.level=read_uncommitted
                acks=1
                """);
        Clients.useEverywhere(ClientProperties.read(file));
        assertThat(Clients.consumer("broker:9092", "group", Map.of()))
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("isolation.level", "read_committed");
        assertThat(Clients.transactionalProducer("broker:9092", "id", Map.of()))
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("acks", "all");
    }

    @Test
    void a_file_that_cannot_be_read_is_named_with_the_setting() {
        assertThatThrownBy(() -> ClientProperties.read(folder.resolve("missing")))
                .hasMessageContaining("missing' (NoSuchFileException)")
                .hasMessageContaining("millrace.kafka.client-properties");
    }

    @Attack("a user changes the file of a service that names its brokers, passwords and login classes")
    @Test
    void a_file_that_all_users_can_change_is_refused() throws IOException {
        final Path file = Files.writeString(folder.resolve("client.properties"), "security.protocol=SSL\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--rw-"));
        assertThatThrownBy(() -> ClientProperties.read(file)).hasMessageContaining("chmod o-w");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        assertThat(ClientProperties.read(file)).containsEntry("security.protocol", "SSL");
    }

    @Test
    void a_password_in_an_invalid_file_is_not_repeated() throws IOException {
        final Path file = Files.writeString(folder.resolve("client.properties"), "password=secret\\u00zz\n");
        assertThatThrownBy(() -> ClientProperties.read(file))
                .hasMessageNotContaining("secret")
                .hasMessageContaining("key=value");
    }
}
