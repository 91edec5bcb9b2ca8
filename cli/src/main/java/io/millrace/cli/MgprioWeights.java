package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the rules of priority, or changes their weights. */
@Command(
        name = "weights",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = "Shows how priorities are weighed. With a weight: changes it (operators only, --reason needed);"
                + " weights that are not given stay as they are.")
final class MgprioWeights implements Callable<Integer> {

    @Mixin
    PriorityWeightOptions weighing;

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            description = "why, for whoever asks later")
    @Nullable
    String reason;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Override
    public Integer call() throws CommandException {
        final JsonNode rules = rulesAfterChange(new ApiClient(Settings.read(System.getenv())));
        if (json) {
            System.out.println(Json.pretty(rules));
        } else {
            PriorityText.rules(rules).forEach(System.out::println);
        }
        return ExitCode.OK;
    }

    /** The rules in force, after the change if there is one. */
    JsonNode rulesAfterChange(final ApiClient api) throws CommandException {
        final JsonNode rules = api.get(PriorityChange.PATH);
        final ObjectNode given = Json.object();
        weighing.into(given);
        if (given.isEmpty()) {
            return rules;
        }
        final PriorityChange change = new PriorityChange(api, rules, reason);
        change.body().withObjectProperty("weights").setAll(given);
        return change.submitAndWait();
    }
}
