package io.millrace.submit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.millrace.submit.TestTokens;
import io.millrace.testing.Attack;
import io.millrace.testing.MariaDb;
import io.millrace.testing.Stack;
import io.millrace.testing.service.ServiceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service with the certificates of {@code ./millrace certificates}. */
@Timeout(900)
class TlsIT {

    @TempDir
    Path folder;

    @Test
    void the_api_answers_https_only_and_renews_its_certificate_without_a_restart() throws Exception {
        final Path tls = certificates();
        try (ServiceProcess service = ServiceProcess.start(settings(
                "-Dmillrace.submit.tls.certificate=" + tls.resolve("server.pem"),
                "-Dmillrace.submit.tls.key=" + tls.resolve("server.key")))) {
            final URI api = URI.create(service.awaitListening());
            assertThat(api.getScheme()).isEqualTo("https");
            final URI described = URI.create("https://localhost:" + api.getPort() + "/q/openapi");

            final HttpResponse<String> answer = get(trusting(tls), described);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).isPresent();
            assertThatThrownBy(() -> get(HttpClient.newHttpClient(), described))
                    .as("an authority that the client does not know")
                    .isInstanceOf(SSLException.class);
            assertThatThrownBy(() -> get(trusting(tls), URI.create("http://localhost:" + api.getPort() + "/q/openapi")))
                    .as("plain text")
                    .isInstanceOf(IOException.class);

            final X509Certificate first = shown(answer);
            certificates();
            while (shows(first, tls, described)) {
                Thread.sleep(500);
            }
        }
    }

    @Test
    @Attack("answers a command in the place of the service, with a certificate that is not of the site's authority")
    void a_command_lists_jobs_of_a_service_of_the_sites_authority_only() throws Exception {
        final Path tls = certificates();
        final ECKey key = new ECKeyGenerator(Curve.P_256).keyID("alpha").generate();
        Files.writeString(
                Files.createDirectories(folder.resolve("keys/trusted")).resolve("alpha.pub.json"),
                key.toPublicJWK().toJSONString());
        final Path token = Files.writeString(
                folder.resolve("token"),
                TestTokens.signed(key, TestTokens.claims("anna").build()));
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        try (ServiceProcess service = ServiceProcess.start(settings(
                "-Dmillrace.submit.tls.certificate=" + tls.resolve("server.pem"),
                "-Dmillrace.submit.tls.key=" + tls.resolve("server.key")))) {
            final String api =
                    "https://localhost:" + URI.create(service.awaitListening()).getPort();

            final Map<String, Path> authority = Map.of("MILLRACE_AUTHORITY_FILE", tls.resolve("authority.pem"));
            Ran listed = mgstat(api, token, authority);
            while (listed.output().contains("newest submissions")) { // the service has started, its read model not yet
                listed = mgstat(api, token, authority);
            }
            assertThat(listed.exit()).as(listed.output()).isZero();

            final Ran unknown = mgstat(api, token, Map.of());
            assertThat(unknown.exit()).as(unknown.output()).isNotZero();
            assertThat(unknown.output()).contains("MILLRACE_AUTHORITY_FILE");
        }
    }

    private record Ran(int exit, String output) {}

    /** The command as users run it, in a process of its own. */
    private Ran mgstat(final String api, final Path token, final Map<String, Path> settings)
            throws IOException, InterruptedException {
        final ProcessBuilder command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        "../cli/target/classes:../cli/target/lib/*",
                        "io.millrace.cli.Main",
                        "mgstat")
                .redirectErrorStream(true);
        command.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_"));
        command.environment()
                .putAll(Map.of(
                        "HOME", folder.toString(), "MILLRACE_API", api, "MILLRACE_TOKEN_FILE", token.toString()));
        settings.forEach((name, file) -> command.environment().put(name, file.toString()));
        final Process process = command.start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), output);
    }

    @Test
    @Attack("reads tokens that cross a network in plain text")
    void without_tls_the_service_does_not_listen_on_a_network() throws Exception {
        final List<String> settings = new ArrayList<>(List.of(settings()));
        settings.add("-Dquarkus.http.host=0.0.0.0");
        try (ServiceProcess service = ServiceProcess.start(settings.toArray(String[]::new))) {
            assertThat(service.awaitFailure()).contains("in plain text", "millrace.submit.tls.certificate");
        }
    }

    /** Whether the service still shows this certificate, or is about to replace it: then it ends handshakes that have begun. */
    private static boolean shows(final X509Certificate first, final Path tls, final URI described) throws Exception {
        try {
            return shown(get(trusting(tls), described)).equals(first);
        } catch (final SSLException e) {
            return true;
        }
    }

    private static X509Certificate shown(final HttpResponse<?> answer) throws SSLException {
        return (X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0];
    }

    private static HttpResponse<String> get(final HttpClient client, final URI address)
            throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpClient trusting(final Path tls) throws Exception {
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
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private Path certificates() throws IOException, InterruptedException {
        final Path tls = folder.resolve("tls");
        final Process made = new ProcessBuilder("../millrace", "certificates", tls.toString(), "localhost", "127.0.0.1")
                .redirectErrorStream(true)
                .start();
        final String output = new String(made.getInputStream().readAllBytes());
        assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(made.exitValue()).as(output).isZero();
        return tls;
    }

    private String[] settings(final String... more) {
        final MariaDb mariadb = Stack.mariadb();
        final List<String> settings = new ArrayList<>(List.of(
                "-Dmillrace.submit.key-dir=" + folder.resolve("keys"),
                "-Dmillrace.submit.trusted-keys-dir=" + folder.resolve("keys/trusted"),
                "-Dmillrace.kafka.group=tls-" + UUID.randomUUID(),
                "-Dquarkus.datasource.jdbc.url=" + mariadb.jdbcUrl("submit_tls"),
                "-Dquarkus.datasource.username=" + mariadb.user(),
                "-Dquarkus.datasource.password=" + mariadb.password()));
        settings.addAll(List.of(more));
        return settings.toArray(String[]::new);
    }
}
