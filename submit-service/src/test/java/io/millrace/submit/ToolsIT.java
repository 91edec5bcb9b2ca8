package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.log.Clients;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** S-9: a registered tool submits through Kafka. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class ToolsIT {

    private static final String SUBMISSIONS = "millrace.tool-submissions." + TestSite.TOOL;
    private static final TopicPartition ANSWERS = new TopicPartition("millrace.tool-answers." + TestSite.TOOL, 0);
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KafkaSettings kafka;

    @TempDir
    private Path folder;

    @BeforeEach
    void clusters() throws Exception {
        assertThat(ApiClient.as("wf_anna")
                        .get("/api/v1/jobs", "Millrace-Offset", TestData.clusters())
                        .status())
                .isEqualTo(200);
        final long until = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            while (!consumer.listTopics().keySet().containsAll(List.of(SUBMISSIONS, ANSWERS.topic()))) {
                assertThat(System.nanoTime()).as("topics of the tool").isLessThan(until);
                Thread.sleep(100);
            }
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return Clients.openConsumer(Clients.consumer(kafka.bootstrapServers(), "tool", Map.of()));
    }

    private static Path keyFile() {
        return TestTokens.trusted().resolveSibling("tool.pem");
    }

    private static ECPrivateKey key() throws Exception {
        final String base64 = Files.readString(keyFile()).replaceAll("-----[A-Z ]+-----|\\s", "");
        return (ECPrivateKey) KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }

    private static JWTClaimsSet.Builder claims(final String id) {
        return new JWTClaimsSet.Builder()
                .issuer("tool/" + TestSite.TOOL)
                .audience("millrace")
                .subject("wf_anna")
                .jwtID(id)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .claim("job", job("alpha"));
    }

    private static Map<String, Object> job(final String source) {
        return Map.of("script", "#!/bin/sh\ntrue\n", "walltime", "5", "source", source, "directory", "/home/wf_anna");
    }

    private static String signed(final ECPrivateKey key, final JWTClaimsSet claims) throws Exception {
        final SignedJWT request = new SignedJWT(new JWSHeader(JWSAlgorithm.ES256), claims);
        request.sign(new ECDSASigner(key));
        return request.serialize();
    }

    /** Writes the requests, and reads as many answers. */
    private List<JsonNode> answers(final List<String> requests) throws Exception {
        final List<JsonNode> answers = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer();
                Producer<byte[], byte[]> producer =
                        Clients.openProducer(Clients.producer(kafka.bootstrapServers(), Map.of()))) {
            consumer.assign(List.of(ANSWERS));
            consumer.seekToEnd(List.of(ANSWERS));
            consumer.position(ANSWERS);
            for (final String request : requests) {
                producer.send(new ProducerRecord<>(SUBMISSIONS, request.getBytes(StandardCharsets.UTF_8)))
                        .get();
            }
            final long until = System.nanoTime() + Duration.ofMinutes(5).toNanos();
            while (answers.size() < requests.size()) {
                assertThat(System.nanoTime()).as("answers so far: %s", answers).isLessThan(until);
                for (final var record : consumer.poll(Duration.ofSeconds(1))) {
                    answers.add(JSON.readTree(record.value()));
                }
            }
        }
        return answers;
    }

    @Test
    void a_signed_request_is_accepted_once() throws Exception {
        final String id = UUID.randomUUID().toString();
        final String request = signed(key(), claims(id).build());
        final List<JsonNode> answers = answers(List.of(request, request));
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.path("status").asInt()).as(answer.toString()).isEqualTo(202);
            assertThat(answer.path("id").asText()).isEqualTo(id);
        });
        final String job = answers.getFirst().path("job").asText();
        assertThat(answers.getLast().path("job").asText()).isEqualTo(job);
        assertThat(ApiClient.as("wf_anna").get("/api/v1/jobs/" + job).status()).isEqualTo(200);
    }

    @Test
    @Attack("a tool submits beyond its registration, or another key signs in its name")
    void every_other_request_is_refused_with_the_reason() throws Exception {
        final KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        final ECPrivateKey foreign = (ECPrivateKey) generator.generateKeyPair().getPrivate();
        final List<Bad> bad = List.of(
                new Bad(401, "registered key", signed(foreign, claims("1").build())),
                new Bad(401, "not a signed JWT", "{\"user\": \"wf_anna\"}"),
                bad(401, "'iss' must be", claims -> claims.issuer("tool/other")),
                bad(401, "'aud' must be", claims -> claims.audience("other")),
                bad(401, "'exp' must be", claims -> claims.expirationTime(Date.from(Instant.EPOCH))),
                bad(401, "'exp' must be", claims -> claims.expirationTime(null)),
                bad(403, "may not submit for user 'ben'", claims -> claims.subject("ben")),
                bad(403, "may not submit for user 'root'", claims -> claims.subject("root")),
                bad(403, "whose directory is on 'beta'", claims -> claims.claim("job", job("beta"))),
                bad(422, "'jti' is missing", claims -> claims.jwtID(null)),
                bad(422, "'", claims -> claims.claim("job", Map.of("source", "alpha"))),
                bad(422, "'owner' is not a known field", claims -> claims.claim("job", Map.of("owner", "ben"))));
        final List<JsonNode> answers = answers(bad.stream().map(Bad::request).toList());
        for (int i = 0; i < bad.size(); i++) {
            assertThat(answers.get(i).path("status").asInt())
                    .as(answers.get(i).toString())
                    .isEqualTo(bad.get(i).status());
            assertThat(answers.get(i).path("detail").asText())
                    .contains(bad.get(i).reason());
        }
    }

    private record Bad(int status, String reason, String request) {}

    private static Bad bad(final int status, final String reason, final UnaryOperator<JWTClaimsSet.Builder> change)
            throws Exception {
        return new Bad(
                status,
                reason,
                signed(key(), change.apply(claims(UUID.randomUUID().toString())).build()));
    }

    @Test
    void the_example_in_java_submits_a_job() throws Exception {
        example(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "../docs/examples/SubmitByKafka.java");
    }

    @Test
    void the_example_in_python_submits_a_job() throws Exception {
        final String python = "/usr/bin/python3"; // Debian's, which finds its packages
        assumeTrue(
                Files.isExecutable(Path.of(python))
                        && new ProcessBuilder(python, "-c", "import kafka, cryptography")
                                        .start()
                                        .waitFor()
                                == 0,
                "needs python3-kafka and python3-cryptography");
        example(python, "../docs/examples/submit_by_kafka.py");
    }

    private void example(final String... command) throws Exception {
        final Path properties = Files.writeString(
                folder.resolve("client.properties"), "bootstrap.servers=" + kafka.bootstrapServers() + "\n");
        final List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of(
                properties.toString(), TestSite.TOOL, keyFile().toString(), "wf_anna", "alpha", "/home/wf_anna"));
        final Path output = folder.resolve("output");
        final Process run = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        final boolean ended = run.waitFor(5, TimeUnit.MINUTES);
        run.destroyForcibly();
        assertThat(Files.readString(output)).contains("\"status\":202");
        assertThat(ended && run.exitValue() == 0).isTrue();
    }
}
