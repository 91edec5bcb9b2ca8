package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Tries weights and openings of partitions on the jobs that wait. */
@Command(
        name = "preview",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description =
                "Shows what other weights or openings of partitions would change, for each waiting job; changes nothing."
                        + " Operators only. What is not given stays as it is.")
final class MgprioPreview implements Callable<Integer> {

    @ParentCommand
    Mgprio mgprio;

    @Mixin
    PriorityWeightOptions weighing;

    @Mixin
    PartitionReachOptions opening;

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "only this cluster's jobs, and what is opened to them")
    @Nullable
    String cluster;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Override
    public Integer call() throws CommandException {
        final JsonNode jobs = preview(new ApiClient(Settings.read(System.getenv())));
        if (json) {
            System.out.println(Json.pretty(jobs));
        } else if (jobs.isEmpty()) {
            System.err.println("no waiting jobs: nothing would change");
        } else {
            PriorityText.changes(jobs).lines(mgprio.terminal()).forEach(System.out::println);
        }
        return ExitCode.OK;
    }

    JsonNode preview(final ApiClient api) throws CommandException {
        final ObjectNode body = Json.object();
        weighing.into(body.putObject("weights"));
        if (opening.isGiven()) {
            body.set("reach", opening.replacedIn(api.get(PriorityChange.PATH).path("reach"), cluster));
        } else if (body.path("weights").isEmpty()) {
            throw new CommandException(ExitCode.USAGE, "give at least one weight to try, such as --age 500, or --at and --to");
        }
        if (cluster != null) {
            body.put("cluster", cluster);
        }
        return api.post("/priority/preview", body, Map.of()).path("jobs");
    }
}
