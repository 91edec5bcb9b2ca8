package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster joins by an invitation. The test makes the accounts at the broker, as millrace-setup does. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class JoinIT {

    private final String cluster = "c" + UUID.randomUUID().toString().substring(0, 8);
    private final String path = "/api/v1/clusters/" + cluster;
    private final ApiClient operators = ApiClient.as(TestSite.OPERATOR);
    private final Path joining = Path.of(ConfigProvider.getConfig().getValue("millrace.submit.join-dir", String.class));
    private final Path trusted =
            Path.of(ConfigProvider.getConfig().getValue("millrace.submit.trusted-keys-dir", String.class));
    private Thread enrolment;

    @BeforeEach
    void accounts_are_made() {
        enrolment = Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                try (Stream<Path> requests = Files.list(joining.resolve("requests"))) {
                    for (final Path request : requests.toList()) {
                        final Path draft = Files.createTempFile(joining, "answer", "");
                        Files.writeString(draft, "sasl.mechanism=SCRAM-SHA-512\n# " + request.getFileName() + "\n");
                        Files.move(
                                draft,
                                joining.resolve("answers").resolve(request.getFileName()),
                                StandardCopyOption.REPLACE_EXISTING);
                    }
                    Thread.sleep(20);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
    }

    @AfterEach
    void no_more_accounts() throws InterruptedException {
        enrolment.interrupt();
        enrolment.join();
    }

    @Test
    void an_invited_cluster_gets_an_account_and_its_logins_are_trusted() throws Exception {
        final ECKey key = key();
        final ApiClient.Answer joined = join(invited(cluster, false), key);
        assertThat(joined.status()).as(joined.response().body()).isEqualTo(200);
        assertThat(joined.body().path("login").asText()).contains("SCRAM").contains(cluster + ".");
        assertThat(joined.body().path("partitions").asInt()).isEqualTo(3);
        assertThat(joined.body().path("submissionKeys").asText())
                .contains("\"keys\"")
                .doesNotContain("\"d\"");
        assertThat(joined.body().path("submissionKeysPem").asText()).startsWith("-----BEGIN PUBLIC KEY-----");
        assertThat(ECKey.parse(Files.readString(trusted.resolve(cluster + ".pub.json"))))
                .isEqualTo(key.toPublicJWK());
    }

    @Test
    @Attack("an invitation that was used, or read from the files of the service, lets another agent become the cluster")
    void an_invitation_is_used_once_and_its_file_shows_no_secret() throws Exception {
        final String token = invited(cluster, false);
        assertThat(Files.readString(joining.resolve("invitations").resolve(cluster)))
                .doesNotContain(token.split("\\.")[2]);
        assertThat(join(token, key()).status()).isEqualTo(200);
        final byte[] trustedKey = Files.readAllBytes(trusted.resolve(cluster + ".pub.json"));
        final ApiClient.Answer again = join(token, key());
        assertThat(again.status()).isEqualTo(401);
        assertThat(again.body().path("detail").asText()).contains("mgcluster invite");
        assertThat(trusted.resolve(cluster + ".pub.json")).hasBinaryContent(trustedKey);
    }

    @Test
    @Attack("the invitation of a cluster lets its agent become another cluster")
    void an_invitation_is_good_for_its_cluster_only() throws Exception {
        final String token = invited(cluster, false);
        final String other = "o" + cluster;
        for (final String forged : List.of(token, token.replace(cluster, other))) {
            final ApiClient.Answer answer =
                    ApiClient.withToken(forged).post("/api/v1/clusters/" + other + "/join", body(key()));
            assertThat(answer.status()).as(forged).isEqualTo(401);
        }
        assertThat(trusted.resolve(other + ".pub.json")).doesNotExist();
        assertThat(join(token, key()).status())
                .as("the invitation is still open")
                .isEqualTo(200);
    }

    @Test
    @Attack("several agents present the same invitation at the same time")
    void one_of_many_joins() throws Exception {
        final String token = invited(cluster, false);
        final ECKey key = key();
        try (ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            final List<Future<Integer>> answers = IntStream.range(0, 6)
                    .mapToObj(at -> agents.submit(() -> join(token, key).status()))
                    .toList();
            int joined = 0;
            for (final Future<Integer> answer : answers) {
                assertThat(answer.get()).isIn(200, 401);
                joined += answer.get() == 200 ? 1 : 0;
            }
            assertThat(joined).isEqualTo(1);
        }
    }

    @Test
    @Attack("a user invites a cluster, or an operator by mistake one that has joined or the service's own issuer")
    void only_operators_invite_and_no_cluster_is_replaced_unasked() throws Exception {
        assertThat(ApiClient.as("mallory").post(path + "/invitation", "{}").status())
                .isEqualTo(403);
        assertThat(operators.post("/api/v1/clusters/alpha/invitation", "{}").status())
                .isEqualTo(409);
        assertThat(operators
                        .post("/api/v1/clusters/plane/invitation", "{\"replace\": true}")
                        .status())
                .isEqualTo(422);
        assertThat(join(invited(cluster, false), key()).status()).isEqualTo(200);
        final ECKey next = key();
        assertThat(join(invited(cluster, true), next).status()).isEqualTo(200);
        assertThat(ECKey.parse(Files.readString(trusted.resolve(cluster + ".pub.json"))))
                .isEqualTo(next.toPublicJWK());
    }

    @Test
    @Attack("an agent joins with the key of another cluster, or with an id that displaces another key")
    void the_key_must_be_a_public_key_with_its_own_id() throws Exception {
        final String token = invited(cluster, false);
        final ECKey stolenId = new ECKeyGenerator(Curve.P_256)
                .keyID(TestTokens.alphasKey().getKeyID())
                .generate();
        for (final String bad :
                List.of("", "{}", key().toJSONString(), stolenId.toPublicJWK().toJSONString())) {
            assertThat(ApiClient.withToken(token)
                            .post(path + "/join", bodyOf(bad))
                            .status())
                    .as(bad)
                    .isEqualTo(422);
        }
        assertThat(join(token, key()).status()).isEqualTo(200);
    }

    @Test
    @Attack("an invitation opens other routes")
    void an_invitation_is_no_login() {
        final String token = invited(cluster, false);
        assertThat(ApiClient.withToken(token).get("/api/v1/jobs").status()).isEqualTo(401);
        assertThat(ApiClient.withToken(token).get("/api/v1/clusters").status()).isEqualTo(401);
    }

    private String invited(final String name, final boolean replace) {
        final ApiClient.Answer answer =
                operators.post("/api/v1/clusters/" + name + "/invitation", "{\"replace\": " + replace + "}");
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return answer.body().path("token").asText();
    }

    private ApiClient.Answer join(final String token, final ECKey key) {
        return ApiClient.withToken(token).post(path + "/join", body(key));
    }

    private static String body(final ECKey key) {
        return bodyOf(key.toPublicJWK().toJSONString());
    }

    private static String bodyOf(final String key) {
        return "{\"loginKey\": \"" + key.replace("\"", "\\\"") + "\"}";
    }

    private static ECKey key() throws Exception {
        return new ECKeyGenerator(Curve.P_256).keyIDFromThumbprint(true).generate();
    }
}
