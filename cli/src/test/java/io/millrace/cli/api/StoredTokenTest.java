package io.millrace.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredTokenTest {

    @TempDir
    Path folder;

    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private ServerSocketChannel server;
    private Thread agent;
    private Path socket;
    private volatile String answer = "no nothing";

    /** Starts an agent that answers on a login socket. */
    @BeforeEach
    void listen() throws Exception {
        socket = folder.resolve("s");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        agent = Thread.ofPlatform().daemon().start(() -> {
            while (server.isOpen()) {
                try (SocketChannel client = server.accept()) {
                    final ByteBuffer line = ByteBuffer.allocate(256);
                    client.read(line);
                    requests.add(new String(line.array(), 0, line.position(), StandardCharsets.UTF_8));
                    client.write(StandardCharsets.UTF_8.encode(answer + "\n"));
                } catch (java.io.IOException e) {
                    return;
                }
            }
        });
    }

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    private StoredToken token() throws CommandException {
        return new StoredToken(Settings.read(Map.of(
                "HOME", folder.toString(),
                "MILLRACE_LOGIN_SOCKET", socket.toString(),
                "MILLRACE_TOKEN_FILE", folder.resolve("sub/token").toString())));
    }

    private static String jwt(final String user, final Instant expiry) {
        final String claims = "{\"sub\":\"" + user + "\",\"exp\":" + expiry.getEpochSecond() + "}";
        return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + ".c2ln";
    }

    @Test
    void a_token_is_fetched_once_and_only_its_owner_can_read_it() throws Exception {
        answer = "ok " + jwt("anna", Instant.now().plusSeconds(3600));

        final String first = token().current();

        assertThat(token().current()).isEqualTo(first);
        assertThat(requests.poll(5, TimeUnit.MINUTES)).isEqualTo("token\n");
        assertThat(requests).isEmpty();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("sub/token"))))
                .isEqualTo("rw-------");
    }

    @Test
    void a_token_that_expires_soon_is_renewed_for_the_same_user() throws Exception {
        answer = "ok " + jwt("ben", Instant.now().plusSeconds(5));
        token().renewed("ben");
        answer = "ok " + jwt("ben", Instant.now().plusSeconds(3600));

        token().current();

        assertThat(requests.poll(5, TimeUnit.MINUTES)).isEqualTo("token ben\n");
        assertThat(requests.poll(5, TimeUnit.MINUTES)).isEqualTo("token ben\n");
    }

    @Test
    void a_refusal_by_the_agent_is_passed_on() {
        answer = "no user 'anna' cannot have a token of user 'root'; log in as 'root'";

        assertThatThrownBy(() -> token().renewed("root"))
                .hasMessage("user 'anna' cannot have a token of user 'root'; log in as 'root'")
                .extracting(e -> ((CommandException) e).exitCode())
                .isEqualTo(ExitCode.NOT_AUTHORISED);
    }

    @Test
    void an_unreachable_agent_is_named() throws Exception {
        server.close();
        // The thread may accept one more connection before it ends.
        assertThat(agent.join(Duration.ofSeconds(60))).isTrue();

        assertThatThrownBy(() -> token().renewed(null))
                .hasMessageContaining(socket.toString())
                .hasMessageContaining("check that the agent is running")
                .extracting(e -> ((CommandException) e).exitCode())
                .isEqualTo(ExitCode.UNREACHABLE);
    }

    @Test
    void without_a_login_socket_the_message_contains_the_remedy() throws Exception {
        final StoredToken alone = new StoredToken(Settings.read(Map.of("HOME", folder.toString())));

        assertThatThrownBy(alone::current).hasMessageContaining("run mglogin");
    }
}
