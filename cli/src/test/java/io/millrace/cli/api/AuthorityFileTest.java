package io.millrace.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.millrace.testing.Attack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service with a certificate of {@code ./millrace certificates}. */
@Timeout(600)
class AuthorityFileTest {

    @TempDir
    Path home;

    private HttpsServer server;

    @BeforeEach
    void start() throws Exception {
        certificates("tls");
        certificates("other");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(home.resolve("tls"))));
        server.createContext("/", exchange -> {
            final byte[] body = "{\"good\":true}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void a_command_accepts_the_authority_of_its_site() throws Exception {
        assertThat(client("localhost", "tls").get("/jobs").path("good").asBoolean())
                .isTrue();
        Files.createDirectories(home.resolve(".config/millrace"));
        Files.writeString(
                home.resolve(".config/millrace/config"), "authority-file=" + home.resolve("tls/authority.pem") + "\n");
        assertThat(client("localhost", null).get("/jobs").path("good").asBoolean())
                .isTrue();
    }

    @Test
    @Attack(
            "stands between a command and the service with a certificate of another authority or for another host, to get tokens")
    void a_command_sends_no_token_to_an_impostor() {
        assertThatThrownBy(() -> client("localhost", null).get("/jobs"))
                .hasMessageContaining("MILLRACE_AUTHORITY_FILE");
        assertThatThrownBy(() -> client("localhost", "other").get("/jobs")).isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> client("127.0.0.1", "tls").get("/jobs"))
                .as("the certificate is for localhost")
                .isInstanceOf(CommandException.class);
    }

    @Test
    void a_file_without_certificates_is_refused() throws Exception {
        Files.createDirectories(home.resolve("none"));
        Files.writeString(home.resolve("none/authority.pem"), "");
        assertThatThrownBy(() -> client("localhost", "none")).hasMessageContaining("contains no certificate");
        assertThatThrownBy(() -> client("localhost", "missing")).hasMessageContaining("authority-file");
    }

    private ApiClient client(final String host, final String authority) throws Exception {
        final Path token = Files.writeString(home.resolve("token"), "e30.eyJleHAiOjk5OTk5OTk5OTl9.c2ln");
        final Map<String, String> environment = new HashMap<>(Map.of(
                "HOME",
                home.toString(),
                "MILLRACE_API",
                "https://" + host + ":" + server.getAddress().getPort(),
                "MILLRACE_TOKEN_FILE",
                token.toString()));
        if (authority != null) {
            environment.put(
                    "MILLRACE_AUTHORITY_FILE",
                    home.resolve(authority).resolve("authority.pem").toString());
        }
        return new ApiClient(Settings.read(environment));
    }

    private void certificates(final String folder) throws IOException, InterruptedException {
        final Process made = new ProcessBuilder(
                        "../millrace", "certificates", home.resolve(folder).toString(), "localhost")
                .redirectErrorStream(true)
                .start();
        final String output = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(made.exitValue()).as(output).isZero();
    }

    private static SSLContext context(final Path tls) throws Exception {
        final Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(tls.resolve("server.pem"))));
        final String key = Files.readString(tls.resolve("server.key")).replaceAll("-----[A-Z ]+-----|\\s", "");
        final KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry(
                "server",
                KeyFactory.getInstance("EC")
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))),
                new char[0],
                new Certificate[] {certificate});
        final KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
