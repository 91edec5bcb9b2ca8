package io.millrace.testing;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives the {@link Stack} to a {@code @QuarkusTest}: annotate the test with
 *
 * <pre>{@code
 * @WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
 * }</pre>
 *
 * <p>Without the argument {@code database} only Kafka is started; with it the default datasource points at a fresh
 * database of that name.
 */
public final class KafkaAndMariaDb implements QuarkusTestResourceLifecycleManager {
    private String database = "";

    @Override
    public void init(Map<String, String> arguments) {
        database = arguments.getOrDefault("database", "");
    }

    @Override
    public Map<String, String> start() {
        Map<String, String> settings = new HashMap<>();
        String servers = Stack.kafka().bootstrapServers();
        settings.put("millrace.kafka.bootstrap-servers", servers);
        if (!database.isEmpty()) {
            MariaDb mariadb = Stack.mariadb();
            settings.put("quarkus.datasource.jdbc.url", mariadb.jdbcUrl(database));
            settings.put("quarkus.datasource.username", mariadb.user());
            settings.put("quarkus.datasource.password", mariadb.password());
        }
        return settings;
    }

    @Override
    public void stop() {
        // All tests of this JVM share the stack; it ends with the JVM.
    }
}
