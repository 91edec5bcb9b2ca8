package io.millrace.lab.attacks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Sends requests byte by byte as an attacker can: paths, headers and bodies that an HTTP library would refuse or encode. */
final class ApiClient {

    private static final int KEPT_OPEN_MS = 10_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI server;
    private final Map<String, String> headers;

    private ApiClient(final URI server, final Map<String, String> headers) {
        this.server = server;
        this.headers = headers;
    }

    static ApiClient withToken(final URI server, final String token) {
        return new ApiClient(server, Map.of("Authorization", "Bearer " + token));
    }

    static ApiClient anonymous(final URI server) {
        return new ApiClient(server, Map.of());
    }

    /**
     * An answer.
     *
     * @param headers names in lower case
     * @param status 0 if the server closed the connection without an answer
     */
    record Answer(int status, Map<String, String> headers, String text) {

        JsonNode json() {
            try {
                return JSON.readTree(text);
            } catch (final IOException e) {
                return MissingNode.getInstance();
            }
        }

        String header(final String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    Answer get(final String path, final String... extra) {
        return send("GET", path, "", extra);
    }

    Answer post(final String path, final String body, final String... extra) {
        return send("POST", path, body, extra);
    }

    Answer send(final String method, final String path, final String body, final String... extra) {
        return send(method, path, body.getBytes(StandardCharsets.UTF_8), extra);
    }

    /**
     * Repeats a request that is refused only because there are too many, when the answer allows it.
     *
     * @param extra names and values of headers; an empty value removes the header
     */
    Answer send(final String method, final String path, final byte[] body, final String... extra) {
        while (true) {
            final Answer answer = once(method, path, body, extra);
            if (answer.status() != 429) {
                return answer;
            }
            try {
                Thread.sleep(1000L * Integer.parseInt(answer.header("Retry-After")));
            } catch (final InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Answer once(final String method, final String path, final byte[] body, final String... extra) {
        try (Socket socket = open(method, path, body, extra)) {
            return parse(answer(socket));
        } catch (final IOException e) {
            throw new UncheckedIOException(method + " " + path + ": " + e.getMessage(), e);
        }
    }

    /** Up to the end of the connection. Some headers make the server keep it open behind its answer. */
    private static byte[] answer(final Socket socket) throws IOException {
        final ByteArrayOutputStream answer = new ByteArrayOutputStream();
        final byte[] bytes = new byte[8192];
        socket.setSoTimeout(KEPT_OPEN_MS);
        while (true) {
            try {
                final int count = socket.getInputStream().read(bytes);
                if (count < 0) {
                    return answer.toByteArray();
                }
                answer.write(bytes, 0, count);
            } catch (final SocketTimeoutException e) {
                if (answer.size() > 0) {
                    return answer.toByteArray();
                }
            }
        }
    }

    /** Sends a request and returns the open connection. */
    Socket open(final String method, final String path, final byte[] body, final String... extra) throws IOException {
        final Map<String, String> all = new LinkedHashMap<>(headers);
        all.put("Host", server.getAuthority());
        all.put("Connection", "close");
        if (body.length > 0 || !method.equals("GET")) {
            all.put("Content-Type", "application/json");
            all.put("Content-Length", Integer.toString(body.length));
        }
        for (int i = 0; i < extra.length; i += 2) {
            all.put(extra[i], extra[i + 1]);
        }
        final ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes((method + " " + path + " HTTP/1.1\r\n").getBytes(StandardCharsets.UTF_8));
        all.forEach((name, value) -> {
            if (!value.isEmpty()) {
                request.writeBytes((name + ": " + value + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
        });
        request.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        request.writeBytes(body);
        final Socket socket = new Socket(server.getHost(), server.getPort());
        write(socket, request.toByteArray());
        return socket;
    }

    private static void write(final Socket socket, final byte[] request) throws IOException {
        try {
            final OutputStream out = socket.getOutputStream();
            out.write(request);
            out.flush();
        } catch (final IOException e) {
            return; // answered before everything was read
        }
    }

    private static Answer parse(final byte[] bytes) {
        final String all = new String(bytes, StandardCharsets.UTF_8);
        final int end = all.indexOf("\r\n\r\n");
        if (end < 0) {
            return new Answer(0, Map.of(), all);
        }
        final String[] head = all.substring(0, end).split("\r\n");
        final Map<String, String> headers = new TreeMap<>();
        for (int i = 1; i < head.length; i++) {
            final int colon = head[i].indexOf(':');
            headers.put(
                    head[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    head[i].substring(colon + 1).strip());
        }
        final String body = all.substring(end + 4);
        return new Answer(
                Integer.parseInt(head[0].split(" ")[1]),
                headers,
                headers.getOrDefault("transfer-encoding", "").contains("chunked") ? unchunked(body) : body);
    }

    private static String unchunked(final String body) {
        final StringBuilder text = new StringBuilder();
        final byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (at < bytes.length) {
            final int line = indexOf(bytes, at);
            if (line < 0) {
                break;
            }
            final int size = Integer.parseInt(new String(bytes, at, line - at, StandardCharsets.US_ASCII).strip(), 16);
            if (size == 0) {
                break;
            }
            text.append(new String(bytes, line + 1, Math.min(size, bytes.length - line - 1), StandardCharsets.UTF_8));
            at = line + 1 + size + 2;
        }
        return text.toString();
    }

    private static int indexOf(final byte[] bytes, final int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }
}
