package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change of the rules of priority: says them in full, so that nothing in force is lost, and waits for the answer. */
final class PriorityChange {

    static final String PATH = "/priority";

    private static final List<String> PARTS = List.of(
            "weights",
            "maxAge",
            "halfLife",
            "classFactorsPercent",
            "urgencyFactorsPercent",
            "projectFactorsPercent",
            "reach");
    private static final int LOOKS = 300;
    private static final int BETWEEN_MS = 200;

    private final ApiClient api;
    private final JsonNode seen;
    private final ObjectNode body = Json.object();

    /** @param seen the rules in force, which the change is based on */
    PriorityChange(final ApiClient api, final JsonNode seen, final @Nullable String reason) throws CommandException {
        if (reason == null || reason.isBlank()) {
            throw new CommandException(ExitCode.USAGE, "say why with --reason");
        }
        this.api = api;
        this.seen = seen;
        PARTS.stream()
                .filter(seen::has)
                .forEach(part -> body.set(part, seen.path(part).deepCopy()));
        body.put("reason", reason);
    }

    /** What is asked for, as it is in force until it is altered. */
    ObjectNode body() {
        return body;
    }

    /** The rules with the change; a change that came second is said to be one. */
    JsonNode submitAndWait() throws CommandException {
        final JsonNode asked = api.put(PATH, body, seen.path("version").asLong());
        asked.path("warnings").forEach(warning -> System.err.println("mgprio: warning: " + warning.asText()));
        for (int look = 0; look < LOOKS; look++) {
            final JsonNode rules = api.get(PATH);
            if (rules.path("changedAt")
                            .asText()
                            .equals(asked.path("requestedAt").asText())
                    && rules.path("author").asText().equals(asked.path("author").asText())) {
                return rules;
            }
            if (rules.path("version").asLong() > asked.path("basedOn").asLong()) {
                throw new CommandException(
                        ExitCode.FAILED,
                        "the change of " + rules.path("author").asText() + " at "
                                + rules.path("changedAt").asText() + " went first (\""
                                + rules.path("reason").asText()
                                + "\"): look at the rules again and ask anew");
            }
            rest();
        }
        throw new CommandException(
                ExitCode.UNREACHABLE,
                "asked for, but quota-service has not answered yet: look with mgprio weights whether it is in force");
    }

    private static void rest() throws CommandException {
        try {
            Thread.sleep(BETWEEN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted; the change may come into force all the same");
        }
    }
}
