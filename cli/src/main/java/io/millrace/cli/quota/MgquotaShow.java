package io.millrace.cli.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows quotas and their usage. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Shows your quotas and their usage. Operators see the quotas of all users.")
final class MgquotaShow implements Callable<Integer> {

    private static final List<Table.Column> COLUMNS = List.of(
            new Table.Column("CLUSTER", false, false),
            new Table.Column("HOLDER", false, true),
            new Table.Column("CORES", true, false),
            new Table.Column("GPUS", true, false),
            new Table.Column("MAY-BORROW", true, false),
            new Table.Column("MAY-LEND", true, false),
            new Table.Column("GUARANTEED", true, false),
            new Table.Column("BORROWED", true, false),
            new Table.Column("WAITING", true, false),
            new Table.Column("VERSION", true, false),
            new Table.Column("AUTHOR", false, false),
            new Table.Column("REASON", false, true));

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "NAME",
            description = "only quotas of this cluster; *: only quotas of all clusters together")
    @Nullable
    String cluster;

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description = "only quotas of this user; other users: operators only")
    @Nullable
    String user;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    private final Terminal terminal;

    MgquotaShow(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        final String query = user == null ? "" : "?user=" + UrlComponent.encode(user);
        final JsonNode answer = new ApiClient(Settings.read(System.getenv())).get("/quotas" + query);
        if (json) {
            Printer.block(Json.pretty(answer));
            return ExitCode.OK;
        }
        lines(answer, cluster, terminal).forEach(Printer::out);
        answer.path("warnings").forEach(warning -> Printer.err("mgquota: warning: " + warning.asText()));
        return ExitCode.OK;
    }

    static List<String> lines(final JsonNode answer, final @Nullable String cluster, final Terminal terminal) {
        final Table table = new Table(COLUMNS);
        final List<String> notes = new ArrayList<>();
        for (final JsonNode quota : answer.path("quotas")) {
            if (cluster == null || cluster.equals(quota.path("cluster").asText())) {
                table.row(row(quota));
                notes.addAll(notes(quota));
            }
        }
        if (table.isEmpty()) {
            return List.of("no quotas");
        }
        final List<String> lines = new ArrayList<>(table.lines(terminal));
        lines.addAll(notes);
        return lines;
    }

    private static List<Table.Cell> row(final JsonNode quota) {
        final JsonNode terms = quota.path("terms");
        final JsonNode usage = quota.path("usage");
        return List.of(
                        quota.path("cluster"),
                        quota.path("holder"),
                        quota.path("cores"),
                        terms.path("gpus"),
                        terms.path("borrowingLimit"),
                        terms.path("lendingLimit"),
                        usage.path("guaranteedCores"),
                        usage.path("borrowedCores"),
                        usage.path("waitingCores"),
                        quota.path("version"),
                        quota.path("author"),
                        quota.path("reason"))
                .stream()
                .map(value -> new Table.Cell(value.isMissingNode() ? "-" : value.asText()))
                .toList();
    }

    /** Periods, pending changes and refused changes, which do not fit into columns. */
    private static List<String> notes(final JsonNode quota) {
        final String name =
                quota.path("cluster").asText() + "/" + quota.path("holder").asText();
        final List<String> notes = new ArrayList<>();
        for (final JsonNode period : quota.path("terms").path("periods")) {
            final String gpus = period.has("gpus") ? ", " + period.path("gpus").asText() + " GPUs" : "";
            notes.add(name + ": " + period.path("cores").asText() + " cores" + gpus + " from "
                    + period.path("from").asText() + " until "
                    + period.path("until").asText());
        }
        if (quota.has("request")) {
            notes.add(name + ": " + quota.path("request").path("cores").asText() + " cores requested by "
                    + quota.path("request").path("author").asText() + ", pending");
        }
        if (quota.has("refusal")) {
            final JsonNode refused = quota.path("refusal");
            notes.add(name + ": " + refused.path("request").path("cores").asText() + " cores requested by "
                    + refused.path("request").path("author").asText() + ", refused: "
                    + refused.path("reason").asText());
        }
        return notes;
    }
}
