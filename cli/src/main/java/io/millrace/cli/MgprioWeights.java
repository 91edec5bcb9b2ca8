package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the rules of priority, or changes their weights. */
@Command(
        name = "weights",
        mixinStandardHelpOptions = true,
        versionProvider = Release.class,
        description = "Shows how priorities are weighed. With a weight: changes it (operators only, --reason needed);"
                + " weights that are not given stay as they are.")
final class MgprioWeights implements Callable<Integer> {

    private static final String PATH = "/priority";
    private static final int LOOKS = 100;
    private static final int BETWEEN_MS = 200;

    @Mixin
    Weighing weighing;

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            description = "why, for whoever asks later")
    @Nullable
    String reason;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Override
    public Integer call() throws Failure {
        final Api api = new Api(Settings.read(System.getenv()));
        JsonNode rules = api.get(PATH);
        final ObjectNode given = Json.object();
        weighing.into(given);
        if (!given.isEmpty()) {
            final JsonNode asked =
                    api.put(PATH, changed(rules, given), rules.path("version").asLong());
            rules = inForce(api, asked);
        }
        if (json) {
            System.out.println(Json.pretty(rules));
        } else {
            Priorities.rules(rules).forEach(System.out::println);
        }
        return Exit.OK;
    }

    /** The rules in full, with these weights. */
    private ObjectNode changed(final JsonNode rules, final ObjectNode given) throws Failure {
        if (reason == null || reason.isBlank()) {
            throw new Failure(Exit.USAGE, "say why with --reason");
        }
        final ObjectNode body = Json.object();
        for (final String part : List.of("weights", "fullAge", "halfLife", "classes", "urgencies", "projects")) {
            body.set(part, rules.path(part).deepCopy());
        }
        ((ObjectNode) body.path("weights")).setAll(given);
        return body.put("reason", reason);
    }

    /** Looks until quota-service has answered; a change that came second is said to be one. */
    private static JsonNode inForce(final Api api, final JsonNode asked) throws Failure {
        for (int look = 0; look < LOOKS; look++) {
            final JsonNode rules = api.get(PATH);
            if (rules.path("changed").asText().equals(asked.path("asked").asText())
                    && rules.path("author").asText().equals(asked.path("author").asText())) {
                return rules;
            }
            if (rules.path("version").asLong() > asked.path("basedOn").asLong()) {
                throw new Failure(
                        Exit.FAILED,
                        "the change of " + rules.path("author").asText() + " at "
                                + rules.path("changed").asText() + " went first (\""
                                + rules.path("reason").asText()
                                + "\"): look at the weights again and ask anew");
            }
            rest();
        }
        throw new Failure(
                Exit.UNREACHABLE,
                "asked for, but quota-service has not answered yet: look with mgprio weights whether it is in force");
    }

    private static void rest() throws Failure {
        try {
            Thread.sleep(BETWEEN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(Exit.FAILED, "interrupted; the change may come into force all the same");
        }
    }
}
