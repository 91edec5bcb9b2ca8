package io.millrace.cli.priority;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the priority rules, or changes their weights. */
@Command(
        name = "weights",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = "Shows the priority rules. With a weight: changes it (operators only; requires --reason)."
                + " Weights that are not given keep their values.")
final class MgprioWeights implements Callable<Integer> {

    @Mixin
    PriorityWeightOptions weights;

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            description = "reason, kept for audit")
    @Nullable
    String reason;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Override
    public Integer call() throws CommandException {
        final JsonNode rules = rulesAfterChange(new ApiClient(Settings.read(System.getenv())));
        if (json) {
            Printer.block(Json.pretty(rules));
        } else {
            PriorityText.rules(rules).forEach(Printer::out);
        }
        return ExitCode.OK;
    }

    /** Requests the change, if any, and returns the rules in force. */
    JsonNode rulesAfterChange(final ApiClient api) throws CommandException {
        final JsonNode rules = api.get(PriorityChange.PATH);
        final ObjectNode given = Json.object();
        weights.putInto(given);
        if (given.isEmpty()) {
            return rules;
        }
        final PriorityChange change = new PriorityChange(api, rules, reason);
        change.body().withObjectProperty("weights").setAll(given);
        return change.submitAndWait();
    }
}
