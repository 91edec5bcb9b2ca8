package io.millrace.agent.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.testing.Attack;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** On a real socket, with the kernel's word for who asks. */
class LoginEndpointIT {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    Path folder;

    private static final Function<UserName, Optional<String>> ANYONE = account -> Optional.empty();

    private final Accounts accounts = new Accounts();
    private final String me = System.getProperty("user.name");
    private Path socket;
    private TokenIssuer issuer;
    private LoginEndpoint endpoint;

    @BeforeEach
    void the_endpoint_is_open() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        socket = folder.resolve("run/login");
        final LoginKey key = LoginKey.open(folder.resolve("login-key.json"));
        key.publish(folder.resolve("keys"), ALPHA);
        issuer = new TokenIssuer(ALPHA, key, Duration.ofHours(12), () -> NOW);
        endpoint = LoginEndpoint.open(socket, issuer, accounts, false, Optional::of, ANYONE);
    }

    @AfterEach
    void it_is_closed() {
        endpoint.close();
    }

    @Test
    void each_caller_gets_a_token_for_their_account() throws Exception {
        final SignedJWT token = SignedJWT.parse(token(ask("token\n")));

        final ECKey published = ECKey.parse(Files.readString(folder.resolve("keys/alpha.pub.json")));
        assertThat(published.isPrivate()).isFalse();
        assertThat(token.verify(new ECDSAVerifier(published))).isTrue();
        assertThat(token.getHeader().getKeyID()).isEqualTo(published.getKeyID());
        final var claims = token.getJWTClaimsSet();
        assertThat(claims.getSubject()).isEqualTo(me);
        assertThat(claims.getIssuer()).isEqualTo("agent/alpha");
        assertThat(claims.getAudience()).containsExactly("millrace");
        assertThat(claims.getExpirationTime().toInstant()).isEqualTo(NOW.plus(Duration.ofHours(12)));
    }

    @Test
    void root_may_ask_for_a_user() throws Exception {
        assumeTrue(me.equals("root"), "needs root");
        assertThat(subject(ask("token nobody\n"))).isEqualTo("nobody");
        assertThat(ask("token no-such-user\n"))
                .isEqualTo("no user 'no-such-user' has no account on this cluster; ask its operators for one");
    }

    @Test
    @Attack("a user requests a token of another user at the login socket")
    void another_user_gets_only_their_own() throws Exception {
        assumeTrue(me.equals("root"), "needs root to become another user");
        assertThat(subject(askAs("nobody", "token"))).isEqualTo("nobody");
        assertThat(askAs("nobody", "token root")).startsWith("no user 'nobody' cannot have a token of user 'root'");
        // Their own name said aloud changes nothing.
        assertThat(subject(askAs("nobody", "token nobody"))).isEqualTo("nobody");
    }

    @Test
    void where_the_agent_runs_all_jobs_its_account_may_ask_for_all() throws Exception {
        final LoginHandler desk = new LoginHandler(issuer, accounts, true, Optional::of, ANYONE);
        assertThat(subject(desk.answer(me, "token nobody"))).isEqualTo("nobody");
        if (!me.equals("root")) {
            assertThat(new LoginHandler(issuer, accounts, false, Optional::of, ANYONE).answer(me, "token nobody"))
                    .startsWith("no ");
        }
        assertThat(desk.answer("daemon", "token nobody")).startsWith("no ");
        // There users are names alone.
        assertThat(subject(desk.answer(me, "token anna"))).isEqualTo("anna");
        assertThat(desk.answer("daemon", "token anna")).startsWith("no ");
        assertThat(desk.answer(me, "token -x")).isEqualTo("no '-x' is not the name of a user");
    }

    @Test
    @Attack("a locked user asks for a new token")
    void a_locked_user_gets_no_token() {
        final LoginHandler desk = new LoginHandler(
                issuer, accounts, true, Optional::of, user -> Optional.of("user '" + user + "' is locked"));
        assertThat(desk.answer(me, "token anna")).isEqualTo("no user 'anna' is locked");
    }

    @Test
    void where_the_agent_runs_all_jobs_no_other_user_is_served() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-rw-rw-");
        endpoint.close();
        endpoint = LoginEndpoint.open(socket, issuer, accounts, true, Optional::of, ANYONE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
        assertThat(new LoginHandler(issuer, accounts, true, Optional::of, ANYONE).answer("nobody", "token"))
                .isEqualTo("no this cluster serves only '" + me + "', whose account runs all its jobs");
    }

    @Test
    @Attack("a process without an account requests a token")
    void a_process_without_an_account_gets_nothing() {
        assertThat(new LoginHandler(issuer, accounts, false, Optional::of, ANYONE).answer("4242424", "token"))
                .startsWith("no user '4242424' has no account");
        // An account's number is not its name.
        assertThat(new LoginHandler(issuer, accounts, false, Optional::of, ANYONE).answer("0", "token"))
                .startsWith("no ");
    }

    @Test
    void what_is_no_request_is_answered_so() throws Exception {
        for (final String request :
                List.of("\n", "TOKEN\n", "token a b\n", "token " + "x".repeat(5000) + "\n", "\0\0\n", "")) {
            assertThat(ask(request)).as(request).startsWith("no ");
        }
    }

    @Test
    @Attack("silent connections occupy the login socket")
    void silent_and_vanishing_clients_do_not_delay_others() throws Exception {
        endpoint.close();
        endpoint = LoginEndpoint.open(
                socket, new LoginHandler(issuer, accounts, false, Optional::of, ANYONE), Duration.ofMillis(500));
        final List<SocketChannel> silent = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            silent.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
            SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
        }
        for (final SocketChannel channel : silent) {
            // Closed by the other side: the end of the stream, or a reset where it had not even been served.
            assertThat(ended(channel)).isTrue();
        }
        assertThat(subject(ask("token\n"))).isEqualTo(me);
    }

    @Test
    @Attack("one user opens so many connections to the login socket that nobody else gets a token")
    void the_connections_of_one_user_leave_places_for_others() throws Exception {
        assumeTrue(me.equals("root"), "needs root to become another user");
        final List<SocketChannel> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                silent.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
            }
            assertThat(subject(askAs("nobody", "token"))).isEqualTo("nobody");
        } finally {
            for (final SocketChannel channel : silent) {
                channel.close();
            }
        }
    }

    @Test
    @Attack("a program with a system account, such as a web server, asks for a login token")
    void system_accounts_get_no_token() {
        final OwnerAccounts owners =
                new OwnerAccounts(accounts, new ProcessRunner(accounts), true, () -> SiteNames.same(ALPHA), 1000);
        final LoginHandler desk = new LoginHandler(issuer, accounts, false, Optional::of, owners::refusalOfAccount);

        for (final String account : List.of("daemon", "bin", "mail", "www-data", "nobody")) {
            assertThat(desk.answer(account, "token")).as(account).contains("is a system account");
            assertThat(desk.answer("root", "token " + account)).as(account).contains("is a system account");
        }
    }

    @Test
    @Attack("the login key is empty, or readable by a group")
    void the_key_stays_and_is_ours_alone() throws Exception {
        final Path file = folder.resolve("login-key.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        final String before = Files.readString(file);
        assertThat(LoginKey.open(file).pair().toJSONString()).isEqualTo(before);

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> LoginKey.open(file))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("remove the file");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "{}");
        assertThatThrownBy(() -> LoginKey.open(file)).hasMessageContaining("not a JWK");
    }

    @Test
    void a_new_agent_takes_the_place_of_a_dead_one_and_the_old_one_leaves_it_alone() throws Exception {
        final LoginEndpoint next = LoginEndpoint.open(socket, issuer, accounts, false, Optional::of, ANYONE);
        endpoint.close();
        assertThat(subject(ask("token\n"))).isEqualTo(me);
        next.close();
        assertThat(socket).doesNotExist();
    }

    @Test
    void a_token_lives_no_longer_than_half_a_day() {
        final LoginKey key = LoginKey.open(folder.resolve("login-key.json"));
        assertThatThrownBy(() -> new TokenIssuer(ALPHA, key, Duration.ofHours(13), Instant::now))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Attack("a user changes the request at the login socket until it returns a token of another user")
    @TestFactory
    Stream<DynamicTest> no_request_gets_a_token_of_another_user() {
        assumeTrue(me.equals("root"), "needs root to become another user");
        return Stream.of(
                        "token root",
                        "token  root",
                        "token\troot",
                        "token root\r",
                        "token root ",
                        "token root root",
                        "token nobody root",
                        "token nobody\ntoken root",
                        "token nobody\r\ntoken root",
                        "token nobody,root",
                        "token nobody;root",
                        "token nobody\u00a0root",
                        "token 'root'",
                        "token \"root\"",
                        "token ROOT",
                        "TOKEN root",
                        "token \uff52oot",
                        "token root\u200b",
                        "token 0",
                        "token +0",
                        "token -0",
                        "token #0",
                        "token 00",
                        "token 0x0",
                        "token root@alpha",
                        "token nobody/../root",
                        "token %72oot",
                        "token $(id -un 0)",
                        "token `id`",
                        "token \u001b]0;root\u0007",
                        "token {\"sub\":\"root\"}",
                        "token nobody\",\"sub\":\"root",
                        "token " + "root".repeat(70),
                        "token " + " ".repeat(240) + "root",
                        " token root",
                        "tokenroot",
                        "token root\u2028")
                .map(request -> DynamicTest.dynamicTest(request, () -> {
                    final String answer = askAs("nobody", request);
                    if (answer.startsWith("ok ")) {
                        assertThat(subject(answer.lines().findFirst().orElseThrow()))
                                .isEqualTo("nobody");
                    } else {
                        assertThat(answer).startsWith("no ");
                    }
                    assertThat(answer.lines()).hasSize(1);
                }));
    }

    private String ask(final String request) throws Exception {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            final ByteBuffer bytes = StandardCharsets.UTF_8.encode(request);
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.shutdownOutput();
            } catch (final java.io.IOException e) {
                // Answered before everything was read; the answer is still there.
            }
            return answer(channel);
        }
    }

    private static String answer(final SocketChannel channel) throws Exception {
        final ByteBuffer answer = ByteBuffer.allocate(4096);
        try {
            while (channel.read(answer) >= 0) {}
        } catch (final java.io.IOException e) {
            // A reset after the answer: the endpoint did not read what came after the longest line.
        }
        return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8).strip();
    }

    private static boolean ended(final SocketChannel channel) {
        try (channel) {
            return Channels.newInputStream(channel).read() < 0;
        } catch (final java.io.IOException e) {
            return true;
        }
    }

    /** Through perl, which is on every Debian: a JVM of its own for the other user would take a second. */
    private String askAs(final String user, final String request) throws Exception {
        final Process client = new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + user,
                        "--clear-groups",
                        "perl",
                        "-MIO::Socket::UNIX",
                        "-e",
                        "my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die $!; print $s $ARGV[1].qq(\\n"
                                + "); print <$s>",
                        socket.toString(),
                        request)
                .redirectErrorStream(true)
                .start();
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static String token(final String answer) {
        assertThat(answer).startsWith("ok ");
        return answer.substring(3);
    }

    private static String subject(final String answer) throws Exception {
        return SignedJWT.parse(token(answer)).getJWTClaimsSet().getSubject();
    }
}
