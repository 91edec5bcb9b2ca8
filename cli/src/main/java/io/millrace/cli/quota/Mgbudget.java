package io.millrace.cli.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.CommandGroup;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.LocalTimes;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import io.millrace.cli.text.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what is left of budgets, limits of processor time and quotas, and changes budgets and limits. */
@Command(
        name = "mgbudget",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = {
            "Shows what is left of your quotas, budgets and limits of processor time, and of those of your projects and"
                    + " groups. Operators see all.",
            "With a subcommand: changes budgets and limits (operators only)."
        },
        synopsisSubcommandLabel = "[COMMAND]",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:success; a change is in force",
            "1:refused, for example because of a concurrent change",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:holder not found",
            "5:the service is not reachable, or has not answered in time"
        })
public final class Mgbudget implements Callable<Integer>, CommandGroup {

    private static final List<Table.Column> COLUMNS = List.of(
            new Table.Column("HOLDER", false, true),
            new Table.Column("WHAT", false, false),
            new Table.Column("UNIT", false, false),
            new Table.Column("AVAILABLE", true, false),
            new Table.Column("USED", true, false),
            new Table.Column("RESERVED", true, false),
            new Table.Column("LEFT", true, false),
            new Table.Column("UNTIL", false, false));

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description = "only what applies to this user; other users: operators only")
    @Nullable
    String user;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    private final Terminal terminal;

    public Mgbudget(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<Callable<Integer>> subcommands() {
        return List.of(new MgbudgetSet(), new MgbudgetUnset());
    }

    @Override
    public Integer call() throws CommandException {
        final String query = user == null ? "" : "?user=" + UrlComponent.encode(user);
        final ApiClient api = new ApiClient(Settings.read(System.getenv()));
        final JsonNode budgets = api.get("/budgets" + query);
        if (json) {
            Printer.block(Json.pretty(budgets));
        } else {
            lines(budgets, api.get("/quotas" + query), terminal).forEach(Printer::out);
        }
        return ExitCode.OK;
    }

    static List<String> lines(final JsonNode budgets, final JsonNode quotas, final Terminal terminal) {
        final Table table = new Table(COLUMNS);
        for (final JsonNode quota : quotas.path("quotas")) {
            if (quota.has("cores")) {
                final int cores = quota.path("cores").asInt();
                final int used = quota.path("usage").path("guaranteedCores").asInt();
                row(
                        table,
                        quota,
                        "quota " + quota.path("cluster").asText(),
                        "cores",
                        cores,
                        used,
                        null,
                        cores - used,
                        "-");
            }
        }
        for (final JsonNode holder : budgets.path("budgets")) {
            for (final JsonNode budget : holder.path("budgets")) {
                for (final String unit : List.of("coreHours", "gpuHours")) {
                    if (budget.has(unit)) {
                        row(
                                table,
                                holder,
                                "budget " + budget.path("label").asText(),
                                unit.equals("coreHours") ? "core-hours" : "gpu-hours",
                                budget.path("available").path(unit).asDouble(),
                                budget.path("spent").path(unit).asDouble(),
                                budget.path("reserved").path(unit).asDouble(),
                                budget.path("left").path(unit).asDouble(),
                                LocalTimes.of(budget.path("endsAt").asText()));
                    }
                }
            }
            final String limited = holder.has("appliedLimitCoreHours") ? "appliedLimitCoreHours" : "limitCoreHours";
            if (holder.has(limited)) {
                final double limit = holder.path(limited).asDouble();
                final Double requested = holder.has("requestedCoreHours")
                        ? holder.path("requestedCoreHours").asDouble()
                        : null;
                row(
                        table,
                        holder,
                        "limit at a time",
                        "core-hours",
                        limit,
                        null,
                        requested,
                        requested == null ? null : Double.valueOf(limit - requested),
                        "-");
            }
        }
        return table.isEmpty() ? List.of("no quotas, budgets or limits") : table.lines(terminal);
    }

    private static void row(
            final Table table,
            final JsonNode holder,
            final String what,
            final String unit,
            final double available,
            final @Nullable Number used,
            final @Nullable Number reserved,
            final @Nullable Number left,
            final String until) {
        final List<Table.Cell> cells = new ArrayList<>();
        cells.add(new Table.Cell(
                TerminalText.printable(holder.path("holder").asText().replaceFirst("^\\*$", "(default)"))));
        cells.add(new Table.Cell(what));
        cells.add(new Table.Cell(unit));
        cells.add(new Table.Cell(amount(available)));
        cells.add(new Table.Cell(amount(used)));
        cells.add(new Table.Cell(amount(reserved)));
        cells.add(
                left != null && left.doubleValue() <= 0
                        ? new Table.Cell(amount(left), Terminal.Colour.RED)
                        : new Table.Cell(amount(left)));
        cells.add(new Table.Cell(until));
        table.row(cells);
    }

    private static String amount(final @Nullable Number amount) {
        if (amount == null) {
            return "-";
        }
        final double value = amount.doubleValue();
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
