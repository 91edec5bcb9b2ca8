package io.millrace.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.Time;

/**
 * A real Kafka broker (KRaft, broker and controller in this JVM) on the loopback interface: a cluster of one node, or a member of a cluster.
 *
 * <p>With a file of client properties, clients must log in as that file says (SCRAM), also at the controller's port. With a folder of
 * accounts, these may log in too, and do what the access lists allow. Otherwise every process of this machine can read and write
 * everything; that is for tests.
 *
 * <p>Its buffers are small, so that it runs within {@code -Xmx128m}. The data folder is kept when the broker stops: the next
 * start on the same folder has all topics, records and committed offsets. Topics are not created automatically.
 */
public final class EmbeddedKafka implements AutoCloseable {

    /** The broker leaves this file in its folder when it stops, and deletes it when it starts. */
    private static final String CLEAN_SHUTDOWN = ".kafka_cleanshutdown";

    /** Until the controller has fenced a killed broker; a start on an idle machine needs about a second. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Settings of the listener for clients. */
    private static final String CLIENTS = "listener.name.clients.";

    private final KafkaRaftServer server;
    private final int port;
    private final Quorum quorum;

    private EmbeddedKafka(KafkaRaftServer server, int port, Quorum quorum) {
        this.server = server;
        this.port = port;
        this.quorum = quorum;
    }

    /**
     * Starts a broker and returns once it accepts clients.
     *
     * @param data folder for its log; created and formatted if empty
     * @param wantedPort TCP port for clients; 0: any free port
     * @throws java.io.UncheckedIOException if the port is in use
     * @throws IOException if the folder cannot be written or belongs to another version of Kafka
     */
    public static EmbeddedKafka start(Path data, int wantedPort) throws IOException {
        return start(data, wantedPort, List.of(), BrokerLogin.NONE);
    }

    /**
     * Starts a broker and returns once it accepts clients.
     *
     * @param clientProperties the properties with which clients log in; see {@link BrokerLogin#read(Path)}
     * @throws IOException as {@link #start(Path, int)}, and if the file cannot be read or is readable by other users
     */
    public static EmbeddedKafka start(Path data, int wantedPort, Path clientProperties) throws IOException {
        return start(data, wantedPort, List.of(), BrokerLogin.read(clientProperties));
    }

    /**
     * Starts a broker on which every account may do what the access lists allow, and nothing else; returns once it accepts clients.
     *
     * @param clientProperties of the account that may do everything
     * @param accounts see {@link BrokerLogin#read(Path, Path)}
     * @throws IOException as {@link #start(Path, int, Path)}
     */
    public static EmbeddedKafka start(Path data, int wantedPort, Path clientProperties, Path accounts)
            throws IOException {
        return start(data, wantedPort, List.of(), BrokerLogin.read(clientProperties, accounts));
    }

    /**
     * The same with TLS, as on a broker of a site.
     *
     * @param identity PEM file with the private key and the certificate of the broker
     * @param authority PEM file with the certificate of the authority
     * @throws IOException as {@link #start(Path, int, Path, Path)}
     */
    public static EmbeddedKafka startWithTls(
            Path data, int wantedPort, Path clientProperties, Path accounts, Path identity, Path authority)
            throws IOException {
        return start(
                data,
                wantedPort,
                List.of(),
                BrokerLogin.read(clientProperties, accounts).withTls(identity, authority));
    }

    /**
     * The same for clients on other hosts.
     *
     * @param host the name of this host, by which clients and the broker itself reach it; the certificate names it
     */
    static EmbeddedKafka startOn(String host, Path data, int port, BrokerLogin login) throws IOException {
        return start(data, port, List.of(), login.reachedAs(host, port));
    }

    static EmbeddedKafka start(Path data, int wantedPort, List<String> links, BrokerLogin login) throws IOException {
        QuietLogging.apply();
        Path folder = data.toAbsolutePath();
        if (wasKilled(folder)) {
            fence(folder, login);
        }
        return serve(folder, FreePort.orWanted(wantedPort), links, login, Quorum.alone(FreePort.orWanted(0)));
    }

