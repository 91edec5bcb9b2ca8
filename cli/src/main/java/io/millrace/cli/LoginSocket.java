package io.millrace.cli;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Asks the agent of this login node for a token. The kernel tells the agent who asks. */
final class LoginSocket {

    private static final int MAX_ANSWER = 64 * 1024;

    private LoginSocket() {}

    /** @param user null for oneself */
    static String token(final Path socket, final @Nullable String user) throws CommandException {
        final String answer =
                ask(socket, user == null ? "token\n" : "token " + user + "\n").strip();
        if (answer.startsWith("ok ")) {
            return answer.substring("ok ".length()).strip();
        }
        if (answer.startsWith("no ")) {
            throw new CommandException(ExitCode.NOT_AUTHORISED, answer.substring("no ".length()));
        }
        throw new CommandException(
                ExitCode.UNREACHABLE,
                "the agent at '" + socket + "' gave no answer that is understood here; are both of one release?");
    }

    private static String ask(final Path socket, final String request) throws CommandException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            final ByteBuffer out = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            final ByteBuffer in = ByteBuffer.allocate(MAX_ANSWER);
            while (in.hasRemaining() && channel.read(in) >= 0) {
                // until the agent closes
            }
            return new String(in.array(), 0, in.position(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.UNREACHABLE,
                    "the agent's login socket '" + socket + "' does not answer (" + e.getMessage()
                            + "): is the agent running?");
        }
    }
}
