package io.millrace.agent.login;

import io.millrace.agent.exec.Accounts;
import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket that issues tokens to users of a login node. Every user of the host may connect, unless all jobs run as the agent: then only
 * the agent's account may. A connection is one request and has a short timeout, so that it cannot block others; one
 * user has a few at a time.
 */
public final class LoginEndpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LoginEndpoint.class);
    private static final int AT_ONCE = 64;
    private static final int OF_ONE_USER = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Path socket;
    private final LoginHandler desk;
    private final Duration patience;
    private final Semaphore free = new Semaphore(AT_ONCE);
    private final ConcurrentMap<String, Integer> connections = new ConcurrentHashMap<>();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("login-watch").factory());
    private final ServerSocketChannel server;
    private final @Nullable Object identity;

    /**
     * Binds the socket and serves it until closed. An existing socket is replaced.
     *
     * @param socket a path of at most about 100 bytes; its folder is created if missing, and all users need search permission on it
     * @param agentSpeaksForAll whether the agent's account may request tokens for all users, like root (local clusters that run all jobs
     *     as the agent)
     * @param siteUser the only site user of an account of this cluster; empty if there is none or more than one
     * @param refusal why the agent does not act for an account; empty if it does
     * @throws UncheckedIOException if the socket cannot be created
     */
    public static LoginEndpoint open(
            final Path socket,
            final TokenIssuer issuer,
            final Accounts accounts,
            final boolean agentSpeaksForAll,
            final Function<UserName, Optional<UserName>> siteUser,
            final Function<UserName, Optional<String>> refusal) {
        return open(socket, new LoginHandler(issuer, accounts, agentSpeaksForAll, siteUser, refusal), PATIENCE);
    }

    static LoginEndpoint open(final Path socket, final LoginHandler desk, final Duration patience) {
        try {
            return new LoginEndpoint(socket.toAbsolutePath(), desk, patience);
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "cannot open the login socket '" + socket + "': " + e.getMessage()
                            + "; is its path longer than 100 bytes, or its folder not ours?",
                    e);
        }
    }

    private LoginEndpoint(final Path socket, final LoginHandler desk, final Duration patience) throws IOException {
        this.socket = socket;
        this.desk = desk;
        this.patience = patience;
        Files.createDirectories(Objects.requireNonNull(socket.getParent()));
        // Bound under a temporary name and then renamed, so that it always has its mode and replaces the socket of a
        // crashed agent.
        final Path draft = socket.resolveSibling(socket.getFileName() + "~");
        Files.deleteIfExists(draft);
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(draft), 128);
            Files.setPosixFilePermissions(
                    draft, PosixFilePermissions.fromString(desk.servesAllUsers() ? "rw-rw-rw-" : "rw-------"));
            Files.move(draft, socket, StandardCopyOption.ATOMIC_MOVE);
            identity = identityOf(socket);
        } catch (final IOException e) {
            server.close();
            throw e;
        }
        Thread.ofPlatform().daemon().name("login").start(this::serve);
    }

    private void serve() {
        while (server.isOpen()) {
            try {
                accept(server.accept());
            } catch (final ClosedChannelException e) {
                return;
            } catch (final IOException e) {
                LOG.warn("the login socket '{}' cannot take a connection: {}", socket, e.getMessage());
                pause();
            }
        }
    }

    private void accept(final SocketChannel client) throws IOException {
        if (!free.tryAcquire()) {
            client.close();
            return;
        }
        final LoginConversation conversation = new LoginConversation(client, desk);
        final var end = watch.schedule(conversation::end, patience.toMillis(), TimeUnit.MILLISECONDS);
        Thread.ofVirtual().start(() -> {
            try {
                serve(conversation);
            } finally {
                end.cancel(false);
                conversation.end();
                free.release();
            }
        });
    }

    private void serve(final LoginConversation conversation) {
        final Optional<String> peer = conversation.peer();
        if (peer.isEmpty()) {
            return;
        }
        try {
            if (connections.merge(peer.get(), 1, Integer::sum) <= OF_ONE_USER) {
                conversation.hold(peer.get());
            }
        } finally {
            connections.computeIfPresent(peer.get(), (user, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Accepting usually fails for lack of file descriptors; the pause lets open connections finish. */
    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops serving and removes the socket, unless another agent has replaced it. */
    @Override
    public void close() {
        try {
            server.close();
            if (Files.exists(socket) && Objects.equals(identity, identityOf(socket))) {
                Files.delete(socket);
            }
        } catch (final IOException e) {
            LOG.warn("the login socket '{}' could not be removed: {}", socket, e.getMessage());
        } finally {
            watch.shutdownNow();
        }
    }

    private static @Nullable Object identityOf(final Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }
}
