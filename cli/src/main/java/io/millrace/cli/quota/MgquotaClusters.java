package io.millrace.cli.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows how quotas are enforced on each cluster. */
@Command(
        name = "clusters",
        mixinStandardHelpOptions = true,
        description =
                "Shows how quotas are enforced on each cluster: reclaims by Millrace, or tiers and limits of the workload manager.")
final class MgquotaClusters implements Callable<Integer> {

    private static final List<Table.Column> COLUMNS = List.of(
            new Table.Column("CLUSTER", false, true),
            new Table.Column("CONTROL", false, false),
            new Table.Column("WLM", false, false),
            new Table.Column("ENFORCEMENT", false, false));

    private final Terminal terminal;

    MgquotaClusters(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        lines(new ApiClient(Settings.read(System.getenv())).get("/clusters"), terminal)
                .forEach(Printer::out);
        return ExitCode.OK;
    }

    static List<String> lines(final JsonNode answer, final Terminal terminal) {
        final Table table = new Table(COLUMNS);
        for (final JsonNode cluster : answer.path("clusters")) {
            table.row(List.of(
                    new Table.Cell(cluster.path("name").asText()),
                    new Table.Cell(cluster.path("control").asText()),
                    new Table.Cell(cluster.path("wlm").asText()),
                    new Table.Cell(cluster.path("quotaEnforcement").asText())));
        }
        return table.isEmpty() ? List.of("no clusters") : table.lines(terminal);
    }
}
