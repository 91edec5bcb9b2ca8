package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An HTTPS endpoint with a certificate of a private authority. */
final class TlsReceiver implements AutoCloseable {

    private static final String PASSWORD = "test-only";

    private final HttpsServer server;
    private final AtomicInteger taken = new AtomicInteger();
    private final Path authority;

    /** @param host host of the certificate, e.g. {@code ip:127.0.0.1} */
    TlsReceiver(final Path folder, final String host) throws IOException, GeneralSecurityException {
        final Path keys = folder.resolve("keys.p12");
        keytool(keys, "authority", "-dname", "CN=Authority of " + folder.getFileName(), "-ext", "bc:c");
        keytool(keys, "receiver", "-dname", "CN=Receiver", "-ext", "san=" + host, "-signer", "authority");
        final KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
        authority = Files.writeString(
                folder.resolve("authority.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(
                                        store.getCertificate("authority").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        store.deleteEntry("authority");
        final KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(store, PASSWORD.toCharArray());
        final SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keyManagers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", request -> {
            request.getRequestBody().readAllBytes();
            taken.incrementAndGet();
            request.sendResponseHeaders(204, -1);
            request.close();
        });
        server.start();
    }

    private static void keytool(final Path keys, final String alias, final String... more) throws IOException {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-validity",
                "2",
                "-startdate",
                "-1d",
                "-keystore",
                keys.toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        final Process made =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final String said = new String(made.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(made.onExit().join().exitValue()).as(said).isZero();
    }

    /** The file of the authority's certificate. */
    Path authority() {
        return authority;
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Received requests. */
    int taken() {
        return taken.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
