package io.millrace.cli.api;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Requests a token from the agent of this login node. The agent identifies the caller by the peer credentials of the socket. */
final class LoginSocket {

    private static final int MAX_ANSWER = 64 * 1024;

    private LoginSocket() {}

    /** @param user owner of the token; null: the caller */
    static String token(final Path socket, final @Nullable String user) throws CommandException {
        final String answer = exchange(socket, user == null ? "token\n" : "token " + user + "\n")
                .strip();
        if (answer.startsWith("ok ")) {
            return answer.substring("ok ".length()).strip();
        }
        if (answer.startsWith("no ")) {
            throw new CommandException(ExitCode.NOT_AUTHORISED, answer.substring("no ".length()));
        }
        throw new CommandException(
                ExitCode.UNREACHABLE,
                "unknown response from the agent at '" + socket
                        + "'; check that agent and command have the same version");
    }

    private static String exchange(final Path socket, final String request) throws CommandException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            final ByteBuffer out = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            final ByteBuffer in = ByteBuffer.allocate(MAX_ANSWER);
            while (in.hasRemaining() && channel.read(in) >= 0) {
                // until the agent closes the connection
            }
            return new String(in.array(), 0, in.position(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.UNREACHABLE,
                    "cannot reach the agent at its login socket '" + socket + "' (" + e.getMessage()
                            + "); check that the agent is running");
        }
    }
}
