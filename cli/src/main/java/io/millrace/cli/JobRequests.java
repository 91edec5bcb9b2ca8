package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Sends the same request for several jobs. */
public final class JobRequests {

    /** Requests that are sent at a time; fewer jobs are changed one after the other. */
    private static final int AT_ONCE = 8;

    private JobRequests() {}

    /** Sends the request for one job. */
    private interface Request {
        void send(String id) throws CommandException;
    }

    /**
     * Sends the request for each job and reports failures.
     *
     * @param verb last segment of the path, e.g. {@code stop} for a request of {@code mgstop}
     * @return the exit code of the first failure
     */
    static int send(final ApiClient api, final String verb, final List<String> ids, final ObjectNode body)
            throws CommandException {
        return send(verb, ids, id -> post(api, verb, id, body));
    }

    /** As {@link #send}, but a selected job that has ended meanwhile is no failure. */
    static int sendToSelected(final ApiClient api, final String verb, final List<String> ids, final ObjectNode body)
            throws CommandException {
        return send(verb, ids, id -> {
            try {
                post(api, verb, id, body);
            } catch (CommandException refused) {
                if (refused.exitCode() != ExitCode.FAILED || !hasEnded(api, id)) {
                    throw refused;
                }
            }
        });
    }

    private static void post(final ApiClient api, final String verb, final String id, final ObjectNode body)
            throws CommandException {
        final JsonNode answer = api.post("/jobs/" + UrlComponent.encode(id) + "/" + verb, body, Map.of());
        if (answer.path("refused").asInt() > 0) {
            throw new CommandException(ExitCode.FAILED, refusals(id, answer));
        }
    }

    /** The jobs of a batch that were not changed, by reason. */
    private static String refusals(final String batch, final JsonNode answer) {
        final StringBuilder text = new StringBuilder(
                "batch " + batch + ": requested for " + answer.path("requested").asInt() + " jobs, refused for "
                        + answer.path("refused").asInt());
        answer.path("reasons")
                .forEach(reason -> text.append("\n  ")
                        .append(reason.path("jobs").asInt())
                        .append(reason.path("jobs").asInt() == 1 ? " job: " : " jobs, the first of them: ")
                        .append(TerminalText.printable(reason.path("reason").asText())));
        return text.toString();
    }

    private static boolean hasEnded(final ApiClient api, final String id) throws CommandException {
        return api.get("/jobs/" + UrlComponent.encode(id)).path("finished").asBoolean();
    }

    /** Sends the request for each job. The failures are in the order of the jobs; null: none. */
    public static List<@Nullable CommandException> failures(
            final ApiClient api, final String verb, final List<String> ids, final ObjectNode body)
            throws CommandException {
        return failures(ids, id -> post(api, verb, id, body));
    }

    private static List<@Nullable CommandException> failures(final List<String> ids, final Request request)
            throws CommandException {
        return ids.size() < AT_ONCE ? oneByOne(ids, request) : several(ids, request);
    }

    private static int send(final String verb, final List<String> ids, final Request request) throws CommandException {
        final List<@Nullable CommandException> failures = failures(ids, request);
        int exit = ExitCode.OK;
        for (final CommandException failure : failures) {
            if (failure != null) {
                Printer.errBlock("mg" + verb + ": " + failure.getMessage());
                exit = exit == ExitCode.OK ? failure.exitCode() : exit;
            }
        }
        return exit;
    }

    private static List<@Nullable CommandException> oneByOne(final List<String> ids, final Request request) {
        final List<@Nullable CommandException> failures = new ArrayList<>();
        ids.forEach(id -> failures.add(failure(id, request)));
        return failures;
    }

    /** Several at once, because each answer waits until the change is visible to queries. */
    private static List<@Nullable CommandException> several(final List<String> ids, final Request request)
            throws CommandException {
        final List<Future<@Nullable CommandException>> running = new ArrayList<>();
        final List<@Nullable CommandException> failures = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            ids.forEach(id -> running.add(threads.submit(() -> failure(id, request))));
            for (final Future<@Nullable CommandException> one : running) {
                failures.add(one.get());
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new CommandException(ExitCode.FAILED, "interrupted: " + e.getMessage());
        }
        return failures;
    }

    private static @Nullable CommandException failure(final String id, final Request request) {
        try {
            request.send(id);
            return null;
        } catch (CommandException e) {
            return e;
        }
    }
}
