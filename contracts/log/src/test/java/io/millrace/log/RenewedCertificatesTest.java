package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenewedCertificatesTest {

    @TempDir
    Path folder;

    @Test
    void a_new_connection_uses_the_renewed_certificate_and_a_half_written_file_is_left_for_the_next_one()
            throws Exception {
        final Path store = folder.resolve("client.p12");
        Files.copy(certificate("first"), store);
        try (RenewedCertificates factory = new RenewedCertificates()) {
            factory.configure(Map.of(
                    "ssl.protocol",
                    "TLSv1.3",
                    "ssl.truststore.type",
                    "PKCS12",
                    "ssl.truststore.location",
                    store.toString(),
                    "ssl.truststore.password",
                    new Password("secret")));
            connect(factory);
            assertThat(subject(factory)).isEqualTo("CN=first");

            Files.writeString(store, "half a fi");
            touch(store, 1);
            connect(factory);
            assertThat(subject(factory)).isEqualTo("CN=first");

            Files.copy(certificate("second"), store, StandardCopyOption.REPLACE_EXISTING);
            touch(store, 2);
            connect(factory);
            assertThat(subject(factory)).isEqualTo("CN=second");
        }
    }

    private static void connect(final RenewedCertificates factory) {
        assertThat(factory.createClientSslEngine("localhost", 9093, "https").getUseClientMode())
                .isTrue();
    }

    private static String subject(final RenewedCertificates factory) throws KeyStoreException {
        final X509Certificate certificate =
                (X509Certificate) factory.truststore().getCertificate("broker");
        return certificate.getSubjectX500Principal().getName();
    }

    private static void touch(final Path file, final int seconds) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(seconds)));
    }

    private Path certificate(final String name) throws IOException, InterruptedException {
        final Path pair = folder.resolve(name + "-pair.p12");
        final Path certificate = folder.resolve(name + ".crt");
        final Path store = folder.resolve(name + ".p12");
        keytool(
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-keystore",
                pair.toString(),
                "-alias",
                "broker");
        keytool("-exportcert", "-keystore", pair.toString(), "-alias", "broker", "-file", certificate.toString());
        keytool(
                "-importcert",
                "-noprompt",
                "-keystore",
                store.toString(),
                "-alias",
                "broker",
                "-file",
                certificate.toString());
        return store;
    }

    private static void keytool(final String... arguments) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", "secret"));
        final Process keytool =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
    }
}
