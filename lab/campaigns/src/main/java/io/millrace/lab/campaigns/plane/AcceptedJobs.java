package io.millrace.lab.campaigns.plane;

import io.millrace.story.Pause;
import io.millrace.story.StackParts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** Adds copies of an accepted job to the read model: older, and of many users. */
final class AcceptedJobs {

    /** One of the users, with a thousandth of the jobs. */
    static final String OWNER = "user7";

    private static final int AT_ONCE = 50_000;

    /** Settings for a large site; the defaults of the embedded server are for a laptop. */
    private static final List<String> SERVER = List.of(
            "set global innodb_buffer_pool_size = 512 * 1024 * 1024",
            "set global innodb_log_file_size = 256 * 1024 * 1024",
            "set global innodb_flush_log_at_trx_commit = 2");

    private static final String COPY = "insert into global_job (id, owner, state, is_final, version, digest,"
            + " submitted, since, body, stop_body) select concat(convert(left(j.id, 10) using utf8mb4), lpad(conv(n.seq,"
            + " 10, 16), 16, '0')), concat('user', n.seq %% 1000), 'Waiting', false, 0, j.digest, j.submitted - interval"
            + " n.seq second, j.since - interval n.seq second, replace(j.body, concat('\"', j.owner, '\"'),"
            + " concat('\"user', n.seq %% 1000, '\"')), null from seq_%d_to_%d n join (select * from global_job where"
            + " owner = ? order by version limit 1) j";

    private static final int SETTLED_PAGES = 100;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private AcceptedJobs() {}

    /** @param owner of the job to copy */
    static void add(final StackParts stack, final String owner, final int jobs) {
        try (Connection connection = PlaneFigures.database(stack);
                Statement statement = connection.createStatement()) {
            for (final String setting : SERVER) {
                statement.execute(setting);
            }
            for (int from = 1; from <= jobs; from += AT_ONCE) {
                copy(connection, COPY.formatted(from, Math.min(jobs, from + AT_ONCE - 1)), owner);
            }
            statement.execute("analyze table global_job");
            writeToDisk(statement);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot fill the read model: " + e.getMessage(), e);
        }
    }

    /** Otherwise the server would do this while pages are measured. */
    private static void writeToDisk(final Statement statement) throws SQLException {
        statement.execute("set global innodb_max_dirty_pages_pct = 0");
        while (dirtyPages(statement) > SETTLED_PAGES) {
            Pause.of(POLL_INTERVAL);
        }
        statement.execute("set global innodb_max_dirty_pages_pct = default");
    }

    private static long dirtyPages(final Statement statement) throws SQLException {
        try (ResultSet status = statement.executeQuery("show global status like 'Innodb_buffer_pool_pages_dirty'")) {
            status.next();
            return status.getLong(2);
        }
    }

    private static void copy(final Connection connection, final String sql, final String owner) throws SQLException {
        try (PreparedStatement copy = connection.prepareStatement(sql)) {
            copy.setString(1, owner);
            copy.executeUpdate();
        }
    }
}
