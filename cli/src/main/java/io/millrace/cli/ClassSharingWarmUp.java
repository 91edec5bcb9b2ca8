package io.millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/**
 * At the first start of a command its JVM writes down, at its end, the classes it has met (class data sharing). A first start may be
 * no more than {@code --help}; so it also asks itself a question over HTTP, and later starts are quick whatever they do.
 */
final class ClassSharingWarmUp {

    private static final String ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\nConnection: close\r\n\r\n{\"a\":[]}";
    private static final int PATIENCE_MS = 1_000;

    private ClassSharingWarmUp() {}

    static void loadUsualClasses() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final Thread other = Thread.ofPlatform().daemon().start(() -> answer(server));
            final HttpURLConnection connection = (HttpURLConnection) URI.create("http://"
                            + InetAddress.getLoopbackAddress().getHostAddress() + ":" + server.getLocalPort() + "/")
                    .toURL()
                    .openConnection();
            connection.setConnectTimeout(PATIENCE_MS);
            connection.setReadTimeout(PATIENCE_MS);
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection
                    .getOutputStream()
                    .write(Json.object().put("a", 1).toString().getBytes(StandardCharsets.UTF_8));
            try (InputStream in = connection.getInputStream()) {
                Json.pretty(Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            }
            other.join(PATIENCE_MS);
            AgeFormat.format(Duration.between(Instant.parse("2026-01-01T00:00:00Z"), Instant.now()));
        } catch (IOException e) {
            return; // no loopback: later starts take a little longer, nothing else
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(final ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().read(new byte[1024]);
            socket.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return; // the asking side meets the same trouble
        }
    }
}
