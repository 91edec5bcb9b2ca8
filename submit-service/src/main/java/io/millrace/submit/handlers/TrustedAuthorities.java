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

/** Certificate authorities that a webhook or the mail server may have. The JDK validates; a refused certificate is reported with its subject and issuer. */
final class TrustedAuthorities extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager delegate;
    private final String remedy;

    /** The certificate of a receiver was refused. */
    static final class CertificateRefusedException extends CertificateException {
        private static final long serialVersionUID = 1L;

        private CertificateRefusedException(final String message, final CertificateException cause) {
            super(message, cause);
        }
    }

    private TrustedAuthorities(final X509ExtendedTrustManager delegate, final String remedy) {
        this.delegate = delegate;
        this.remedy = remedy;
    }

    /**
     * @param file PEM certificates of the only accepted authorities; null: those of the JVM
     * @param setting name of the setting of this file, for messages
     * @throws IllegalArgumentException if the file contains no certificate
     */
    static SSLContext context(final @Nullable Path file, final String setting) {
        try {
            final String remedy = file == null
                    ? "configure its certificate authority with '" + setting + "'"
                    : "its issuer is not in " + setting + " " + file;
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null, new TrustManager[] {new TrustedAuthorities(delegate(store(file, setting)), remedy)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    /** Null: the authorities of the JVM. */
    private static X509ExtendedTrustManager delegate(final @Nullable KeyStore accepted)
            throws GeneralSecurityException {
        final TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(accepted);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable KeyStore store(final @Nullable Path file, final String setting)
            throws GeneralSecurityException {
        if (file == null) {
            return null;
        }
        try {
            final KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (final Certificate authority : certificates(file, setting)) {
                store.setCertificateEntry("authority-" + number++, authority);
            }
            if (number == 0) {
                throw new IllegalArgumentException(setting + " " + file + " contains no certificate");
            }
            return store;
        } catch (IOException e) {
            throw new IllegalArgumentException(setting + " " + file + " cannot be read: " + e, e);
        }
    }

    private static Collection<? extends Certificate> certificates(final Path file, final String setting)
            throws IOException, GeneralSecurityException {
        try (InputStream pem = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(pem);
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    setting + " " + file + " contains no PEM certificates: " + e.getMessage(), e);
        }
    }

    /** Adds subject and issuer to the error of the JDK. */
    private CertificateRefusedException refused(final X509Certificate[] chain, final CertificateException cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new CertificateRefusedException(
                "the certificate of " + chain[0].getSubjectX500Principal() + ", issued by "
                        + chain[0].getIssuerX500Principal() + ", is not trusted: " + root.getMessage()
                        + (root instanceof CertPathBuilderException ? "; " + remedy : ""),
                cause);
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
            throws CertificateException {
        try {
            delegate.checkServerTrusted(chain, type, engine);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final Socket socket)
            throws CertificateException {
        try {
            delegate.checkServerTrusted(chain, type, socket);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type) throws CertificateException {
        try {
            delegate.checkServerTrusted(chain, type);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
            throws CertificateException {
        delegate.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final Socket socket)
            throws CertificateException {
        delegate.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type) throws CertificateException {
        delegate.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return delegate.getAcceptedIssuers();
    }
}
