package io.millrace.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The site's own properties of Kafka clients, in the format of Kafka's tools ({@code --command-config}), as a rule the login. */
public final class ClientProperties {

    private ClientProperties() {}

    /**
     * Reads a file; its values, which may be passwords, are not part of any message.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static Map<String, Object> read(final Path file) {
        final Properties properties = new Properties();
        try (var in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (final IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "cannot read the Kafka client properties '" + file + "' ("
                            + e.getClass().getSimpleName()
                            + "); set millrace.kafka.client-properties to a readable file of key=value lines",
                    e);
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toUnmodifiableMap(key -> key, properties::getProperty));
    }
}
