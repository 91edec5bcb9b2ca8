package io.millrace.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A running MariaDB server and the account that may do everything on it.
 *
 * @param address host and port
 */
public record MariaDb(String address, String user, String password) {
    /**
     * Creates the database anew, empty even where an earlier test left one of that name, and returns its address.
     *
     * @param database letters, digits, underscores
     */
    public String jdbcUrl(String database) {
        if (!database.matches("\\w+")) {
            throw new IllegalArgumentException("'" + database + "' is no database name: use letters, digits, '_'");
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
