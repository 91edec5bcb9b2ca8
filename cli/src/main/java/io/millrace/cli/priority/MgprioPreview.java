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
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Shows the effect of other weights or overflow rules on the waiting jobs. */
@Command(
        name = "preview",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description =
                "Shows the effect of other weights or overflow rules on each waiting job. Changes nothing. Operators only."
                        + " Weights that are not given keep their values.")
final class MgprioPreview implements Callable<Integer> {

    @ParentCommand
    Mgprio mgprio;

    @Mixin
    PriorityWeightOptions weights;

    @Mixin
    PartitionOverflowOptions overflow;

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "only jobs and overflow rules of this cluster")
    @Nullable
    String cluster;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Override
    public Integer call() throws CommandException {
        final JsonNode jobs = preview(new ApiClient(Settings.read(System.getenv())));
        if (json) {
            Printer.block(Json.pretty(jobs));
        } else if (jobs.isEmpty()) {
            Printer.err("no waiting jobs");
        } else {
            PriorityText.changes(jobs).lines(mgprio.terminal()).forEach(Printer::out);
        }
        return ExitCode.OK;
    }

    JsonNode preview(final ApiClient api) throws CommandException {
        final ObjectNode body = Json.object();
        weights.putInto(body.putObject("weights"));
        if (overflow.isGiven()) {
            body.set(
                    "overflow", overflow.replacedIn(api.get(PriorityChange.PATH).path("overflow"), cluster));
        } else if (body.path("weights").isEmpty()) {
            throw new CommandException(
                    ExitCode.USAGE, "nothing to preview; give a weight, e.g. --age 500, or --at and --to");
        }
        if (cluster != null) {
            body.put("cluster", cluster);
        }
        return api.post("/priority/preview", body, Map.of()).path("jobs");
    }
}
