package io.millrace.lab.attacks;

import com.nimbusds.jose.jwk.ECKey;
import io.millrace.model.ClusterId;
import io.millrace.testing.MariaDb;
import io.millrace.testing.Stack;
import io.millrace.testing.service.ServiceProcess;
import io.millrace.testing.service.TestLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The attacked site: a broker, a database, the packaged submit-service, and the packaged agent of an embedded cluster, started at first use
 * and once per JVM. The test plays the other services and a trusted login issuer. Under root the agent runs as {@code nobody}, because
 * Millrace runs nothing as root; all users are labels of its account.
 */
final class AttackedSite {

    static final ClusterId ALPHA = ClusterId.of("alpha");
    static final String OPERATOR = "olga";

    private static final int NOBODY = 65_534;
    /** The JVM takes the encoding of file names from it, as in the launcher and the systemd unit. */
    private static final List<String> UTF_8 = List.of("env", "LC_ALL=C.UTF-8");

    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static @Nullable AttackedSite running;

    private final Path folder;
    private final ECKey issuerKey;
    private final URI api;
    private final URI agent;
    private final TestLog log = new TestLog();

    private AttackedSite() {
        try {
            folder = Files.createTempDirectory("millrace-attacks");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
            final Path trusted = Files.createDirectory(folder.resolve("trusted"));
            issuerKey = Tokens.newKey();
            Files.writeString(
                    trusted.resolve("alpha.pub.json"), issuerKey.toPublicJWK().toJSONString());
            api = startSubmitService(trusted);
            agent = startAgent();
            // The agent has reported its cluster, and submit-service has read it.
            Victim.awaitCluster(as(OPERATOR));
        } catch (final IOException e) {
            throw new UncheckedIOException("the attacked site cannot be started", e);
        }
    }

    static synchronized AttackedSite get() {
        if (running == null) {
            running = new AttackedSite();
        }
        return running;
    }

    private URI startSubmitService(final Path trusted) throws IOException {
        final MariaDb mariadb = Stack.mariadb();
        return address(ServiceProcess.start(
                List.of(),
                application("submit-service"),
                "-Dquarkus.datasource.jdbc.url=" + mariadb.jdbcUrl("attacks"),
                "-Dquarkus.datasource.username=" + mariadb.user(),
                "-Dquarkus.datasource.password=" + mariadb.password(),
                "-Dmillrace.submit.key-dir=" + folder.resolve("keys"),
                "-Dmillrace.submit.trusted-keys-dir=" + trusted,
                "-Dmillrace.submit.issuers-file=" + issuers(),
                "-Dmillrace.submit.operators=" + OPERATOR));
    }

    private Path issuers() throws IOException {
        return Files.writeString(folder.resolve("issuers.yaml"), "issuers:\n  " + ALPHA + ":\n    operators: true\n");
    }

    private URI startAgent() throws IOException {
        final Path home = give(Files.createDirectory(folder.resolve("agent")));
        return address(ServiceProcess.start(
                ROOT
                        ? concat(UTF_8, List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"))
                        : UTF_8,
                readableByAll(application("cluster-agent/service")),
                "-Dmillrace.agent.cluster=" + ALPHA,
                "-Dmillrace.agent.adapter=local",
                "-Dmillrace.agent.home=" + home,
                "-Dmillrace.agent.local.run-as=agent",
                "-Dmillrace.agent.poll-interval=1s",
                "-Dmillrace.agent.login-socket=" + home.resolve("login"),
                "-Dmillrace.agent.submission-keys=" + folder.resolve("keys/submission-keys.pub.json")));
    }

    private static List<String> concat(final List<String> first, final List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private static URI address(final ServiceProcess service) throws IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(service::close));
        return URI.create(service.awaitListening());
    }

    private static Path application(final String module) {
        final Path application = Path.of("..", "..", module, "target", "quarkus-app");
        if (!Files.exists(application)) {
            throw new IllegalStateException(application + " not found; package " + module + " first");
        }
        return application.toAbsolutePath().normalize();
    }

    /** A copy, because the account of the agent may have no access to the source tree. */
    private Path readableByAll(final Path application) throws IOException {
        if (!ROOT) {
            return application;
        }
        final Path copy = folder.resolve("agent-application");
        try (Stream<Path> files = Files.walk(application)) {
            for (final Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, copy.resolve(application.relativize(file)));
            }
        }
        return copy;
    }

    /** Gives a file or folder to the account of the agent. */
    static Path give(final Path file) {
        try {
            if (ROOT) {
                Files.setAttribute(file, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
            }
            return file;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new folder that belongs to the account of the agent. */
    Path ownedFolder(final String name) throws IOException {
        return give(Files.createDirectories(folder.resolve(name)));
    }

    /** The address of submit-service. */
    URI api() {
        return api;
    }

    /** The address of the agent's health and metrics. */
    URI agent() {
        return agent;
    }

    /** The private key of the login issuer that the site trusts, {@value Tokens#ISSUER}. */
    ECKey issuerKey() {
        return issuerKey;
    }

    /** Writes and reads the log with all rights. */
    TestLog log() {
        return log;
    }

    ApiClient as(final String user) {
        return ApiClient.withToken(api, Tokens.of(issuerKey, user));
    }
}
