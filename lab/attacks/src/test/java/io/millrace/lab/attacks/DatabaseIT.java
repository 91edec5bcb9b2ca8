package io.millrace.lab.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testing.Attack;
import io.millrace.testing.MariaDb;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Proxy;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Logins to the embedded database that a user of its host can try. */
class DatabaseIT {

    private final MariaDb database = Stack.mariadb();

    @Test
    void the_password_opens_the_database() throws SQLException {
        try (Connection connection = connect(database.user(), database.password())) {
            assertThat(connection.isValid(60)).isTrue();
        }
    }

    @Attack("a login to the database with a default, empty or guessed password")
    @TestFactory
    List<DynamicTest> no_other_password_does() {
        final String good = database.password();
        return Stream.of(
                        new String[] {"root", ""},
                        new String[] {"root", "root"},
                        new String[] {"root", "password"},
                        new String[] {"root", good.substring(1)},
                        new String[] {"root", good + " "},
                        new String[] {"root", good.toUpperCase(java.util.Locale.ROOT) + "'"},
                        new String[] {"", ""},
                        new String[] {"", good},
                        new String[] {"millrace", ""},
                        new String[] {"millrace", "millrace"},
                        new String[] {"mysql", ""},
                        new String[] {"mariadb.sys", ""},
                        new String[] {"admin", "admin"},
                        new String[] {"test", ""},
                        new String[] {"' OR 1=1 -- ", ""})
                .map(login -> DynamicTest.dynamicTest(
                        "'" + login[0] + "' with " + login[1].length() + " characters",
                        () -> assertThatThrownBy(
                                        () -> connect(login[0], login[1]).close())
                                .isInstanceOf(SQLException.class)
                                .hasMessageContaining("Access denied")))
                .toList();
    }

    private Connection connect(final String user, final String password) throws SQLException {
        return DriverManager.getConnection("jdbc:mariadb://" + database.address() + "/", user, password);
    }

    @Attack("another host reaches the embedded database or broker")
    @TestFactory
    List<DynamicTest> other_addresses_of_this_host_do_not_listen() throws Exception {
        final List<DynamicTest> tests = new ArrayList<>();
        for (final String server : List.of(database.address(), Stack.kafka().bootstrapServers())) {
            final int port = Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
            for (final InetAddress address : addresses()) {
                tests.add(DynamicTest.dynamicTest(
                        "port of " + server + " on " + address.getHostAddress(),
                        () -> assertThatThrownBy(() -> {
                                    try (Socket socket = new Socket(Proxy.NO_PROXY)) {
                                        socket.connect(new InetSocketAddress(address, port));
                                    }
                                })
                                .as("an interface of another test may have gone")
                                .isInstanceOf(IOException.class)));
            }
        }
        return tests;
    }

    private static List<InetAddress> addresses() throws java.net.SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress())
                .toList();
    }
}
