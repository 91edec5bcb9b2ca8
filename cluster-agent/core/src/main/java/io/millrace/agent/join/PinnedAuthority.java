package io.millrace.agent.join;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts only the authority whose SHA-256 an invitation contains. The server shows its certificate; then the chain and the host name are verified
 * as always, with this certificate as the only authority.
 */
final class PinnedAuthority extends X509ExtendedTrustManager {

    private final String fingerprint;
    private @Nullable X509Certificate found;

    /** @param fingerprint in hexadecimal */
    PinnedAuthority(final String fingerprint) {
        this.fingerprint = fingerprint;
    }

    SSLContext context() throws GeneralSecurityException {
        if (fingerprint.isEmpty()) {
            return SSLContext.getDefault(); // a proxy ends TLS; the authorities of the JVM apply
        }
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {this}, null);
        return context;
    }

    /** The authority, after a connection; null before. */
    @Nullable
    X509Certificate found() {
        return found;
    }

    private X509ExtendedTrustManager strict(final X509Certificate[] chain) throws CertificateException {
        try {
            final X509Certificate authority = Arrays.stream(chain)
                    .filter(this::isPinned)
                    .findFirst()
                    .orElseThrow(() -> new CertificateException(
                            "the certificate of the service is not of the authority that the invitation names"));
            final KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry("authority", authority);
            final TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            found = authority;
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (final CertificateException e) {
            throw e;
        } catch (final GeneralSecurityException | java.io.IOException e) {
            throw new CertificateException("the certificate of the service cannot be verified", e);
        }
    }

    private boolean isPinned(final X509Certificate certificate) {
        try {
            final byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.of().formatHex(digest).equals(fingerprint);
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
            throws CertificateException {
        strict(chain).checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final java.net.Socket socket)
            throws CertificateException {
        strict(chain).checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type) throws CertificateException {
        throw new CertificateException("a connection without a host name cannot be verified");
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type) throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final java.net.Socket socket)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
