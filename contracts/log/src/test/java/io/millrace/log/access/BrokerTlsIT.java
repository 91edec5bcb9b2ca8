package io.millrace.log.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import io.millrace.log.access.Part.Agent;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Attack;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** S-8. A broker with TLS, accounts and access lists, as the guide describes it, with certificates of {@code ./millrace certificates}. */
@Timeout(600)
class BrokerTlsIT {

    private static final Agent AGENT = new Agent(ClusterId.of("alpha"));
    private static final byte[] TEXT = {1};

    @TempDir
    Path folder;

    private Path tls;
    private EmbeddedKafka kafka;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        tls = certificates("tls");
        final Path login = login("millrace", tls);
        for (final Part part : List.of(AGENT, Service.QUOTA)) {
            login(part.account(), tls);
        }
        kafka = EmbeddedKafka.startWithTls(
                folder.resolve("data"), 0, login, folder, identity(), tls.resolve("authority.pem"));
        admin = Clients.openAdmin(kafka.bootstrapServers(), settings(login));
        BrokerAccounts.run(
                System.out,
                "grant",
                "--bootstrap-server=" + kafka.bootstrapServers(),
                "--command-config=" + login,
                AGENT.id(),
                Service.QUOTA.id());
        Clients.useEverywhere(Map.of());
        admin.createTopics(List.of(
                        new NewTopic(Topic.CLUSTER_STATE.topicName(AGENT.cluster()), 1, (short) 1),
                        new NewTopic(Topic.QUOTAS.topicName(), 1, (short) 1)))
                .all()
                .get();
    }

    @AfterEach
    void stop() {
        admin.close();
        kafka.close();
    }

    @Test
    @Attack("a client without TLS, or whose broker has a certificate of another authority, sends its records")
    void an_account_writes_over_tls_what_its_row_says_and_a_renewed_certificate_needs_no_restart() throws Exception {
        final Path agent = folder.resolve(AGENT.account() + ".properties");
        try (Producer<byte[], byte[]> producer = producer(agent)) {
            write(producer, Topic.CLUSTER_STATE.topicName(AGENT.cluster()));
            assertThatThrownBy(() -> write(producer, Topic.QUOTAS.topicName()))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);

            final X509Certificate first = shown();
            certificates("tls");
            identity();
            renewed();
            while (shown().equals(first)) {
                Thread.sleep(100);
            }
            write(producer, Topic.CLUSTER_STATE.topicName(AGENT.cluster()));
        }
        try (Producer<byte[], byte[]> producer = producer(agent)) {
            write(producer, Topic.CLUSTER_STATE.topicName(AGENT.cluster()));
        }

        login(AGENT.account(), certificates("another"));
        assertThatThrownBy(() -> connect(agent))
                .hasRootCauseInstanceOf(Exception.class)
                .hasStackTraceContaining(SslAuthenticationException.class.getName());
        Files.writeString(agent, Files.readString(agent).replace("SASL_SSL", "SASL_PLAINTEXT"));
        assertThatThrownBy(() -> connect(agent)).isInstanceOf(Exception.class);
    }

    /** Once, without patience. */
    private void connect(final Path login) throws Exception {
        final Map<String, Object> settings = new HashMap<>(ClientProperties.read(login));
        settings.put("default.api.timeout.ms", 5_000);
        settings.put("request.timeout.ms", 4_000);
        try (Admin client = Clients.openAdmin(kafka.bootstrapServers(), settings)) {
            client.listTopics().names().get();
        }
    }

    private static void write(final Producer<byte[], byte[]> producer, final String topic) throws InterruptedException {
        try {
            producer.send(new ProducerRecord<>(topic, 0, TEXT, TEXT)).get();
        } catch (final ExecutionException e) {
            throw new KafkaException(e.getCause());
        }
    }

    private Producer<byte[], byte[]> producer(final Path login) {
        return Clients.openProducer(Clients.producer(kafka.bootstrapServers(), settings(login)));
    }

    private static Map<String, Object> settings(final Path login) {
        final Map<String, Object> settings = new HashMap<>(ClientProperties.read(login));
        settings.putAll(Stack.PATIENT);
        return settings;
    }

    /** What {@code kafka-configs.sh --alter} does after a renewal. */
    private void renewed() throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(
                                ConfigResource.Type.BROKER,
                                Integer.toString(admin.describeCluster()
                                        .controller()
                                        .get()
                                        .id())),
                        List.of(new AlterConfigOp(
                                new ConfigEntry(
                                        "listener.name.clients.ssl.keystore.location",
                                        folder.resolve("broker.pem").toString()),
                                AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    /** The certificate that a new connection gets. */
    private X509Certificate shown() throws Exception {
        final KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(tls.resolve("authority.pem"))) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        final TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        final String[] address = kafka.bootstrapServers().split(":");
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(address[0], Integer.parseInt(address[1]))) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    /** The broker's file: its private key, then its certificate. It is replaced at once. */
    private Path identity() throws IOException {
        final Path next = Files.writeString(
                folder.resolve("broker.next"),
                Files.readString(tls.resolve("server.key")) + Files.readString(tls.resolve("server.pem")));
        return Files.move(next, folder.resolve("broker.pem"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    private Path login(final String account, final Path trusted) throws IOException {
        final Path file = Files.writeString(
                folder.resolve(account + ".properties"), """
                security.protocol=SASL_SSL
                sasl.mechanism=SCRAM-SHA-512
                sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="%1$s" password="of-%1$s";
                ssl.truststore.type=PEM
                ssl.truststore.location=%2$s
                """.formatted(account, trusted.resolve("authority.pem")));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private Path certificates(final String name) throws IOException, InterruptedException {
        final Path made = folder.resolve(name);
        final Process process = new ProcessBuilder(
                        "../../millrace", "certificates", made.toString(), "localhost", "127.0.0.1")
                .redirectErrorStream(true)
                .start();
        final String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return made;
    }
}
