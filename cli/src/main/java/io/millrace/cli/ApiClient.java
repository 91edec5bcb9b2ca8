package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The REST API. Not {@code java.net.http}: starting its threads takes longer than most requests. */
final class ApiClient {

    private static final int CONNECT_MS = 5_000;
    private static final int READ_MS = 30_000;
    private static final int STREAM_MS = 60_000;
    private static final int UNAUTHENTICATED = 401;

    private final URI base;
    private final StoredToken token;

    ApiClient(final Settings settings) throws CommandException {
        this.base = settings.api();
        this.token = new StoredToken(settings);
    }

    JsonNode get(final String path) throws CommandException {
        return send("GET", path, null, Map.of());
    }

    /** The body as it is, whatever its type. */
    String text(final String path) throws CommandException {
        return sendText("GET", path, null, Map.of("Accept", "*/*"));
    }

    /**
     * The body as it comes, of any length and type.
     *
     * @throws CommandException also if it breaks off: what was written by then is no whole answer
     */
    void copy(final String path, final OutputStream to) throws CommandException {
        final HttpURLConnection connection = answered("GET", path, null, Map.of("Accept", "*/*"), STREAM_MS);
        try (InputStream in = connection.getInputStream()) {
            in.transferTo(to);
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.UNREACHABLE, "the answer broke off, what came of it is not all (" + e.getMessage() + ")");
        }
    }

    JsonNode post(final String path, final ObjectNode body, final Map<String, String> headers) throws CommandException {
        return send("POST", path, body, headers);
    }

    /** Asks for a change of what has this version. */
    JsonNode put(final String path, final ObjectNode body, final long version) throws CommandException {
        return send("PUT", path, body, Map.of("If-Match", "\"" + version + "\""));
    }

    /** Server-sent events; ends when the server or the network ends it. */
    BufferedReader follow(final String path, final @Nullable String lastEventId) throws CommandException {
        final Map<String, String> headers = lastEventId == null
                ? Map.of("Accept", "text/event-stream")
                : Map.of("Accept", "text/event-stream", "Last-Event-ID", lastEventId);
        final HttpURLConnection connection = answered("GET", path, null, headers, STREAM_MS);
        try {
            return new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private JsonNode send(
            final String method, final String path, final @Nullable ObjectNode body, final Map<String, String> headers)
            throws CommandException {
        try {
            return Json.read(sendText(method, path, body, headers));
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private String sendText(
            final String method, final String path, final @Nullable ObjectNode body, final Map<String, String> headers)
            throws CommandException {
        final HttpURLConnection connection = answered(method, path, body, headers, READ_MS);
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** A connection that has a good answer; a token that is refused is fetched anew once, where that is possible. */
    private HttpURLConnection answered(
            final String method,
            final String path,
            final @Nullable ObjectNode body,
            final Map<String, String> headers,
            final int timeoutMs)
            throws CommandException {
        final String first = token.current();
        HttpURLConnection connection = sent(method, path, body, headers, first, timeoutMs);
        if (status(connection) == UNAUTHENTICATED && token.canBeRenewed()) {
            connection = sent(method, path, body, headers, token.renewed(StoredToken.claim(first, "sub")), timeoutMs);
        }
        if (status(connection) >= 300) {
            throw refused(connection);
        }
        return connection;
    }

    private HttpURLConnection sent(
            final String method,
            final String path,
            final @Nullable ObjectNode body,
            final Map<String, String> headers,
            final String bearer,
            final int timeoutMs)
            throws CommandException {
        try {
            final HttpURLConnection connection = (HttpURLConnection)
                    URI.create(base + "/api/v1" + path).toURL().openConnection();
            connection.setConnectTimeout(CONNECT_MS);
            connection.setReadTimeout(timeoutMs);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestMethod(method);
            connection.setRequestProperty("Authorization", "Bearer " + bearer);
            connection.setRequestProperty("Accept", "application/json");
            headers.forEach(connection::setRequestProperty);
            if (body != null) {
                final byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
                connection.setDoOutput(true);
                connection.setFixedLengthStreamingMode(bytes.length);
                connection.setRequestProperty("Content-Type", "application/json");
                connection.getOutputStream().write(bytes);
            }
            connection.getResponseCode();
            return connection;
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private int status(final HttpURLConnection connection) throws CommandException {
        try {
            return connection.getResponseCode();
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private CommandException refused(final HttpURLConnection connection) throws CommandException {
        final int status = status(connection);
        final String detail = detail(connection);
        return switch (status) {
            case 400, 413, 422 -> new CommandException(ExitCode.USAGE, detail);
            case 401, 403 -> new CommandException(ExitCode.NOT_AUTHORISED, detail);
            case 404 -> new CommandException(ExitCode.NOT_FOUND, detail);
            default -> new CommandException(status >= 500 ? ExitCode.UNREACHABLE : ExitCode.FAILED, detail);
        };
    }

    /** The problem's own words, where the answer is one (RFC 9457); else what there is. */
    private String detail(final HttpURLConnection connection) throws CommandException {
        final String answer = status(connection) + " from " + base;
        try (InputStream in = connection.getErrorStream()) {
            if (in == null) {
                return "the service answered " + answer;
            }
            final JsonNode problem = Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            final StringBuilder text =
                    new StringBuilder(problem.path("detail").asText("the service answered " + answer));
            if (problem.path("errors").size() > 1) {
                problem.path("errors")
                        .forEach(error -> text.append("\n  ")
                                .append(error.path("field").asText())
                                .append(' ')
                                .append(error.path("reason").asText()));
            }
            return text.toString();
        } catch (IOException e) {
            return "the service answered " + answer + ", without a reason that can be read";
        }
    }

    private CommandException unreachable(final IOException e) {
        return new CommandException(
                ExitCode.UNREACHABLE,
                "the service at " + base + " does not answer (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                        + "): is it up, and MILLRACE_API right?");
    }
}
