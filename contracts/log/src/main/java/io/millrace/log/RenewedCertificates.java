package io.millrace.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of Kafka clients whose certificates are renewed while they run: each new connection uses the files of trust store and key store as they
 * are then. Kafka's own factory reads them once. Kafka creates the object.
 */
public final class RenewedCertificates implements SslEngineFactory {

    private static final Logger LOG = LoggerFactory.getLogger(RenewedCertificates.class);
    private static final List<String> FILES =
            List.of(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG);

    private Map<String, ?> settings = Map.of();
    private Map<Path, FileTime> read = Map.of();
    private SslEngineFactory current = new DefaultSslEngineFactory();

    @Override
    public synchronized void configure(final Map<String, ?> configs) {
        settings = new HashMap<>(configs);
        read = changeTimes();
        current.configure(settings);
    }

    @Override
    public synchronized SSLEngine createClientSslEngine(
            final String peerHost, final int peerPort, final String endpointIdentification) {
        renew();
        return current.createClientSslEngine(peerHost, peerPort, endpointIdentification);
    }

    /** A file that cannot be read, because it is being written, is read again for the next connection. */
    private void renew() {
        final Map<Path, FileTime> now = changeTimes();
        if (now.equals(read)) {
            return;
        }
        final SslEngineFactory renewed = new DefaultSslEngineFactory();
        try {
            renewed.configure(settings);
            current = renewed;
            read = now;
            LOG.info("Certificates for the connection to Kafka read again: files={}", now.keySet());
        } catch (final KafkaException e) {
            LOG.warn("Changed certificates for the connection to Kafka cannot be read: reason={}", e.getMessage());
        }
    }

    private Map<Path, FileTime> changeTimes() {
        final Map<Path, FileTime> times = new HashMap<>();
        for (final String key : FILES) {
            if (settings.get(key) instanceof String file) {
                try {
                    times.put(Path.of(file), Files.getLastModifiedTime(Path.of(file)));
                } catch (final IOException e) {
                    LOG.debug("no time of change of '{}'", file, e);
                }
            }
        }
        return times;
    }

    @Override
    public SSLEngine createServerSslEngine(final String peerHost, final int peerPort) {
        throw new UnsupportedOperationException("for clients only");
    }

    @Override
    public boolean shouldBeRebuilt(final Map<String, Object> nextConfigs) {
        return false;
    }

    @Override
    public Set<String> reconfigurableConfigs() {
        return Set.of();
    }

    @Override
    public synchronized KeyStore keystore() {
        return current.keystore();
    }

    @Override
    public synchronized KeyStore truststore() {
        return current.truststore();
    }

    @Override
    public synchronized void close() throws IOException {
        current.close();
    }
}
