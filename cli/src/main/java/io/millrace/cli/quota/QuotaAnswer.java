package io.millrace.cli.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/** Waits until quota-service has answered a requested change of a quota or budget. */
final class QuotaAnswer {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_MS = 200;

    private QuotaAnswer() {}

    /**
     * Returns the quota after the change.
     *
     * @param request the change as the service accepted it
     * @param answered whether the quota has changed
     * @throws CommandException if the change was refused, or there is no answer in time
     */
    static JsonNode await(
            final ApiClient api, final String path, final JsonNode request, final Predicate<JsonNode> answered)
            throws CommandException {
        final long deadline = System.nanoTime() + TIMEOUT.toNanos();
        do {
            final JsonNode now = api.get(path);
            if (now.path("refusal").path("request").path("requestedAt").equals(request.path("requestedAt"))) {
                throw new CommandException(
                        ExitCode.FAILED,
                        "refused: " + now.path("refusal").path("reason").asText());
            }
            if (answered.test(now)) {
                return now;
            }
            pause();
        } while (System.nanoTime() < deadline);
        throw new CommandException(
                ExitCode.UNREACHABLE,
                "no answer to the change within " + TIMEOUT.toSeconds()
                        + " s; check that quota-service is running, then see mgquota show");
    }

    /** Whether what is in force is what was requested: it has our author and request time. */
    static boolean isOf(final JsonNode now, final JsonNode request) {
        return Instant.parse(now.path("changedAt").asText("1970-01-01T00:00:00Z"))
                        .equals(Instant.parse(request.path("requestedAt").asText()))
                && now.path("author").equals(request.path("author"));
    }

    private static void pause() throws CommandException {
        try {
            Thread.sleep(POLL_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(
                    ExitCode.FAILED, "interrupted before the change was confirmed; see mgquota show");
        }
    }
}