    /**
     * Starts a member of a cluster, and returns once it accepts clients, for which a majority of the members must run. A killed member is not
     * fenced first: the other controllers register it only after its last session has expired and its partitions have other leaders.
     */
    static EmbeddedKafka startMember(Path data, int port, BrokerLogin login, Quorum quorum) throws IOException {
        QuietLogging.apply();
        return serve(data.toAbsolutePath(), FreePort.orWanted(port), List.of(), login, quorum);
    }

    private static EmbeddedKafka serve(Path data, int port, List<String> links, BrokerLogin login, Quorum quorum)
            throws IOException {
        Properties settings = settings(data, port, quorum);
        settings.putAll(login.settings());
        if (!settings.getProperty("advertised.listeners").contains("//127.0.0.1:")) {
            String listeners = settings.getProperty("listeners");
            settings.put("listeners", listeners.replace("CLIENTS://127.0.0.1:", "CLIENTS://0.0.0.0:"));
        }
        addLinks(settings, links);
        format(data, settings, quorum);
        return new EmbeddedKafka(started(settings), port, quorum);
    }

    private static KafkaRaftServer started(Properties settings) {
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
        server.startup();
        return server;
    }

    /** Whether the last broker on this folder had group coordinators and did not stop cleanly. */
    private static boolean wasKilled(Path data) {
        return Files.exists(data.resolve("__consumer_offsets-0")) && !Files.exists(data.resolve(CLEAN_SHUTDOWN));
    }

