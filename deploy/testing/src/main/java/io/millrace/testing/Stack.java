package io.millrace.testing;

import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A real Kafka broker and a real MariaDB server for tests.
 *
 * <p>Each starts at first use, once per JVM for all class loaders, as a child process that ends with this JVM. It runs in a
 * container if a Docker engine is available, otherwise embedded; one line on standard error names the choice and its reason.
 * Settings, each a system property or (upper case, underscores) an environment variable:
 *
 * <ul>
 *   <li>{@code millrace.test.stack}: {@code auto} (default), {@code containers} (fail rather than fall back) or
 *       {@code embedded};
 *   <li>{@code millrace.test.kafka.image}, {@code millrace.test.mariadb.image}: images compatible with the default
 *       ones.
 * </ul>
 */
public final class Stack {
    // Clients log their whole configuration at INFO.
    private static final Logger KAFKA_CLIENTS = Logger.getLogger("org.apache.kafka");

    /**
     * Properties of a Kafka client of a test. With the timeouts of Millrace, a test would fail on a machine that stops the broker for 20 s;
     * services repeat their work after it.
     */
    public static final Map<String, Object> PATIENT =
            Map.of("default.api.timeout.ms", 300_000, "delivery.timeout.ms", 300_000, "max.block.ms", 300_000);

    private Stack() {}

    /** The running broker. All tests of a JVM share it, so topics and keys must not collide. */
    public static Kafka kafka() {
        KAFKA_CLIENTS.setLevel(Level.WARNING);
        return new Kafka(ChildProcess.addressOf("kafka"));
    }

    /** The running database server. */
    public static MariaDb mariadb() {
        String[] parts = ChildProcess.addressOf("mariadb").split("\\s+");
        return new MariaDb(parts[0], parts[1], parts[2]);
    }

    /**
     * A running broker.
     *
     * @param bootstrapServers host and port; the broker does not create topics automatically
     */
    public record Kafka(String bootstrapServers) {}
}
