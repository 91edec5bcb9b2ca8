package io.millrace.testing;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.embedded.EmbeddedMariaDb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.mariadb.MariaDBContainer;
import org.testcontainers.utility.DockerImageName;

/** The main class of the child process: runs Kafka or MariaDB, in a container or embedded, until standard input ends. */
final class StackPart {
    static final String KAFKA_IMAGE = "apache/kafka:4.1.1";
    static final String MARIADB_IMAGE = "mariadb:11.4";

    /** Start-up limit of a container if its image is already present. */
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    private final String name;
    private final String mode;

    private StackPart(String name, String mode) {
        this.name = name;
        this.mode = mode;
    }

    public static void main(String... args) throws IOException {
        StackPart part = new StackPart(args[0], args[1]);
        Running running = part.name.equals("kafka")
                ? part.start(() -> kafkaContainer(args[2]), StackPart::embeddedKafka)
                : part.start(() -> mariadbContainer(args[3]), StackPart::embeddedMariaDb);
        Runtime.getRuntime().addShutdownHook(new Thread(running.stop(), "stop"));
        System.out.println("ready " + running.address());
        while (System.in.read() >= 0) {
            // The parent sends nothing; the end of the stream ends this process.
        }
        System.exit(0);
    }

    private record Running(String address, Runnable stop) {}

    private Running start(Supplier<Running> container, Supplier<Running> embedded) {
        if (mode.equals("embedded")) {
            return start("embedded, as configured", embedded);
        }
        String noEngine = reasonForNoEngine();
        if (noEngine != null) {
            return fallBack(noEngine, embedded);
        }
        try {
            return start("in a container", container);
        } catch (RuntimeException failure) {
            return fallBack("its container did not start: " + rootCause(failure), embedded);
        }
    }

    private Running fallBack(String why, Supplier<Running> embedded) {
        if (mode.equals("containers")) {
            throw new IllegalStateException(name + " was requested in a container: " + why);
        }
        return start("embedded: " + why, embedded);
    }

    private Running start(String how, Supplier<Running> start) {
        System.err.println("[test stack] " + name + ": " + how);
        return start.get();
    }

    /** The client library takes a second and logs a lot, so it is called only if an engine seems to be available. */
    private static @Nullable String reasonForNoEngine() {
        Stream<Path> sockets = Stream.of(
                Path.of("/var/run/docker.sock"),
                Path.of(System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/nowhere"), "docker.sock"),
                Path.of(System.getProperty("user.home"), ".docker/run/docker.sock"));
        if (System.getenv("DOCKER_HOST") == null && sockets.noneMatch(Files::exists)) {
            return "no Docker engine found (no DOCKER_HOST, no socket)";
        }
        try {
            DockerClientFactory.instance().client();
            return null;
        } catch (RuntimeException failure) {
            return "the Docker engine does not answer: " + failure.getMessage();
        }
    }

    private static Running kafkaContainer(String image) {
        KafkaContainer container =
                new KafkaContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("apache/kafka"));
        container.withStartupTimeout(START_LIMIT);
        container.withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
        container.withEnv("KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS", "4");
        container.withEnv("KAFKA_TRANSACTION_STATE_LOG_NUM_PARTITIONS", "4");
        container.start();
        return new Running(container.getBootstrapServers(), container::stop);
    }

    private static Running mariadbContainer(String image) {
        String password = password();
        MariaDBContainer container =
                new MariaDBContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("mariadb"));
        container.withUsername("root").withPassword(password).withDatabaseName("millrace");
        container.withStartupTimeoutSeconds((int) START_LIMIT.toSeconds());
        container.start();
        String address = container.getHost() + ":" + container.getMappedPort(3306);
        return new Running(address + " root " + password, container::stop);
    }

    private static Running embeddedKafka() {
        try {
            Path data = Files.createTempDirectory("millrace-test-kafka");
            EmbeddedKafka kafka = EmbeddedKafka.start(data, 0);
            return new Running(kafka.bootstrapServers(), () -> {
                kafka.close();
                delete(data);
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Running embeddedMariaDb() {
        try {
            Path data = Files.createTempDirectory("millrace-test-mariadb");
            EmbeddedMariaDb mariadb = EmbeddedMariaDb.start(programs(), data, 0, password());
            String address = mariadb.jdbcUrl("").replaceAll("jdbc:mariadb://|/$", "");
            return new Running(address + " " + EmbeddedMariaDb.USER + " " + mariadb.password(), () -> {
                mariadb.close();
                delete(data);
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The folder of the unpacked server, shared by all runs: below {@code MILLRACE_CACHE}, or the user's cache folder. */
    private static Path programs() {
        String cache = System.getenv("MILLRACE_CACHE");
        Path folder = cache != null ? Path.of(cache) : Path.of(System.getProperty("user.home"), ".cache", "millrace");
        return folder.resolve("mariadb");
    }

    private static String password() {
        byte[] bytes = new byte[12];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException left) {
            System.err.println("[test stack] cannot delete " + folder + " (" + left.getMessage() + ")");
        }
    }

    private static String rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.toString();
    }
}
