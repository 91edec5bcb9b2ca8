package io.millrace.cli.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The certificate authorities that the service's certificate may have. */
final class Authorities {

    private Authorities() {}

    /**
     * @param file PEM certificates of the only accepted authorities
     * @return null without a file: the authorities of the JVM
     * @throws CommandException if the file contains no certificate
     */
    static @Nullable SSLSocketFactory of(final Optional<Path> file) throws CommandException {
        if (file.isEmpty()) {
            return null;
        }
        try (InputStream pem = Files.newInputStream(file.get())) {
            final KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (final Certificate authority :
                    CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("authority-" + number++, authority);
            }
            if (number == 0) {
                throw unusable(file.get(), "it contains no certificate");
            }
            final TrustManagerFactory managers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (IOException | GeneralSecurityException e) {
            throw unusable(file.get(), e.toString());
        }
    }

    private static CommandException unusable(final Path file, final String why) {
        return new CommandException(
                ExitCode.USAGE,
                "authority-file '" + file + "' cannot be used: " + why + "; it must contain PEM certificates");
    }
}
