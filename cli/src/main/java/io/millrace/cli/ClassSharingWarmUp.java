package io.millrace.cli;

import io.millrace.cli.api.Json;
import io.millrace.cli.text.AgeFormat;
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
 * Loads the classes that most commands need. At the end of a command's first start, the JVM archives the loaded classes for later starts
 * (class data sharing). The first start may be a mere {@code --help}, so it also makes an HTTP request to itself.
 */
final class ClassSharingWarmUp {

    private static final String ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\nConnection: close\r\n\r\n{\"a\":[]}";
    private static final int TIMEOUT_MS = 1_000;

    private ClassSharingWarmUp() {}

    static void loadUsualClasses() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final Thread responder = Thread.ofPlatform().daemon().start(() -> answer(server));
            final HttpURLConnection connection = (HttpURLConnection) URI.create("http://"
                            + InetAddress.getLoopbackAddress().getHostAddress() + ":" + server.getLocalPort() + "/")
                    .toURL()
                    .openConnection();
            connection.setConnectTimeout(TIMEOUT_MS);
            connection.setReadTimeout(TIMEOUT_MS);
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection
                    .getOutputStream()
                    .write(Json.object().put("a", 1).toString().getBytes(StandardCharsets.UTF_8));
            try (InputStream in = connection.getInputStream()) {
                Json.pretty(Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            }
            responder.join(TIMEOUT_MS);
            AgeFormat.format(Duration.between(Instant.parse("2026-01-01T00:00:00Z"), Instant.now()));
        } catch (IOException e) {
            return; // No loopback interface. Later starts only take a little longer.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(final ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().read(new byte[1024]);
            socket.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return; // The client side fails too.
        }
    }
}
