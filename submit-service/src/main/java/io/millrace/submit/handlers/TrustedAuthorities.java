package io.millrace.submit.handlers;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Whose certificates a webhook accepts. The JDK judges them; what it refuses is named here, so that an operator can see whom to ask. */
final class TrustedAuthorities extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager judge;
    private final String remedy;

    /** A receiver's certificate that was refused; the message stands by itself. */
    static final class CertificateRefusedException extends CertificateException {
        private static final long serialVersionUID = 1L;

        private CertificateRefusedException(final String message, final CertificateException cause) {
            super(message, cause);
        }
    }

    private TrustedAuthorities(final X509ExtendedTrustManager judge, final String remedy) {
        this.judge = judge;
        this.remedy = remedy;
    }

    /**
     * @param file certificates (PEM) of the authorities to accept, and of no others; null: those of the JVM
     * @throws IllegalArgumentException if the file holds none; names it
     */
    static SSLContext context(final @Nullable Path file) {
        try {
            final String remedy = file == null
                    ? "name the authority that issued it with 'authority-file'"
                    : "authority-file " + file + " does not vouch for it";
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustedAuthorities(judge(store(file)), remedy)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    /** Null means those of the JVM. */
    private static X509ExtendedTrustManager judge(final @Nullable KeyStore accepted) throws GeneralSecurityException {
        final TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(accepted);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable KeyStore store(final @Nullable Path file) throws GeneralSecurityException {
        if (file == null) {
            return null;
        }
        try {
            final KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (final Certificate authority : certificates(file)) {
                store.setCertificateEntry("authority-" + number++, authority);
            }
            if (number == 0) {
                throw new IllegalArgumentException("authority-file " + file + " holds no certificate");
            }
            return store;
        } catch (IOException e) {
            throw new IllegalArgumentException("authority-file " + file + " cannot be read: " + e, e);
        }
    }

    private static Collection<? extends Certificate> certificates(final Path file)
            throws IOException, GeneralSecurityException {
        try (InputStream pem = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(pem);
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    "authority-file " + file + " holds no certificates in PEM: " + e.getMessage(), e);
        }
    }

    /** What the JDK has against it, in its own words, about a certificate that has a name. */
    private CertificateRefusedException refused(final X509Certificate[] chain, final CertificateException judgement) {
        Throwable ground = judgement;
        while (ground.getCause() != null) {
            ground = ground.getCause();
        }
        return new CertificateRefusedException(
                "the certificate of " + chain[0].getSubjectX500Principal() + ", issued by "
                        + chain[0].getIssuerX500Principal() + ", is not accepted: " + ground.getMessage()
                        + (ground instanceof CertPathBuilderException ? "; " + remedy : ""),
                judgement);
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
            throws CertificateException {
        try {
            judge.checkServerTrusted(chain, type, engine);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final Socket socket)
            throws CertificateException {
        try {
            judge.checkServerTrusted(chain, type, socket);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type) throws CertificateException {
        try {
            judge.checkServerTrusted(chain, type);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
            throws CertificateException {
        judge.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final Socket socket)
            throws CertificateException {
        judge.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type) throws CertificateException {
        judge.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return judge.getAcceptedIssuers();
    }
}
