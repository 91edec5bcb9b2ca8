package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A certificate for a host, issued by a private authority.
 *
 * @param file key and certificate of the host, with {@link #PASSWORD}
 * @param authority PEM file of the authority's certificate
 */
record PrivateCertificate(Path file, KeyStore keys, Path authority) {

    static final String PASSWORD = "test-only";

    /** @param host host of the certificate, e.g. {@code ip:127.0.0.1} */
    static PrivateCertificate make(final Path folder, final String host) throws IOException, GeneralSecurityException {
        final Path file = folder.resolve("keys.p12");
        keytool(file, "authority", "-dname", "CN=Authority of " + folder.getFileName(), "-ext", "bc:c");
        keytool(file, "receiver", "-dname", "CN=Receiver", "-ext", "san=" + host, "-signer", "authority");
        final KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        final Path authority = Files.writeString(
                folder.resolve("authority.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(keys.getCertificate("authority").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        keys.deleteEntry("authority");
        try (var out = Files.newOutputStream(file)) {
            keys.store(out, PASSWORD.toCharArray());
        }
        return new PrivateCertificate(file, keys, authority);
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
}
