package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.model.command.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Through a private sshd of this test on the loopback interface, with keys of its own. */
class OverSshIT {

    private static final String HOST = "127.0.0.1";

    @TempDir
    Path folder;

    private Process sshd;
    private List<String> ssh;

    @BeforeEach
    void a_private_sshd_runs() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/sshd")), "needs openssh-server");
        final Path keys = Files.createDirectory(folder.resolve("ssh"));
        Scene.shell("""
                chmod 700 "$1"; cd "$1"
                if [ "$(id -u)" = 0 ]; then mkdir -p -m 0755 /run/sshd; fi
                ssh-keygen -q -t ed25519 -N '' -f host; ssh-keygen -q -t ed25519 -N '' -f user
                cp user.pub authorized
                """, keys);
        final int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            port = free.getLocalPort();
        }
        Scene.shell(
                "printf '[127.0.0.1]:%s %s\\n' \"$2\" \"$(cut -d' ' -f1,2 \"$1/host.pub\")\" > \"$1/known\"",
                keys, Path.of("" + port));
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
                        "HostKey=" + keys.resolve("host"),
                        "-o",
                        "AuthorizedKeysFile=" + keys.resolve("authorized"),
                        "-o",
                        "StrictModes=no",
                        "-o",
                        "PidFile=none",
                        "-o",
                        "UsePAM=no",
                        "-o",
                        "PermitRootLogin=prohibit-password")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("sshd.log").toFile())
                .start();
        ssh = new ArrayList<>(TransferSettings.SSH);
        ssh.addAll(List.of(
                "-F",
                "/dev/null",
                "-p",
                "" + port,
                "-i",
                keys.resolve("user").toString(),
                "-o",
                "UserKnownHostsFile=" + keys.resolve("known")));
        awaitPort(port);
    }

    @AfterEach
    void it_ends() throws Exception {
        if (sshd != null) {
            sshd.descendants().forEach(ProcessHandle::destroy);
            sshd.destroy();
            sshd.waitFor();
        }
    }

    @Test
    void a_tree_comes_from_another_host_whatever_its_names() throws Exception {
        final Scene scene = new Scene(folder, Scene.me()).over(HOST, ssh);
        scene.fillWithTroublesomeNames();

        final Result result = scene.copyUp();

        assertThat(result).isInstanceOf(Result.Done.class);
        assertThat(Scene.listing(scene.staged)).isEqualTo(Scene.listing(scene.source));
        assertThat(scene.source.resolve("hacked")).doesNotExist();
    }

    @Test
    void results_go_home_over_ssh_too() throws Exception {
        final Scene scene = new Scene(folder, Scene.me()).over(HOST, ssh);
        Files.writeString(scene.source.resolve("input"), "1");
        scene.copyUp();
        Files.writeString(scene.staged.resolve("result"), "2");

        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);

        assertThat(scene.source.resolve("result")).hasContent("2");
    }

    @Test
    void a_host_that_does_not_let_us_in_is_named() throws Exception {
        Files.writeString(folder.resolve("ssh/authorized"), "");
        final Scene scene = new Scene(folder, Scene.me()).over(HOST, ssh);

        final String because = ((Result.Failed) scene.copyUp()).because();

        assertThat(because)
                .contains("no connection to 127.0.0.1")
                .contains("Permission denied")
                .contains("without a password");
    }

    @Test
    void a_host_that_is_away_is_named() throws Exception {
        it_ends();
        final Scene scene = new Scene(folder, Scene.me()).over(HOST, ssh);
        assertThat(((Result.Failed) scene.copyUp()).because())
                .contains("no connection to 127.0.0.1")
                .contains("refused");
    }

    private void awaitPort(final int port) throws Exception {
        final Instant limit = Instant.now().plus(Duration.ofSeconds(30));
        while (true) {
            try (Socket open = new Socket(HOST, port)) {
                return;
            } catch (final IOException e) {
                assertThat(Instant.now())
                        .as(Files.readString(folder.resolve("sshd.log")))
                        .isBefore(limit);
                Thread.sleep(50);
            }
        }
    }
}
