package io.millrace.testing;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The one door through which tests get a real Kafka broker and a real MariaDB server.
 *
 * <p>Each is started at first use, once per JVM whatever class loaders a test framework opens, as a child process that
 * ends with this JVM however it ends. Where a Docker engine answers they are containers, otherwise they run embedded;
 * one line on standard error says which and why. Settings, each a system property or (upper case, underscores) an
 * environment variable:
 *
 * <ul>
 *   <li>{@code millrace.test.stack}: {@code auto} (default), {@code containers} (fail rather than fall back) or
 *       {@code embedded};
 *   <li>{@code millrace.test.kafka.image}, {@code millrace.test.mariadb.image}: images compatible with the default
 *       ones.
 * </ul>
 */
public final class Stack {
    // Clients print their whole configuration at INFO; a test's own output would drown in it.
    private static final Logger KAFKA_CLIENTS = Logger.getLogger("org.apache.kafka");

    private Stack() {}

    /** The broker, running. Topics are the caller's own: name them so that no other test meets them. */
    public static Kafka kafka() {
        KAFKA_CLIENTS.setLevel(Level.WARNING);
        return new Kafka(ChildProcess.addressOf("kafka"));
    }

    /** The database server, running. */
    public static MariaDb mariadb() {
        String[] parts = ChildProcess.addressOf("mariadb").split("\\s+");
        return new MariaDb(parts[0], parts[1], parts[2]);
    }

    /**
     * A running broker.
     *
     * @param bootstrapServers host and port; it creates no topic by accident
     */
    public record Kafka(String bootstrapServers) {}
}
