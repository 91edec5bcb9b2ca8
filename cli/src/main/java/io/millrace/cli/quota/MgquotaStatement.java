package io.millrace.cli.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the cost of ended runs. */
@Command(
        name = "statement",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = "Shows the cost of runs that ended within a period, in core-hours and GPU-hours.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:success",
            "2:invalid options or arguments",
            "3:not authorised; only operators see runs of other users",
            "5:the service is not reachable"
        })
final class MgquotaStatement implements Callable<Integer> {

    private static final double HOUR_S = 3600;
    private static final int PAGE = 10_000;
    private static final List<Table.Column> COLUMNS = List.of(
            new Table.Column("USER", false, true),
            new Table.Column("PROJECT", false, true),
            new Table.Column("CLUSTER", false, true),
            new Table.Column("RUNS", true, false),
            new Table.Column("CORE-H", true, false),
            new Table.Column("REFUNDED", true, false),
            new Table.Column("GPU-H", true, false));

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PERIOD",
            description = "a week (2026-W47), a month (2026-11) or a year (2026); default: this month")
    @Nullable
    String period;

    @Mixin
    RunSelection runs;

    @Option(names = "--csv", description = "print each posting as CSV, with times in UTC")
    boolean csv;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    private final Terminal terminal;

    MgquotaStatement(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        if (csv && json) {
            throw new CommandException(ExitCode.USAGE, "--csv and --json cannot be combined");
        }
        final ApiClient api = new ApiClient(Settings.read(System.getenv()));
        if (csv) {
            postings(api);
            return ExitCode.OK;
        }
        final JsonNode statement = api.get("/statements/" + path() + query('?'));
        if (json) {
            Printer.block(Json.pretty(statement));
        } else {
            lines(statement, terminal).forEach(Printer::out);
        }
        return ExitCode.OK;
    }

    private void postings(final ApiClient api) throws CommandException {
        final String path = "/statements/" + path() + "/postings?limit=" + PAGE + query('&');
        ApiClient.Page page = api.page(path);
        page.text().lines().forEach(Printer::out);
        while (page.next() != null) {
            page = api.page(path + "&after=" + UrlComponent.encode(page.next()));
            page.text().lines().skip(1).forEach(Printer::out);
        }
    }

    private String path() {
        return UrlComponent.encode(period == null ? YearMonth.now().toString() : period);
    }

    private String query(final char first) {
        final StringBuilder query = new StringBuilder();
        if (runs.user != null) {
            query.append(first).append("user=").append(UrlComponent.encode(runs.user));
        }
        if (runs.project != null) {
            query.append(query.isEmpty() ? first : '&').append("project=").append(UrlComponent.encode(runs.project));
        }
        return query.toString();
    }

    static List<String> lines(final JsonNode statement, final Terminal terminal) {
        final Table table = new Table(COLUMNS);
        statement
                .path("sums")
                .forEach(sum -> table.row(List.of(
                        new Table.Cell(sum.path("user").asText()),
                        new Table.Cell(
                                sum.path("project").asText().isEmpty()
                                        ? "-"
                                        : sum.path("project").asText()),
                        new Table.Cell(sum.path("cluster").asText()),
                        new Table.Cell(sum.path("runs").asText()),
                        new Table.Cell(hours(sum, "charged", "coreSeconds")),
                        new Table.Cell(hours(sum, "refunded", "coreSeconds")),
                        new Table.Cell(hours(sum, "charged", "gpuSeconds")))));
        final String total = statement.path("period").asText() + ": " + hours(statement, "cost", "coreSeconds")
                + " core-hours, " + hours(statement, "cost", "gpuSeconds") + " GPU-hours. Total after refunds; "
                + (statement.path("closed").asBoolean() ? "period closed." : "period not closed yet.");
        if (table.isEmpty()) {
            return List.of(total);
        }
        final List<String> lines = new ArrayList<>(table.lines(terminal));
        lines.add(total);
        return lines;
    }

    private static String hours(final JsonNode node, final String amount, final String unit) {
        return String.format(Locale.ROOT, "%.1f", node.path(amount).path(unit).asLong() / HOUR_S);
    }
}
