package io.millrace.cli.priority;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.text.Printer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change of the priority rules. Sends the complete rules, so that unchanged parts are kept, and waits for the outcome. */
final class PriorityChange {

    static final String PATH = "/priority";

    private static final List<String> PARTS = List.of(
            "weights",
            "maxAge",
            "halfLife",
            "classFactorsPercent",
            "urgencyFactorsPercent",
            "projectFactorsPercent",
            "overflow");
    private static final int POLLS = 300;
    private static final int POLL_MS = 200;

    private final ApiClient api;
    private final JsonNode seen;
    private final ObjectNode body = Json.object();

    /** @param seen the rules in force, on which the change is based */
    PriorityChange(final ApiClient api, final JsonNode seen, final @Nullable String reason) throws CommandException {
        if (reason == null || reason.isBlank()) {
            throw new CommandException(ExitCode.USAGE, "a change requires --reason");
        }
        this.api = api;
        this.seen = seen;
        PARTS.stream()
                .filter(seen::has)
                .forEach(part -> body.set(part, seen.path(part).deepCopy()));
        body.put("reason", reason);
    }

    /** The requested rules; initially the rules in force. */
    ObjectNode body() {
        return body;
    }

    /** Requests the change and returns the new rules. Fails if another change came first. */
    JsonNode submitAndWait() throws CommandException {
        final JsonNode request = api.put(PATH, body, seen.path("version").asLong());
        request.path("warnings").forEach(warning -> Printer.err("mgprio: warning: " + warning.asText()));
        for (int poll = 0; poll < POLLS; poll++) {
            final JsonNode rules = api.get(PATH);
            if (rules.path("changedAt")
                            .asText()
                            .equals(request.path("requestedAt").asText())
                    && rules.path("author")
                            .asText()
                            .equals(request.path("author").asText())) {
                return rules;
            }
            if (rules.path("version").asLong() > request.path("basedOn").asLong()) {
                throw new CommandException(
                        ExitCode.FAILED,
                        rules.path("author").asText() + " changed the rules first (now version "
                                + rules.path("version").asText() + ", "
                                + rules.path("changedAt").asText() + "; reason: "
                                + rules.path("reason").asText()
                                + "). Check them with mgprio weights and retry.");
            }
            pause();
        }
        throw new CommandException(
                ExitCode.UNREACHABLE,
                "no answer to the change yet; check that quota-service is running, then see mgprio weights");
    }

    private static void pause() throws CommandException {
        try {
            Thread.sleep(POLL_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(
                    ExitCode.FAILED, "interrupted before the change was confirmed; see mgprio weights");
        }
    }
}
