package io.millrace.story.plane;

import io.millrace.story.Site;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Submits many jobs over several connections, each of which sends the next request when the last one is answered.
 *
 * @param bodies JSON of the submissions, used in turn
 */
record SubmissionLoad(Site site, String token, List<String> bodies) {

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
            final HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(site.api().resolve("/api/v1/jobs"))
                            .header("Authorization", "Bearer " + token)
                            .header("Content-Type", "application/json")
                            .timeout(Duration.ofMinutes(2))
                            .POST(HttpRequest.BodyPublishers.ofString(bodies.get(job % bodies.size())))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 202) {
                throw new IllegalStateException(
                        "a submission was answered with " + response.statusCode() + ": " + response.body());
            }
            latencies.add(Duration.ofNanos(System.nanoTime() - sent).toMillis());
        }
        return latencies;
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
