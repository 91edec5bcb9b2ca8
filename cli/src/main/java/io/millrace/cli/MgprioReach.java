package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Shows which priority opens which other partitions, or changes it. */
@Command(
        name = "reach",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description =
                "Shows from which priority on jobs may start in other partitions than their own. With --at and --to,"
                        + " or --drop: changes it (operators only, --reason needed).")
final class MgprioReach implements Callable<Integer> {

    @ParentCommand
    Mgprio mgprio;

    @Mixin
    PartitionReachOptions opening;

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "on this cluster (else: on all that have such partitions)")
    @Nullable
    String cluster;

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
        final JsonNode openings = rulesAfterChange(new ApiClient(Settings.read(System.getenv()))).path("reach");
        final Table table = PartitionReachText.table(openings, cluster);
        if (json) {
            System.out.println(Json.pretty(openings));
        } else if (table.isEmpty()) {
            System.err.println("no priority opens other partitions");
        } else {
            table.lines(mgprio.terminal()).forEach(System.out::println);
        }
        return ExitCode.OK;
    }

    /** The rules in force, after the change if there is one. */
    JsonNode rulesAfterChange(final ApiClient api) throws CommandException {
        final JsonNode rules = api.get(PriorityChange.PATH);
        if (!opening.isGiven()) {
            return rules;
        }
        final var all = opening.replacedIn(rules.path("reach"), cluster);
        final PriorityChange change = new PriorityChange(api, rules, reason);
        change.body().set("reach", all);
        return change.submitAndWait();
    }
}
