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
import io.millrace.cli.text.TimeSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows or exports usage records of ended runs. */
@Command(
        name = "mgusage",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = "Shows runs that ended within a period, or exports their usage records.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:success",
            "2:invalid options or arguments",
            "3:not authorised; only operators see runs of other users",
            "5:the service is not reachable, or the response ended early"
        })
public final class Mgusage implements Callable<Integer> {

    /** The output format. */
    enum Format {
        table,
        csv,
        swf,
        json
    }

    private static final int PAGE = 1_000;
    private static final double HOUR_S = 3600;
    private static final List<Table.Column> COLUMNS = List.of(
            new Table.Column("ENDED", false, false),
            new Table.Column("JOB", false, false),
            new Table.Column("CLUSTER", false, false),
            new Table.Column("USER", false, true),
            new Table.Column("PROJECT", false, true),
            new Table.Column("NAME", false, true),
            new Table.Column("CORES", true, false),
            new Table.Column("CORE-H", true, false),
            new Table.Column("OUTCOME", false, false));

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = TimeSpan.Converter.class,
            description = "first day, or time: " + TimeSpan.FORMS + "; default: the first day of this month")
    @Nullable
    TimeSpan from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = TimeSpan.Converter.class,
            description = "last day, or the time before which runs ended; default: now")
    @Nullable
    TimeSpan to;

    @Mixin
    RunSelection runs;

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "only runs on this cluster")
    @Nullable
    String cluster;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description =
                    "${COMPLETION-CANDIDATES}; csv and swf as the integrator guide describes them, json with one object"
                            + " per line; default: ${DEFAULT-VALUE}")
    Format format = Format.table;

    @Option(
            names = "--efficiency",
            paramLabel = "BY",
            arity = "0..1",
            fallbackValue = "job",
            description = "instead of runs, how much of its cores and memory each job or user used; BY: "
                    + "${COMPLETION-CANDIDATES}; default: job")
    EfficiencyTable.@Nullable By efficiency;

    private final Terminal terminal;

    public Mgusage(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        final ApiClient api = new ApiClient(Settings.read(System.getenv()));
        if (efficiency != null) {
            if (format != Format.table) {
                throw new CommandException(
                        ExitCode.USAGE, "--efficiency prints a table; csv and json contain the figures of each run");
            }
            final EfficiencyTable table = new EfficiencyTable(efficiency);
            each(api, table::add);
            table.lines(terminal).forEach(Printer::out);
            return ExitCode.OK;
        }
        switch (format) {
            case csv -> api.copy("/usage/csv" + query(), System.out);
            case swf -> api.copy("/usage/swf" + query(), System.out);
            case json -> each(api, run -> Printer.out(Json.compact(run)));
            case table -> {
                final JsonNode page = api.get("/usage" + query("limit", Integer.toString(PAGE)));
                lines(page, terminal).forEach(Printer::out);
            }
        }
        return ExitCode.OK;
    }

    private void each(final ApiClient api, final Consumer<JsonNode> consumer) throws CommandException {
        String after = "";
        do {
            final JsonNode page = api.get("/usage"
                    + (after.isEmpty()
                            ? query("limit", Integer.toString(PAGE))
                            : query("limit", Integer.toString(PAGE), "after", after)));
            page.path("runs").forEach(consumer);
            after = page.path("next").asText();
        } while (!after.isEmpty());
    }

    /** @param more further parameters: names and values in turn */
    private String query(final String... more) {
        final List<String> parts = new ArrayList<>();
        add(parts, "from", from == null ? null : from.from().toString());
        add(parts, "to", to == null ? null : to.until().toString());
        add(parts, "user", runs.user);
        add(parts, "project", runs.project);
        add(parts, "cluster", cluster);
        for (int i = 0; i < more.length; i += 2) {
            add(parts, more[i], more[i + 1]);
        }
        return parts.isEmpty() ? "" : "?" + String.join("&", parts);
    }

    private static void add(final List<String> parts, final String name, final @Nullable String value) {
        if (value != null) {
            parts.add(name + "=" + UrlComponent.encode(value));
        }
    }

    static List<String> lines(final JsonNode page, final Terminal terminal) {
        final Table table = new Table(COLUMNS);
        long core_s = 0;
        for (final JsonNode run : page.path("runs")) {
            core_s += run.path("coreSeconds").asLong();
            table.row(List.of(
                    new Table.Cell(run.path("endedAt").asText().replaceAll("\\.\\d+Z$", "Z")),
                    new Table.Cell(job(run)),
                    new Table.Cell(run.path("cluster").asText()),
                    new Table.Cell(run.path("user").asText()),
                    new Table.Cell(run.path("project").asText("-")),
                    new Table.Cell(run.path("name").asText()),
                    new Table.Cell(run.path("cores").asText()),
                    new Table.Cell(hours(run.path("coreSeconds").asLong())),
                    new Table.Cell(outcome(run))));
        }
        if (table.isEmpty()) {
            return List.of("no runs ended in this period");
        }
        final List<String> lines = new ArrayList<>(table.lines(terminal));
        lines.add(page.path("runs").size() + " runs, " + hours(core_s) + " core-hours"
                + (page.has("next")
                        ? "; more runs exist: choose a shorter period, or use --format csv to export all"
                        : ""));
        return lines;
    }

    /** The id of the global job; of other jobs the cluster and the local id, without the submission time that makes reused ids unique. */
    static String job(final JsonNode run) {
        final String attempt = run.path("attempt").asText();
        return attempt.isEmpty()
                ? run.path("job").asText().replaceFirst("@[^@]*$", "")
                : attempt.replaceFirst("\\.\\d+$", "");
    }

    private static String outcome(final JsonNode run) {
        return run.path("outcome").asText()
                + (run.has("exitCodeOrSignal")
                        ? " " + run.path("exitCodeOrSignal").asText()
                        : "");
    }

    private static String hours(final long core_s) {
        return String.format(Locale.ROOT, "%.2f", core_s / HOUR_S);
    }
}
