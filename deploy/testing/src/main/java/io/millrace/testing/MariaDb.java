package io.millrace.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A running MariaDB server and an account with all privileges.
 *
 * @param address host and port
 */
public record MariaDb(String address, String user, String password) {
    /**
     * Creates an empty database, replacing one of the same name, and returns its JDBC URL.
     *
     * @param database letters, digits, underscores
     */
    public String jdbcUrl(String database) {
        if (!database.matches("\\w+")) {
            throw new IllegalArgumentException(
                    "'" + database + "' is not a valid database name: use letters, digits and '_'");
        }
        String server = "jdbc:mariadb://" + address + "/";
        try (Connection connection = DriverManager.getConnection(server, user, password);
                var statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS `" + database + "`");
            statement.execute("CREATE DATABASE `" + database + "` CHARACTER SET utf8mb4");
        } catch (SQLException failure) {
            throw new IllegalStateException("cannot create database '" + database + "' at " + address, failure);
        }
        return server + database;
    }
}
