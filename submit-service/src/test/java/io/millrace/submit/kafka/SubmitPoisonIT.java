package io.millrace.submit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.testing.Attack;
import io.millrace.testing.MariaDb;
import io.millrace.testing.Stack;
import io.millrace.testing.service.PoisonedLog;
import io.millrace.testing.service.ServiceProcess;
import io.millrace.testing.service.TestLog;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service on a log of its own that is full of poison: its projection goes on, also after it was killed. */
@Timeout(900)
class SubmitPoisonIT {

    private static final int RECORDS = 1_500;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final MariaDb mariadb = Stack.mariadb();
    private final String database = mariadb.jdbcUrl("submit_poison");

    @Attack("poisoned records on every topic stop the projection of submit-service")
    @Test
    void the_read_model_shows_the_next_good_record_now_and_after_a_restart(
            @TempDir final Path data, @TempDir final Path folder) throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(data, 0);
                TestLog log = new TestLog(broker.bootstrapServers())) {
            final String[] settings = {
                "-Dmillrace.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                "-Dmillrace.submit.key-dir=" + folder.resolve("keys"),
                "-Dmillrace.submit.trusted-keys-dir=" + folder.resolve("keys/trusted"),
                "-Dquarkus.datasource.jdbc.url=" + database,
                "-Dquarkus.datasource.username=" + mariadb.user(),
                "-Dquarkus.datasource.password=" + mariadb.password()
            };
            try (ServiceProcess service = ServiceProcess.start(settings)) {
                service.awaitListening();
                showsNext(log, 1);
                PoisonedLog.write(log.servers(), 1367, RECORDS);
                showsNext(log, 2);
                assertThat(ServiceProcess.metrics(service.management()))
                        .as("records are set aside and counted")
                        .contains("millrace_dead_letters_total{");
                PoisonedLog.write(log.servers(), 1368, RECORDS);
                service.kill();
            }
            try (ServiceProcess again = ServiceProcess.start(settings)) {
                again.awaitListening();
                showsNext(log, 3);
            }
        }
    }

    /** Submits a job and waits until the read model has it. */
    private void showsNext(final TestLog log, final int number) throws SQLException, InterruptedException {
        final String id = "01JNFQ6M5T8W3KZX9B2C4D7E9" + number;
        log.put(PoisonedLog.sample("millrace.job.submitted.v1.free", "01JNFQ6M5T8W3KZX9B2C4D7E1F", id));
        final long until = System.nanoTime() + LIMIT.toNanos();
        while (!isShown(id)) {
            assertThat(System.nanoTime()).as("job %s is not shown", id).isLessThan(until);
            Thread.sleep(100);
        }
    }

    private boolean isShown(final String id) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database, mariadb.user(), mariadb.password());
                PreparedStatement query = connection.prepareStatement("select 1 from global_job where id = ?")) {
            query.setString(1, id);
            try (ResultSet found = query.executeQuery()) {
                return found.next();
            }
        }
    }
}
