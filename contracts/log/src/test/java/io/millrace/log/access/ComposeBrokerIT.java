package io.millrace.log.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.millrace.embedded.FreePort;
import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import io.millrace.log.Topics;
import io.millrace.log.access.Part.Service;
import io.millrace.testing.Attack;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker of {@code deploy/compose}, without its container: a broker with the settings of the file, and accounts that it stores. */
class ComposeBrokerIT {

    private static final byte[] TEXT = {1};

    @TempDir
    Path folder;

    private final int clients = FreePort.orWanted(0);
    private final int administration = FreePort.orWanted(0);
    private @Nullable KafkaRaftServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.shutdown();
            server.awaitShutdown();
        }
    }

    @Test
    @Attack(
            "a client without a login, or with the account of one service, writes for another at the broker in containers")
    void the_accounts_that_a_site_creates_have_the_rights_of_the_table_and_no_others() throws Exception {
        start();
        final Path logins = folder.resolve("logins");
        grant(logins, "quota", "agent-alpha");
        final Path quota = logins.resolve("millrace-quota.properties");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(quota)))
                .isEqualTo("rw-------");
        final String before = Files.readString(quota);
        grant(logins, "quota", "agent-alpha");
        assertThat(quota).hasContent(before);

        final Map<String, Object> login = new HashMap<>(ClientProperties.read(quota));
        login.putAll(Stack.PATIENT);
        final String broker = "127.0.0.1:" + clients;
        try (Admin own = Clients.openAdmin(broker, login);
                Producer<byte[], byte[]> producer = Clients.openProducer(Clients.producer(broker, login))) {
            Topics.create(own, List.of(Service.QUOTA), 3, 1);
            producer.send(new ProducerRecord<>("millrace.quotas", 0, TEXT, TEXT))
                    .get();
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("millrace.submissions", 0, TEXT, TEXT))
                            .get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
        }
        final Map<String, Object> none = Map.of("default.api.timeout.ms", 3_000, "request.timeout.ms", 2_000);
        try (Admin nobody = Clients.openAdmin(broker, none)) {
            assertThatThrownBy(() -> nobody.listTopics().names().get()).isInstanceOf(ExecutionException.class);
        }
    }

    private void grant(final Path logins, final String... parts) {
        final List<String> words = new ArrayList<>(List.of(
                "grant",
                "--bootstrap-server=127.0.0.1:" + administration,
                "--command-config=/dev/null",
                "--logins=" + logins));
        words.addAll(List.of(parts));
        BrokerAccounts.run(System.out, words.toArray(String[]::new));
    }

    private void start() throws IOException {
        final Properties settings = settings();
        final Path file = folder.resolve("broker.properties");
        try (var out = Files.newBufferedWriter(file)) {
            settings.store(out, null);
        }
        final String[] format = {"format", "--config", file.toString(), "--cluster-id", "MkU3OEVBNTcwNTJENDM2Qk"};
        assertThat(StorageTool.execute(format, System.out)).isZero();
        server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
        server.startup();
    }

    /** The environment of the container as the image translates it, with ports and a folder of this test. */
    private Properties settings() throws IOException {
        final JsonNode environment = new YAMLMapper()
                .readTree(Path.of("../../deploy/compose/compose.yaml").toFile())
                .at("/services/kafka/environment");
        final Map<String, String> places = Map.of(
                ":9092", ":" + clients,
                ":9093", ":" + FreePort.orWanted(0),
                ":9094", ":" + administration,
                "kafka:", "127.0.0.1:",
                "/var/lib/kafka/data", folder.resolve("data").toString());
        final Properties settings = new Properties();
        environment.properties().forEach(entry -> {
            String value = entry.getValue().asText();
            for (final Map.Entry<String, String> place : places.entrySet()) {
                value = value.replace(place.getKey(), place.getValue());
            }
            settings.put(
                    entry.getKey()
                            .substring("KAFKA_".length())
                            .toLowerCase(Locale.ROOT)
                            .replace("___", "-")
                            .replace("__", "#")
                            .replace('_', '.')
                            .replace('#', '_'),
                    value);
        });
        return settings;
    }
}
