package io.millrace.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.security.scram.ScramLoginModule;

/**
 * How clients log in at the broker, and broker and controller at each other.
 *
 * <p>SCRAM, and not PLAIN: while the broker is stopped, any account can listen on its port, and must not learn the password from a client
 * that connects.
 *
 * @param settings of the broker
 */
record BrokerLogin(Map<String, String> settings) {

    /** No login: every process of this machine is allowed everything. */
    static final BrokerLogin NONE = new BrokerLogin(protocol("PLAINTEXT"));

    private static final String MECHANISM = "SCRAM-SHA-512";
    private static final String AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer";
    private static final String CLIENTS_LOGIN = "listener.name.clients.scram-sha-512.sasl.jaas.config";
    private static final Pattern USERNAME = Pattern.compile(" username=\"([^\"\\\\]+)\"");
    private static final Pattern PASSWORD = Pattern.compile(" password=\"([^\"\\\\]+)\"");
    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    BrokerLogin {
        settings = Map.copyOf(settings);
    }

    /**
     * Reads the file with which clients log in: {@code security.protocol=SASL_PLAINTEXT} or {@code SASL_SSL}, {@code sasl.mechanism=SCRAM-SHA-512} and, in
     * {@code sasl.jaas.config}, the only account that the broker knows. The account is not stored in the broker's data, so a new file
     * is in force at the next start.
     *
     * @throws IOException if the file cannot be read, is accessible to other users, or lacks a property
     */
    static BrokerLogin read(Path clientProperties) throws IOException {
        Properties client = clientProperties(clientProperties);
        String account = client.getProperty("sasl.jaas.config");
        Map<String, String> settings = new HashMap<>(protocol("SASL_PLAINTEXT"));
        settings.put("sasl.enabled.mechanisms", MECHANISM);
        settings.put("sasl.mechanism.inter.broker.protocol", MECHANISM);
        settings.put("sasl.mechanism.controller.protocol", MECHANISM);
        for (String listener : List.of("clients", "controller")) {
            String prefix = "listener.name." + listener + ".scram-sha-512.sasl.";
            settings.put(prefix + "jaas.config", account);
            settings.put(prefix + "server.callback.handler.class", AccountFiles.class.getName());
        }
        return new BrokerLogin(settings);
    }

    /**
     * As {@link #read(Path)}, with further accounts that may do what the access lists of the broker allow and nothing else. The account of the
     * file may do everything.
     *
     * @param accounts a folder with a file of client properties for each account, {@code ACCOUNT.properties}; see {@link AccountFiles}
     */
    static BrokerLogin read(Path clientProperties, Path accounts) throws IOException {
        Map<String, String> settings = new HashMap<>(read(clientProperties).settings());
        String login = Objects.requireNonNull(settings.get(CLIENTS_LOGIN), CLIENTS_LOGIN);
        Matcher account = USERNAME.matcher(login);
        if (!account.find()) {
            throw new IOException("'" + clientProperties + "': sasl.jaas.config lacks username=\"NAME\"");
        }
        settings.put("authorizer.class.name", AUTHORIZER);
        settings.put("allow.everyone.if.no.acl.found", "false");
        settings.put("super.users", "User:" + account.group(1));
        // Not at the controller's port, which only broker and controller use.
        settings.put(
                CLIENTS_LOGIN,
                login.replaceFirst(";\\s*$", "") + " " + AccountFiles.FOLDER + "=" + quoted(accounts) + ";");
        return new BrokerLogin(settings);
    }

    /**
     * The same, with TLS at the port of the clients. Broker and controller talk on the loopback interface, without it.
     *
     * @param identity PEM file with the private key (PKCS #8) and the certificate of the broker
     * @param authority PEM file with the certificate of the authority, for the broker's connections to itself
     */
    BrokerLogin withTls(Path identity, Path authority) {
        Map<String, String> more = new HashMap<>(settings);
        more.put("listener.security.protocol.map", "CLIENTS:SASL_SSL,CONTROLLER:SASL_PLAINTEXT");
        Map.of("keystore", identity, "truststore", authority).forEach((store, file) -> {
            more.put("listener.name.clients.ssl." + store + ".type", "PEM");
            more.put(
                    "listener.name.clients.ssl." + store + ".location",
                    file.toAbsolutePath().toString());
        });
        return new BrokerLogin(more);
    }

    /** The same, with the name of this host by which clients reach the broker. */
    BrokerLogin reachedAs(String host, int port) {
        Map<String, String> more = new HashMap<>(settings);
        more.put("advertised.listeners", "CLIENTS://" + host + ":" + port);
        return new BrokerLogin(more);
    }

    private static String quoted(Path path) {
        return '"' + path.toAbsolutePath().toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** The password in a file of client properties; empty if it is of another account. */
    static Optional<String> passwordOf(Path clientProperties, String account) throws IOException {
        String jaas = clientProperties(clientProperties).getProperty("sasl.jaas.config");
        Matcher username = USERNAME.matcher(jaas);
        Matcher password = PASSWORD.matcher(jaas);
        return username.find() && username.group(1).equals(account) && password.find()
                ? Optional.of(password.group(1))
                : Optional.empty();
    }

    private static Properties clientProperties(Path clientProperties) throws IOException {
        if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(clientProperties))) {
            throw new IOException("'" + clientProperties
                    + "' contains a password and is accessible to other users: set its mode to 0600");
        }
        Properties client = new Properties();
        try (var in = Files.newBufferedReader(clientProperties)) {
            client.load(in);
        }
        need(client, "security.protocol", Set.of("SASL_PLAINTEXT", "SASL_SSL"), clientProperties);
        need(client, "sasl.mechanism", Set.of(MECHANISM), clientProperties);
        String account = client.getProperty("sasl.jaas.config", "");
        if (!account.startsWith(ScramLoginModule.class.getName() + " ")) {
            throw new IOException(
                    "'" + clientProperties + "' lacks a sasl.jaas.config with " + ScramLoginModule.class.getName());
        }
        return client;
    }

    private static void need(Properties client, String key, Set<String> values, Path file) throws IOException {
        if (!values.contains(client.getProperty(key, ""))) {
            throw new IOException("'" + file + "' must set " + key + "="
                    + values.stream().sorted().collect(Collectors.joining(" or ")));
        }
    }

    private static Map<String, String> protocol(String name) {
        return Map.of("listener.security.protocol.map", "CLIENTS:" + name + ",CONTROLLER:" + name);
    }
}
