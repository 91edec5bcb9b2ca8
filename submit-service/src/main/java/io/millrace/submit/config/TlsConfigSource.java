package io.millrace.submit.config;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Sets Quarkus' settings for TLS from {@code millrace.submit.tls}. */
public final class TlsConfigSource implements ConfigSourceFactory {

    static final String CERTIFICATE = "millrace.submit.tls.certificate";
    static final String KEY = "millrace.submit.tls.key";

    private static final String NAME = "millrace";

    /** Above application.yaml, below system properties and the environment. */
    private static final int ORDINAL = 275;

    @Override
    public Iterable<ConfigSource> getConfigSources(final ConfigSourceContext context) {
        final String certificate = text(context.getValue(CERTIFICATE));
        final String key = text(context.getValue(KEY));
        if (certificate.isEmpty() || key.isEmpty()) {
            return List.of(); // ListenSafely refuses one without the other
        }
        final Map<String, String> settings = new HashMap<>();
        settings.put("quarkus.tls." + NAME + ".key-store.pem.\"0\".cert", certificate);
        settings.put("quarkus.tls." + NAME + ".key-store.pem.\"0\".key", key);
        settings.put("quarkus.tls." + NAME + ".protocols", "TLSv1.3,TLSv1.2");
        settings.put("quarkus.tls." + NAME + ".reload-period", "30s");
        settings.put("quarkus.http.tls-configuration-name", NAME);
        settings.put("quarkus.http.insecure-requests", "disabled");
        settings.put("quarkus.http.ssl-port", text(context.getValue("quarkus.http.port")));
        settings.put("quarkus.http.header.\"Strict-Transport-Security\".value", "max-age=31536000");
        return List.of(new PropertiesConfigSource(settings, "millrace.submit.tls", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }

    private static String text(final ConfigValue value) {
        return value == null || value.getValue() == null ? "" : value.getValue().strip();
    }
}
