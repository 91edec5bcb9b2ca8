package io.millrace.submit.handlers;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An HTTPS endpoint with a certificate of a private authority. */
final class TlsReceiver implements AutoCloseable {

    private final HttpsServer server;
    private final AtomicInteger taken = new AtomicInteger();
    private final PrivateCertificate certificate;

    /** @param host host of the certificate, e.g. {@code ip:127.0.0.1} */
    TlsReceiver(final Path folder, final String host) throws IOException, GeneralSecurityException {
        certificate = PrivateCertificate.make(folder, host);
        final KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(certificate.keys(), PrivateCertificate.PASSWORD.toCharArray());
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

    /** The file of the authority's certificate. */
    Path authority() {
        return certificate.authority();
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