    /**
     * Runs the controller alone until it has noticed that the broker is gone, and has taken the leadership of all partitions from it. The
     * metadata of a killed broker still names it as their leader. So it would load its group coordinators, drop them when the controller
     * registers it again, and load them once more when it becomes the leader. In Kafka 4.1 (and later) the end of the first load
     * activates the coordinator of the second one before that has read its records. It then does not know the groups, or refuses their
     * offsets with {@code UNSTABLE_OFFSET_COMMIT}, until the broker is restarted. A fenced broker loads each coordinator once.
     */
    private static void fence(Path data, BrokerLogin login) throws IOException {
        int port = FreePort.orWanted(0);
        Properties settings = settings(data, port, Quorum.alone(port));
        settings.putAll(login.settings());
        settings.put("process.roles", "controller");
        settings.put("listeners", "CONTROLLER://127.0.0.1:" + port);
        List.of("advertised.listeners", "inter.broker.listener.name").forEach(settings::remove);
        settings.put("broker.heartbeat.interval.ms", "100");
        settings.put("broker.session.timeout.ms", "500");
        KafkaRaftServer controller = started(settings);
        try {
            FencedBroker.await(LIMIT);
        } finally {
            controller.shutdown();
            controller.awaitShutdown();
        }
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** Where the broker reaches its controller. */
    String controllerAddress() {
        return quorum.address();
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    /**
     * {@code --data=FOLDER [--client-properties=FILE [--accounts=FOLDER]] [--port=N] [--links=ADDRESS:PORT,… | --node=N --controllers=ADDRESS:PORT,… |
     * --host=NAME --identity=FILE --authority=FILE] [--with-parent]}: runs until SIGTERM, or with {@code --with-parent} until standard input ends.
     * With {@code --node} it is a member of a cluster, with {@code --host} it serves other hosts, with TLS.
     */
    public static void main(String... args) throws IOException {
        Invocation invocation = Invocation.parse(args);
        BrokerLogin login = login(invocation);
        Path data = invocation.path("data");
        int port = invocation.number("port", 0);
        EmbeddedKafka kafka;
        if (invocation.has("node")) {
            kafka = startMember(
                    data, port, login, new Quorum(invocation.number("node", 0), invocation.list("controllers")));
        } else if (invocation.has("host")) {
            BrokerLogin withTls = login.withTls(invocation.path("identity"), invocation.path("authority"));
            kafka = startOn(invocation.list("host").getFirst(), data, port, withTls);
        } else {
            kafka = start(data, port, invocation.list("links"), login);
        }
        invocation.serve("kafka " + kafka.bootstrapServers(), kafka);
    }

    private static BrokerLogin login(Invocation invocation) throws IOException {
        if (!invocation.has("client-properties")) {
            return BrokerLogin.NONE;
        }
        Path file = invocation.path("client-properties");
        return invocation.has("accounts")
                ? BrokerLogin.read(file, invocation.path("accounts"))
                : BrokerLogin.read(file);
    }

    /**
     * Further listeners, one at each loopback address. A client that begins with one of them is never sent to another, so the link of
     * that client alone can be cut.
     */
    private static void addLinks(Properties settings, List<String> addresses) {
        for (int at = 0; at < addresses.size(); at++) {
            String name = "LINK" + at;
            String address = name + "://" + addresses.get(at);
            settings.merge("listeners", address, EmbeddedKafka::joined);
            settings.merge("advertised.listeners", address, EmbeddedKafka::joined);
            String protocol =
                    settings.getProperty("listener.security.protocol.map").replaceFirst("^.*CLIENTS:(\\w+).*$", "$1");
            settings.merge("listener.security.protocol.map", name + ":" + protocol, EmbeddedKafka::joined);
            for (String key : settings.stringPropertyNames()) {
                if (key.startsWith(CLIENTS)) {
                    settings.put(
                            "listener.name." + name.toLowerCase(Locale.ROOT) + "." + key.substring(CLIENTS.length()),
                            settings.getProperty(key));
                }
            }
        }
    }

    private static Object joined(Object some, Object one) {
        return some + "," + one;
    }

    private static void format(Path data, Properties settings, Quorum quorum) throws IOException {
        if (Files.exists(data.resolve("meta.properties"))) {
            return;
        }
        Files.createDirectories(data);
        Path file = Files.createTempFile(
                data, "broker", ".properties"); // readable by its owner only: it contains the login
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (var out = Files.newBufferedWriter(file)) {
            settings.store(out, null);
        }
        String[] command = {
            "format",
            "--config",
            file.toString(),
            "--cluster-id",
            quorum.clusterId().toString()
        };
        int code = StorageTool.execute(command, new PrintStream(output, true, StandardCharsets.UTF_8));
        Files.delete(file);
        if (code != 0) {
            throw new IOException("cannot format " + data + " for Kafka: " + output.toString(StandardCharsets.UTF_8));
        }
    }

    private static Properties settings(Path data, int port, Quorum quorum) {
        Properties settings = new Properties();
        settings.putAll(quorum.settings());
        settings.put("process.roles", "broker,controller");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("listeners", "CLIENTS://127.0.0.1:" + port + ",CONTROLLER://" + quorum.address());
        settings.put("advertised.listeners", "CLIENTS://127.0.0.1:" + port);
        settings.put("inter.broker.listener.name", "CLIENTS");
        settings.put("log.dirs", data.toString());
        settings.put("auto.create.topics.enable", "false");
        settings.put("delete.topic.enable", "true");
        settings.put("offsets.topic.num.partitions", "4");
        settings.put("transaction.state.log.num.partitions", "4");
        settings.put("group.initial.rebalance.delay.ms", "0");
        small(settings);
        return settings;
    }

    /** Smaller buffers and pools than the defaults, which assume a dedicated machine. */
    private static void small(Properties settings) {
        settings.put("log.cleaner.dedupe.buffer.size", "8388608");
        settings.put("log.cleaner.io.buffer.size", "262144");
        settings.put("log.cleaner.backoff.ms", "5000");
        settings.put("log.index.size.max.bytes", "1048576");
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "3");
        settings.put("background.threads", "2");
        settings.put("num.recovery.threads.per.data.dir", "2");
        settings.put("group.coordinator.threads", "1");
        // No no-op records of an idle controller, which other controllers would wait for.
        settings.put("metadata.max.idle.interval.ms", "0");
    }
}
