package io.millrace.agent.login;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection: reads one line and writes one line. */
final class LoginConversation {

    private static final Logger LOG = LoggerFactory.getLogger(LoginConversation.class);
    private static final int LONGEST_LINE = 256;

    private final SocketChannel client;
    private final LoginHandler desk;

    LoginConversation(final SocketChannel client, final LoginHandler desk) {
        this.client = client;
        this.desk = desk;
    }

    /** The account name of the client as the kernel reports it (the uid if the account has no name); empty if the client has gone. */
    Optional<String> peer() {
        try {
            return Optional.of(
                    client.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName());
        } catch (final IOException e) {
            LOG.debug("login connection closed early", e);
            return Optional.empty();
        }
    }

    void hold(final String peer) {
        try {
            final ByteBuffer answer = StandardCharsets.UTF_8.encode(desk.answer(peer, line()) + "\n");
            while (answer.hasRemaining()) {
                client.write(answer);
            }
        } catch (final IOException e) {
            // The client closed the connection or was too slow.
            LOG.debug("login connection closed early", e);
        } catch (final RuntimeException e) {
            LOG.warn("a login request failed", e);
        }
    }

    /** The input up to the first line end or the end of the stream, at most 256 bytes. A valid request is shorter. */
    private String line() throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocate(LONGEST_LINE);
        while (bytes.hasRemaining() && client.read(bytes) >= 0) {
            for (int i = 0; i < bytes.position(); i++) {
                if (bytes.get(i) == '\n') {
                    return new String(bytes.array(), 0, i, StandardCharsets.UTF_8);
                }
            }
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    void end() {
        try {
            client.close();
        } catch (final IOException e) {
            LOG.debug("a login connection could not be closed", e);
        }
    }
}
