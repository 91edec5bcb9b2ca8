package io.millrace.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;

/** A client of the running service. */
public final class ApiClient {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, String> headers;

    private ApiClient(final Map<String, String> headers) {
        this.headers = headers;
    }

    public record Answer(int status, HttpResponse<String> response, JsonNode body) {
        public String header(final String name) {
            return response.headers().firstValue(name).orElse(null);
        }
    }

    public static ApiClient as(final String user) {
        return withToken(TestTokens.of(user));
    }

    public static ApiClient withToken(final String token) {
        return new ApiClient(Map.of("Authorization", "Bearer " + token));
    }

    public static ApiClient withoutToken() {
        return new ApiClient(Map.of());
    }

    public Answer get(final String path, final String... extra) {
        return send("GET", path, (String) null, extra);
    }

    public Answer post(final String path, final String body, final String... extra) {
        return send("POST", path, body, extra);
    }

    public Answer put(final String path, final String body, final String... extra) {
        return send("PUT", path, body, extra);
    }

    public Answer send(final String method, final String path, final String body, final String... extra) {
        return send(
                method,
                path,
                body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body),
                extra);
    }

    public Answer send(
            final String method, final String path, final HttpRequest.BodyPublisher body, final String... extra) {
        final HttpRequest.Builder request =
                request(path).method(method, body).setHeader("Content-Type", "application/json");
        for (int i = 0; i < extra.length; i += 2) {
            request.setHeader(extra[i], extra[i + 1]);
        }
        return send(request);
    }

    private Answer send(final HttpRequest.Builder request) {
        try {
            final HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response, json(response.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(request.build().toString(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public HttpRequest.Builder request(final String path) {
        final HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        headers.forEach(request::header);
        return request;
    }

    public static HttpClient client() {
        return CLIENT;
    }

    /** An answer of the port of health and metrics, whose paths begin with {@code /q}. */
    public static Answer management(final String path) {
        final URI base = URI.create(ConfigProvider.getConfig().getValue("test.management.url", String.class));
        return withoutToken().send(HttpRequest.newBuilder(base.resolve(path)).header("Accept", "text/plain, */*"));
    }

    public static URI uri(final String path) {
        final String base = ConfigProvider.getConfig().getValue("test.url", String.class);
        return URI.create(base + path);
    }

    private static JsonNode json(final String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            return JSON.getNodeFactory().textNode(text);
        }
    }
}
