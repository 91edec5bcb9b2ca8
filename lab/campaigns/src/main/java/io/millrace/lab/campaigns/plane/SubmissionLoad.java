package io.millrace.lab.campaigns.plane;

import io.millrace.story.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * Submits many jobs over several connections, each of which sends the next request when the last one is answered.
 *
 * @param api base of the REST API, without {@code /api/v1}
 * @param trust the authorities of an https URL
 * @param bodies JSON of the submissions, used in turn
 */
record SubmissionLoad(URI api, SSLContext trust, String token, List<String> bodies) {

    SubmissionLoad(final Site site, final String token, final List<String> bodies) {
        this(site.api(), defaultTrust(), token, bodies);
    }

    private static SSLContext defaultTrust() {
        try {
            return SSLContext.getDefault();
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    /** The same submissions to another URL of the service. */
    SubmissionLoad to(final URI other, final SSLContext authorities) {
        return new SubmissionLoad(other, authorities, token, bodies);
    }

    /**
     * The accepted submissions of one run.
     *
     * @param seconds of the run
     * @param latenciesMs of all submissions, ascending
     */
    record Result(int connections, double seconds, long[] latenciesMs) {

        double perSecond() {
            return latenciesMs.length / seconds;
        }

        /** @param share between 0 and 1 */
        long percentileMs(final double share) {
            return latenciesMs[(int) Math.min(latenciesMs.length - 1.0, Math.floor(share * latenciesMs.length))];
        }
    }

    Result run(final int jobs, final int connections) {
        final AtomicInteger left = new AtomicInteger(jobs);
        final long begin = System.nanoTime();
        final List<Future<List<Long>>> lanes = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(trust)
                        .executor(threads)
                        .build()) {
            for (int lane = 0; lane < connections; lane++) {
                lanes.add(threads.submit(() -> lane(client, left)));
            }
            final long[] latencies = lanes.stream()
                    .flatMap(lane -> result(lane).stream())
                    .mapToLong(Long::longValue)
                    .toArray();
            Arrays.sort(latencies);
            return new Result(connections, (System.nanoTime() - begin) / 1e9, latencies);
        }
    }

    private List<Long> lane(final HttpClient client, final AtomicInteger left)
            throws IOException, InterruptedException {
        final List<Long> latencies = new ArrayList<>();
        for (int job = left.decrementAndGet(); job >= 0; job = left.decrementAndGet()) {
            final long sent = System.nanoTime();
            post(client, "/api/v1/jobs", bodies.get(job % bodies.size()));
            latencies.add(Duration.ofNanos(System.nanoTime() - sent).toMillis());
        }
        return latencies;
    }

    /** Returns the seconds until a batch of equal jobs was accepted in one request. */
    double batch(final int jobs) {
        final String job = bodies.getFirst();
        final String body = job.substring(0, job.length() - 1) + ",\"array\":\"1-" + jobs + "\"}";
        try (HttpClient client = HttpClient.newHttpClient()) {
            final long begin = System.nanoTime();
            post(client, "/api/v1/batches", body);
            return (System.nanoTime() - begin) / 1e9;
        } catch (IOException e) {
            throw new UncheckedIOException("the API at " + api + " does not accept a batch", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while submitting", e);
        }
    }

    private void post(final HttpClient client, final String path, final String body)
            throws IOException, InterruptedException {
        final HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(api.resolve(path))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofMinutes(2))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 202) {
            throw new IllegalStateException(
                    "a submission was answered with " + response.statusCode() + ": " + response.body());
        }
    }

    private static List<Long> result(final Future<List<Long>> lane) {
        try {
            return lane.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while submitting", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("submitting failed: " + e.getMessage(), e);
        }
    }
}
