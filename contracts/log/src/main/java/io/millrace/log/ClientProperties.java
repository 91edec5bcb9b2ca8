package io.millrace.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The site's own properties of Kafka clients, in the format of Kafka's tools ({@code --command-config}), as a rule the login. */
public final class ClientProperties {

    private ClientProperties() {}

    /**
     * Reads a file; its values, which may be passwords, are not part of any message.
     *
     * @throws IllegalArgumentException if it cannot be read, or can be changed by all users: its properties name brokers and classes
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
        checkThatOthersCannotChange(file);
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toUnmodifiableMap(key -> key, properties::getProperty));
    }

    private static void checkThatOthersCannotChange(final Path file) {
        try {
            if (Files.isRegularFile(file) // not /dev/null, which stands for no properties
                    && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new IllegalArgumentException(
                        "the Kafka client properties '" + file
                                + "' can be changed by every user of this host; run chmod o-w on the file, and check its content");
            }
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read the permissions of '" + file + "'", e);
        }
    }
}
