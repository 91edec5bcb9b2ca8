package io.millrace.story;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Reads the public REST API as the holder of a token. */
public final class RestClient {

    private static final int TRIES = 60;
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(60)).build();
    private final ObjectMapper json = new ObjectMapper();
    private final Site site;
    private final Path tokenFile;

    public RestClient(final Site site, final Path tokenFile) {
        this.site = site;
        this.tokenFile = tokenFile;
    }

    /**
     * The response to {@code GET /api/v1<path>}; repeated while the service is busy. Any other status than 200 ends the scenario with the service's
     * message.
     */
    public JsonNode get(final String path) {
        HttpResponse<String> response = send(path);
        for (int tries = 1; response.statusCode() == 503 && tries < TRIES; tries++) {
            Pause.of(RETRY_INTERVAL);
            response = send(path);
        }
        return read(path, response);
    }

    /** As {@link #get}, but empty if the service does not know the thing, or not yet. */
    Optional<JsonNode> find(final String path) {
        final HttpResponse<String> response = send(path);
        return response.statusCode() == 404 ? Optional.empty() : Optional.of(read(path, response));
    }

    private JsonNode read(final String path, final HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            throw new IllegalStateException(
                    "GET " + path + " answered " + response.statusCode() + ": " + response.body());
        }
        try {
            return json.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException("GET " + path + " answered what is not JSON: " + response.body(), e);
        }
    }

    private HttpResponse<String> send(final String path) {
        final HttpRequest request = HttpRequest.newBuilder(site.api().resolve("/api/v1" + path))
                .header("Authorization", "Bearer " + Texts.read(tokenFile).strip())
                .timeout(Duration.ofMinutes(2))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException("the API at " + site.api() + " does not answer GET " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading " + path, e);
        }
    }
}
