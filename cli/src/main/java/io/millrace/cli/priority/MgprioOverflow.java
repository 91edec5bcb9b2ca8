package io.millrace.cli.priority;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Shows or changes the overflow rules. */
@Command(
        name = "overflow",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description =
                "Shows the overflow rules: the minimum priority from which jobs may also start in other partitions. With --at and"
                        + " --to, or --drop: changes a rule (operators only; requires --reason).")
final class MgprioOverflow implements Callable<Integer> {

    @ParentCommand
    Mgprio mgprio;

    @Mixin
    PartitionOverflowOptions overflow;

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "on this cluster (default: all clusters with such partitions)")
    @Nullable
    String cluster;

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
        final JsonNode rules =
                rulesAfterChange(new ApiClient(Settings.read(System.getenv()))).path("overflow");
        final Table table = PartitionOverflowText.table(rules, cluster);
        if (json) {
            Printer.block(Json.pretty(rules));
        } else if (table.isEmpty()) {
            Printer.err("no overflow rules");
        } else {
            table.lines(mgprio.terminal()).forEach(Printer::out);
        }
        return ExitCode.OK;
    }

    /** Requests the change, if any, and returns the rules in force. */
    JsonNode rulesAfterChange(final ApiClient api) throws CommandException {
        final JsonNode rules = api.get(PriorityChange.PATH);
        if (!overflow.isGiven()) {
            return rules;
        }
        final var all = overflow.replacedIn(rules.path("overflow"), cluster);
        final PriorityChange change = new PriorityChange(api, rules, reason);
        change.body().set("overflow", all);
        return change.submitAndWait();
    }
}
