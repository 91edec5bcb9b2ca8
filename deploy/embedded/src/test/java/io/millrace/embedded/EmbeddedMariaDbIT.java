package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedMariaDbIT {
    private static final String PASSWORD = "secret0123";

    @TempDir
    Path data;

    @Test
    void rows_outlive_a_restart_and_only_the_one_account_gets_in() throws Exception {
        try (EmbeddedMariaDb mariadb = start()) {
            mariadb.createDatabase("jobs");
            execute(mariadb, "CREATE TABLE job (name VARCHAR(50))");
            execute(mariadb, "INSERT INTO job VALUES ('Grüße 🌊')");
            assertThatThrownBy(() -> DriverManager.getConnection(mariadb.jdbcUrl(""), "root", "")
                            .close())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("Access denied");
        }
        try (EmbeddedMariaDb again = start()) {
            again.createDatabase("jobs");
            assertThat(theName(again)).isEqualTo("Grüße 🌊");
        }
    }

    @Test
    void temporary_tables_are_not_in_a_folder_that_other_servers_clear_when_they_start() throws Exception {
        try (EmbeddedMariaDb mariadb = start()) {
            mariadb.createDatabase("jobs");
            assertThat(text(mariadb, "SELECT @@tmpdir"))
                    .isEqualTo(data.resolve("data").resolve("tmp").toString());
            assertThat(text(mariadb, "SELECT GROUP_CONCAT(schema_name) FROM information_schema.schemata"))
                    .doesNotContain("tmp");
        }
    }

    @Test
    void a_taken_port_is_named() throws Exception {
        try (EmbeddedMariaDb mariadb = start()) {
            int port = Integer.parseInt(mariadb.jdbcUrl("").replaceAll("\\D*127.0.0.1:(\\d+)/", "$1"));
            assertThatThrownBy(() -> EmbeddedMariaDb.start(programs(), data.resolve("other"), port, PASSWORD))
                    .hasMessageContaining("port " + port)
                    .hasMessageContaining("is in use");
        }
    }

    private EmbeddedMariaDb start() throws Exception {
        return EmbeddedMariaDb.start(programs(), data.resolve("data"), 0, PASSWORD);
    }

    private static Path programs() {
        return Path.of("target", "mariadb");
    }

    private static void execute(EmbeddedMariaDb mariadb, String sql) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(mariadb.jdbcUrl("jobs"), EmbeddedMariaDb.USER, PASSWORD);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String theName(EmbeddedMariaDb mariadb) throws SQLException {
        return text(mariadb, "SELECT name FROM job");
    }

    private static String text(EmbeddedMariaDb mariadb, String query) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(mariadb.jdbcUrl("jobs"), EmbeddedMariaDb.USER, PASSWORD);
                var statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }
}
