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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket at which users of a login node get their tokens. Everybody on the host may connect; each connection is one request, is
 * closed after a short time, and cannot keep others from being served.
 */
public final class LoginEndpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LoginEndpoint.class);
    private static final int AT_ONCE = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Path socket;
    private final LoginHandler desk;
    private final Duration patience;
    private final Semaphore free = new Semaphore(AT_ONCE);
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("login-watch").factory());
    private final ServerSocketChannel server;
    private final @Nullable Object identity;

    /**
     * Binds the socket and serves it until closed. The socket takes the place of one that is there already.
     *
     * @param socket at most about 100 bytes long; its folder is made if missing, and everybody must be able to pass it
     * @param agentSpeaksForAll whether the agent's own account may ask for anybody's token, like root (local clusters that run all
     *     jobs as the agent)
     * @throws UncheckedIOException if the socket cannot be made
     */
    public static LoginEndpoint open(
            final Path socket, final TokenIssuer issuer, final Accounts accounts, final boolean agentSpeaksForAll) {
        return open(socket, issuer, accounts, agentSpeaksForAll, Optional::of);
    }

    /** @param siteUser the one site user who may speak for an account of this cluster; empty if there is none */
    public static LoginEndpoint open(
            final Path socket,
            final TokenIssuer issuer,
            final Accounts accounts,
            final boolean agentSpeaksForAll,
            final Function<UserName, Optional<UserName>> siteUser) {
        return open(socket, new LoginHandler(issuer, accounts, agentSpeaksForAll, siteUser), PATIENCE);
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
        // Bound under another name and then moved: it is never there without its mode, and a dead agent's socket is no
        // hindrance.
        final Path draft = socket.resolveSibling(socket.getFileName() + "~");
        Files.deleteIfExists(draft);
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(draft), 128);
            Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-rw-rw-"));
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
                conversation.hold();
            } finally {
                end.cancel(false);
                conversation.end();
                free.release();
            }
        });
    }

    /** Out of file descriptors, most likely: gives the others time to be closed. */
    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops serving and removes the socket, unless another agent has put its own there. */
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
