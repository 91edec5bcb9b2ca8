package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.SshDestination;
import io.millrace.embedded.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An sshd of a test's own on the loopback interface, with a host key and one user key, both of its own. */
public final class PrivateSshd implements AutoCloseable {

    public static final String HOST = "127.0.0.1";

    private final Path folder;
    private final int port;
    private final Process sshd;

    /** @param parent where it makes a folder for its files */
    public PrivateSshd(final Path parent) {
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/sshd")), "needs openssh-server");
        try {
            folder = Files.createDirectory(parent.resolve("ssh"));
            shell("""
                chmod 711 "$1"; cd "$1"
                if [ "$(id -u)" = 0 ]; then mkdir -p -m 0755 /run/sshd; fi
                ssh-keygen -q -t ed25519 -N '' -f host; ssh-keygen -q -t ed25519 -N '' -f user
                cp user.pub authorized
                """, folder.toString());
            port = FreePort.orWanted(0);
            final List<String> hostKey =
                    List.of(Files.readString(folder.resolve("host.pub")).split(" "));
            Files.writeString(
                    folder.resolve("known"), "[" + HOST + "]:" + port + " " + hostKey.get(0) + " " + hostKey.get(1));
            sshd = new ProcessBuilder(
                            "/usr/sbin/sshd",
                            "-D",
                            "-e",
                            "-f",
                            "/dev/null",
                            "-p",
                            "" + port,
                            "-o",
                            "ListenAddress=" + HOST,
                            "-o",
                            "HostKey=" + folder.resolve("host"),
                            "-o",
                            "AuthorizedKeysFile=" + folder.resolve("authorized"),
                            "-o",
                            "StrictModes=no",
                            "-o",
                            "PidFile=none",
                            "-o",
                            "UsePAM=no",
                            "-o",
                            "MaxStartups=100",
                            "-o",
                            "PermitRootLogin=prohibit-password")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            awaitPort();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    public Path key() {
        return folder.resolve("user");
    }

    public Path knownHosts() {
        return folder.resolve("known");
    }

    /** As {@code root@127.0.0.1}: whoever's the key is, in the words of an agent's settings. */
    public SshDestination destination(final String account) {
        return destination(account, port, key(), knownHosts());
    }

    /** With another port, key or file of known hosts than the right ones. */
    public SshDestination destination(final String account, final int toPort, final Path key, final Path knownHosts) {
        try {
            return new SshDestination(
                    account + "@" + HOST, Files.writeString(Files.createTempFile(folder, "config", ""), """
                        Port %d
                        IdentityFile %s
                        IdentitiesOnly yes
                        UserKnownHostsFile %s
                        """.formatted(
                                    toPort, key, knownHosts)));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on the key leads to this command and to nothing else. */
    public void force(final String command) {
        try {
            final String key = Files.readString(folder.resolve("user.pub"));
            authorize("restrict,command=\"" + command.replace("\"", "\\\"") + "\" " + key);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on the key opens nothing. */
    public void lockOut() {
        authorize("");
    }

    private void authorize(final String line) {
        try {
            Files.writeString(folder.resolve("authorized"), line);
            shell("chmod 644 \"$1\"", folder.resolve("authorized").toString());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void shell(final String text, final String argument) throws IOException {
        final Process shell = new ProcessBuilder("sh", "-euc", text, "sh", argument)
                .redirectErrorStream(true)
                .start();
        final String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertThat(shell.waitFor()).as(said).isZero();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void awaitPort() throws IOException {
        final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
        while (true) {
            try (Socket open = new Socket(HOST, port)) {
                return;
            } catch (final IOException e) {
                assertThat(Instant.now())
                        .as(Files.readString(folder.resolve("log")))
                        .isBefore(limit);
                try {
                    Thread.sleep(50);
                } catch (final InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException(interrupted);
                }
            }
        }
    }

    @Override
    public void close() {
        sshd.descendants().forEach(ProcessHandle::destroy);
        sshd.destroy();
        try {
            sshd.waitFor();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
