package io.millrace.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.model.Text;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** A client of the REST API. Does not use {@code java.net.http}, because its threads take longer to start than most requests take. */
public final class ApiClient {

    private static final int CONNECT_MS = 5_000;
    private static final int READ_MS = 30_000;
    private static final int STREAM_MS = 60_000;
    private static final int UNAUTHENTICATED = 401;
    /** Header of a submission: requests with the same key and body submit one job. */
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private static final int UNAVAILABLE = 503;
    private static final String ROOT = "/api/v1";
    private static final int REDIRECT = 307;
    private static final int TOO_MANY_REQUESTS = 429;
    /** How long a read is repeated while the service asks for that, for example because a burst of submissions is being recorded. */
    private static final Duration RETRY_FOR = Duration.ofSeconds(30);

    private static final int LONGEST_RETRY_S = 5;

    private final URI base;
    private final StoredToken token;
    /** Null: the authorities of the JVM. */
    private final @Nullable SSLSocketFactory trust;

    public ApiClient(final Settings settings) throws CommandException {
        this.base = settings.api();
        this.trust = "https".equals(base.getScheme()) ? Authorities.of(settings.authorityFile()) : null;
        this.token = new StoredToken(settings);
    }

    /** The user for whom requests are made. */
    public String user() throws CommandException {
        return Objects.requireNonNullElse(StoredToken.claim(token.current(), "sub"), "");
    }

    public JsonNode get(final String path) throws CommandException {
        return send("GET", path, null, Map.of());
    }

    /** @param next cursor of the next page; null on the last page */
    public record Page(String text, @Nullable String next) {}

    /** A page whose body is text of any media type. */
    public Page page(final String path) throws CommandException {
        final HttpURLConnection connection = answered("GET", path, null, Map.of("Accept", "*/*"), READ_MS);
        return new Page(body(connection), connection.getHeaderField("Millrace-Next"));
    }

    /**
     * Streams the response body, of any length and media type.
     *
     * @throws CommandException also if the response ends early; the output is then incomplete
     */
    public void copy(final String path, final OutputStream to) throws CommandException {
        final HttpURLConnection connection = answered("GET", path, null, Map.of("Accept", "*/*"), STREAM_MS);
        try (InputStream in = connection.getInputStream()) {
            in.transferTo(to);
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.UNREACHABLE,
                    "the response ended early, so the output is incomplete (" + e.getMessage() + ")");
        }
    }

    public JsonNode post(final String path, final ObjectNode body, final Map<String, String> headers)
            throws CommandException {
        return send("POST", path, body, headers);
    }

    /** Requests a change of the resource at this version. */
    public JsonNode put(final String path, final ObjectNode body, final long version) throws CommandException {
        return send("PUT", path, body, Map.of("If-Match", "\"" + version + "\""));
    }

    /** Requests the removal of the resource at this version. */
    public JsonNode delete(final String path, final long version) throws CommandException {
        return send("DELETE", path, null, Map.of("If-Match", "\"" + version + "\""));
    }

    /** Opens a stream of server-sent events. The reader ends when the server closes the stream. */
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
        return body(answered(method, path, body, headers, READ_MS));
    }

    private String body(final HttpURLConnection connection) throws CommandException {
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** Sends a request and returns a connection with a successful response. Repeats a request that the service cannot answer yet if that is safe, and a request beyond a limit. */
    private HttpURLConnection answered(
            final String method,
            final String path,
            final @Nullable ObjectNode body,
            final Map<String, String> headers,
            final int timeoutMs)
            throws CommandException {
        final long until = System.nanoTime() + RETRY_FOR.toNanos();
        HttpURLConnection connection = permitted(method, path, body, headers, timeoutMs);
        final boolean isIdempotent = method.equals("GET") || headers.containsKey(IDEMPOTENCY_KEY);
        while (mayRepeat(isIdempotent, connection) && System.nanoTime() < until) {
            pause(connection.getHeaderFieldInt("Retry-After", 1));
            connection = permitted(method, path, body, headers, timeoutMs);
        }
        final String other = connection.getHeaderField("Location");
        if (status(connection) == REDIRECT && other != null && other.contains(ROOT)) {
            // a batch was named where a job was expected; the host stays the same, because the request has a token
            connection =
                    permitted(method, other.substring(other.indexOf(ROOT) + ROOT.length()), body, headers, timeoutMs);
        }
        if (status(connection) >= 300) {
            throw refused(connection);
        }
        return connection;
    }

    /** A request beyond a limit of the service was not processed, so any may be repeated. */
    private boolean mayRepeat(final boolean isIdempotent, final HttpURLConnection connection) throws CommandException {
        return switch (status(connection)) {
            case UNAVAILABLE -> isIdempotent;
            case TOO_MANY_REQUESTS -> connection.getHeaderFieldInt("Retry-After", 1) <= LONGEST_RETRY_S;
            default -> false;
        };
    }

    private static void pause(final int seconds) throws CommandException {
        try {
            Thread.sleep(Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST_RETRY_S)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.UNREACHABLE, "interrupted while the service is busy");
        }
    }

    /** Renews a rejected token once if that is possible. */
    private HttpURLConnection permitted(
            final String method,
            final String path,
            final @Nullable ObjectNode body,
            final Map<String, String> headers,
            final int timeoutMs)
            throws CommandException {
        final String first = token.current();
        final HttpURLConnection connection = sent(method, path, body, headers, first, timeoutMs);
        return status(connection) == UNAUTHENTICATED && token.canBeRenewed()
                ? sent(method, path, body, headers, token.renewed(StoredToken.claim(first, "sub")), timeoutMs)
                : connection;
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
            final HttpURLConnection connection =
                    (HttpURLConnection) URI.create(base + ROOT + path).toURL().openConnection();
            if (trust != null && connection instanceof HttpsURLConnection secure) {
                secure.setSSLSocketFactory(trust);
            }
            connection.setConnectTimeout(CONNECT_MS);
            connection.setReadTimeout(timeoutMs);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestMethod(method);
            connection.setRequestProperty("Authorization", "Bearer " + bearer);
            connection.setRequestProperty("Accept", "application/json");
            headers.forEach(connection::setRequestProperty);
            if (body != null) {
                final byte[] bytes = Json.compact(body).getBytes(StandardCharsets.UTF_8);
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

    /** The invalid fields or else the detail of the problem (RFC 9457); otherwise the status. */
    private String detail(final HttpURLConnection connection) throws CommandException {
        final String answer = "the service at " + base + " returned HTTP " + status(connection);
        try (InputStream in = connection.getErrorStream()) {
            if (in == null) {
                return answer;
            }
            final JsonNode problem = Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return problem.path("errors").isEmpty()
                    ? Text.escaped(problem.path("detail").asText(answer))
                    : invalid(problem.path("errors"));
        } catch (IOException e) {
            return answer + " without a readable reason";
        }
    }

    /** A line for each invalid field, named by the option that sets it. */
    private static String invalid(final JsonNode errors) {
        final List<String> lines = new ArrayList<>();
        errors.forEach(error ->
                lines.add(Text.escaped((FieldOptions.of(error.path("field").asText()) + " "
                                + error.path("reason").asText())
                        .strip())));
        return String.join("\n  ", lines);
    }

    private CommandException unreachable(final IOException e) {
        return new CommandException(
                ExitCode.UNREACHABLE,
                "cannot reach the service at " + base + " (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                        + "); check that it is running and that MILLRACE_API is correct"
                        + (e instanceof SSLException
                                ? "; if its certificate is of the site's own authority, set MILLRACE_AUTHORITY_FILE"
                                : ""));
    }
}
