package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerLoginIT {
    @TempDir
    Path folder;

    @Test
    void only_clients_with_the_password_reach_broker_and_controller() throws Exception {
        Path login = login("right");
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder.resolve("data"), 0, login)) {
            write(kafka.bootstrapServers(), client(login));
            for (Map.Entry<String, String> listener : Map.of(
                            "bootstrap.servers", kafka.bootstrapServers(),
                            "bootstrap.controllers", kafka.controllerAddress())
                    .entrySet()) {
                assertThat(clusterIdWhenRegistered(listener, client(login))).isNotBlank();
                assertThatThrownBy(() -> clusterId(listener, client(login("wrong"))))
                        .hasRootCauseInstanceOf(SaslAuthenticationException.class);
                assertThatThrownBy(() -> clusterId(listener, client(login("right", "root"))))
                        .hasRootCauseInstanceOf(SaslAuthenticationException.class);
                assertThatThrownBy(() -> clusterId(listener, Map.of())).hasRootCauseInstanceOf(TimeoutException.class);
            }
        }
    }

    @Test
    void a_client_that_begins_with_a_link_is_sent_to_no_other_address_and_must_log_in() throws Exception {
        Path login = login("right");
        List<String> links = List.of("127.31.7.1:" + FreePort.orWanted(0), "127.31.7.2:" + FreePort.orWanted(0));
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder.resolve("data"), 0, links, BrokerLogin.read(login))) {
            for (String link : links) {
                Map<String, Object> client = new HashMap<>(client(login));
                client.put("bootstrap.servers", link);
                try (Admin admin = Admin.create(client)) {
                    assertThat(admin.describeCluster().nodes().get())
                            .extracting(node -> node.host() + ":" + node.port())
                            .containsExactly(link);
                }
                assertThatThrownBy(() -> clusterId(Map.entry("bootstrap.servers", link), Map.of()))
                        .hasRootCauseInstanceOf(TimeoutException.class);
            }
            assertThat(clusterId(Map.entry("bootstrap.servers", kafka.bootstrapServers()), client(login)))
                    .isNotBlank();
        }
    }

    @Test
    void a_new_password_is_in_force_at_the_next_start_and_the_records_are_kept() throws Exception {
        Path data = folder.resolve("data");
        try (EmbeddedKafka kafka = EmbeddedKafka.start(data, 0)) {
            write(kafka.bootstrapServers(), Map.of());
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.start(data, 0, login("first"))) {
            assertThat(topics(kafka, login("first"))).containsExactly("jobs");
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.start(data, 0, login("second"))) {
            assertThat(topics(kafka, login("second"))).containsExactly("jobs");
            assertThatThrownBy(() -> topics(kafka, login("first")))
                    .hasRootCauseInstanceOf(SaslAuthenticationException.class);
        }
    }

    @Test
    void a_password_that_other_users_can_read_is_refused() throws Exception {
        Path login = login("right");
        Files.setPosixFilePermissions(login, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> EmbeddedKafka.start(folder.resolve("data"), 0, login))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("0600");
    }

    @Test
    void a_file_with_another_kind_of_login_is_refused() throws Exception {
        Path login = login("right");
        Files.writeString(login, Files.readString(login).replace("SASL_PLAINTEXT", "PLAINTEXT"));
        assertThatThrownBy(() -> EmbeddedKafka.start(folder.resolve("data"), 0, login))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("must set security.protocol=SASL_PLAINTEXT");
    }

    private Path login(String password) throws IOException {
        return login(password, "millrace");
    }

    private Path login(String password, String account) throws IOException {
        Path file = folder.resolve(account + "-" + password + ".properties");
        Files.writeString(file, """
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=SCRAM-SHA-512
                sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="%s" password="%s";
                """.formatted(account, password));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static Map<String, Object> client(Path login) throws IOException {
        Properties properties = new Properties();
        try (var in = Files.newBufferedReader(login)) {
            properties.load(in);
        }
        Map<String, Object> settings = new HashMap<>();
        properties.forEach((key, value) -> settings.put(key.toString(), value));
        settings.putAll(JobsTopic.PATIENT);
        return settings;
    }

    private static void write(String address, Map<String, Object> login) throws Exception {
        Map<String, Object> settings = new HashMap<>(login);
        settings.put("bootstrap.servers", address);
        settings.put("transactional.id", "writer");
        try (Admin admin = Admin.create(settings);
                var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            admin.createTopics(List.of(new NewTopic("jobs", 1, (short) 1)))
                    .all()
                    .get();
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("jobs", "job")).get();
            producer.commitTransaction();
        }
    }

    private static Set<String> topics(EmbeddedKafka kafka, Path login) throws Exception {
        Map<String, Object> settings = client(login);
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        try (Admin admin = Admin.create(settings)) {
            return admin.listTopics().names().get();
        }
    }

    /**
     * A client that is answered before the controller has registered itself knows no node from then on. So a new client asks again, with
     * more time for a busy machine.
     */
    private static String clusterIdWhenRegistered(Map.Entry<String, String> listener, Map<String, Object> login)
            throws InterruptedException, ExecutionException {
        Map<String, Object> settings = new HashMap<>(login);
        for (int millis = 15_000; ; millis *= 2) {
            settings.put("request.timeout.ms", millis);
            settings.put("default.api.timeout.ms", millis);
            try {
                return clusterId(listener, settings);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TimeoutException) || millis > 240_000) {
                    throw e;
                }
            }
        }
    }

    /** A client without a login gets no answer at all. */
    private static String clusterId(Map.Entry<String, String> listener, Map<String, Object> login)
            throws InterruptedException, ExecutionException {
        Map<String, Object> settings = new HashMap<>(login);
        settings.put(listener.getKey(), listener.getValue());
        if (login.isEmpty()) {
            settings.put("request.timeout.ms", 2_000);
            settings.put("default.api.timeout.ms", 3_000);
        }
        try (Admin admin = Admin.create(settings)) {
            return admin.describeCluster().clusterId().get();
        }
    }
}
