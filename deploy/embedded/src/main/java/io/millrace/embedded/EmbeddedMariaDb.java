package io.millrace.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real MariaDB server in a separate process on the loopback interface. It has one account, {@code millrace}, with all
 * privileges; the default accounts are removed. The data folder is kept when the server stops.
 */
public final class EmbeddedMariaDb implements AutoCloseable {
    public static final String USER = "millrace";

    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    private final Process server;
    private final int port;
    private final String password;

    private EmbeddedMariaDb(Process server, int port, String password) {
        this.server = server;
        this.port = port;
        this.password = password;
    }

    /**
     * Starts a server and returns once it accepts clients.
     *
     * @param programs folder that holds the unpacked server (about 350 MB), filled if empty; may be shared
     * @param data folder for its tables; created if it does not exist
     * @param wantedPort TCP port; 0: any free port
     * @param password of the account {@link #USER}; letters and digits
     * @throws IOException if the server ends early or does not answer within 90 s; the message ends with its log
     */
    public static EmbeddedMariaDb start(Path programs, Path data, int wantedPort, String password) throws IOException {
        if (!password.matches("[A-Za-z0-9]{8,}")) {
            throw new IllegalArgumentException("the database password must be 8 or more letters and digits");
        }
        QuietLogging.apply();
        MariaDbFiles files = new MariaDbFiles(programs.toAbsolutePath(), data.toAbsolutePath());
        files.prepare();
        int port = FreePort.orWanted(wantedPort);
        Path accounts = writeAccounts(files.data(), password);
        ProcessBuilder command = files.command("bin/mariadbd", options(files.data(), port, accounts));
        EmbeddedMariaDb started = new EmbeddedMariaDb(command.start(), port, password);
        try {
            started.awaitReady(files);
        } catch (IOException failure) {
            started.close();
            throw failure;
        } finally {
            Files.deleteIfExists(accounts);
        }
        return started;
    }

    /** The JDBC URL of the database with this name, which may not exist yet. */
    public String jdbcUrl(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database;
    }

    public String password() {
        return password;
    }

    /** The id of the server's process. */
    public long pid() {
        return server.pid();
    }

    /** Creates the database (utf8mb4) if it does not exist. The name has letters, digits and underscores only. */
    public void createDatabase(String name) throws SQLException {
        if (!name.matches("\\w+")) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a valid database name: use letters, digits and '_'");
        }
        try (Connection connection = DriverManager.getConnection(jdbcUrl(""), USER, password);
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS `" + name + "`");
        }
    }

    @Override
    public void close() {
        server.destroy();
        try {
            if (!server.waitFor(120, TimeUnit.SECONDS)) {
                server.destroyForcibly().waitFor();
            }
        } catch (InterruptedException interrupted) {
            server.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /**
     * {@code --data=FOLDER --programs=FOLDER [--port=N] [--database=NAME] [--with-parent] [--detach]}, the password in
     * the environment variable {@code MILLRACE_DB_PASSWORD}. With {@code --detach} this process ends when the server is
     * ready and the server keeps running; otherwise it runs until SIGTERM, or with {@code --with-parent} until standard input ends.
     */
    public static void main(String... args) throws IOException, SQLException {
        Invocation invocation = Invocation.parse(args);
        String password = System.getenv().getOrDefault("MILLRACE_DB_PASSWORD", "");
        EmbeddedMariaDb mariadb =
                start(invocation.path("programs"), invocation.path("data"), invocation.number("port", 0), password);
        String database = invocation.options().get("--database");
        if (database != null) {
            mariadb.createDatabase(database);
        }
        String what = "mariadb 127.0.0.1:" + mariadb.port + " pid " + mariadb.pid();
        if (invocation.has("detach")) {
            System.out.println("ready " + what);
            return;
        }
        invocation.serve(what, mariadb);
    }

    private static List<String> options(Path data, int port, Path accounts) {
        return List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                // A path in the data folder may be longer than the 107 bytes that a socket's address can hold.
                "--socket=" + Path.of(System.getProperty("java.io.tmpdir"), "millrace-mariadb-" + port + ".sock"),
                "--pid-file=" + data.resolve("mariadbd.pid"),
                "--init-file=" + accounts,
                "--skip-ssl",
                "--skip-name-resolve",
                "--character-set-server=utf8mb4",
                "--collation-server=utf8mb4_unicode_ci",
                "--performance-schema=OFF",
                "--innodb-buffer-pool-size=32M",
                "--innodb-log-file-size=16M",
                "--innodb-log-buffer-size=2M",
                "--aria-pagecache-buffer-size=1M",
                "--key-buffer-size=256K",
                "--query-cache-size=0",
                "--table-open-cache=256",
                "--max-connections=120",
                "--ignore-db-dirs=tmp");
    }

    private static Path writeAccounts(Path data, String password) throws IOException {
        Path file = Files.createTempFile(
                data,
                "accounts",
                ".sql",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, """
                CREATE OR REPLACE USER '%1$s'@'127.0.0.1' IDENTIFIED BY '%2$s';
                GRANT ALL ON *.* TO '%1$s'@'127.0.0.1' WITH GRANT OPTION;
                DELETE FROM mysql.global_priv WHERE User NOT IN ('%1$s', 'mariadb.sys');
                FLUSH PRIVILEGES;
                """.formatted(USER, password));
    }

    private void awaitReady(MariaDbFiles files) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (server.isAlive() && System.nanoTime() < deadline) {
            try (Connection ready = DriverManager.getConnection(jdbcUrl(""), USER, password)) {
                return;
            } catch (SQLException notYet) {
                pause();
            }
        }
        String what = server.isAlive() ? "did not answer within " + START_LIMIT.toSeconds() + " s" : "ended early";
        throw new IOException("MariaDB " + what + "; its log " + files.log() + " ends with:\n" + files.lastLines());
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(100);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while MariaDB was starting", interrupted);
        }
    }
}
