package io.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

class StackIT {
    @Test
    void the_broker_keeps_topics_and_is_the_same_one_at_each_asking() throws Exception {
        Stack.Kafka kafka = Stack.kafka();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic("stack-it", 3, (short) 1)))
                    .all()
                    .get();
            assertThat(admin.describeTopics(List.of("stack-it"))
                            .allTopicNames()
                            .get()
                            .get("stack-it")
                            .partitions())
                    .hasSize(3);
        }
        assertThat(Stack.kafka()).isEqualTo(kafka);
    }

    @Test
    void a_database_asked_for_again_is_empty_again() throws Exception {
        MariaDb mariadb = Stack.mariadb();
        createTable(mariadb, mariadb.jdbcUrl("stack_it"));
        createTable(mariadb, mariadb.jdbcUrl("stack_it"));
        assertThat(Stack.mariadb()).isEqualTo(mariadb);
    }

    private static void createTable(MariaDb mariadb, String url) throws Exception {
        try (var connection = DriverManager.getConnection(url, mariadb.user(), mariadb.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE job (id INT)");
        }
    }
}
