package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.AgeFormat;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows and controls the event handlers of the site. */
@Command(
        name = "mghandler",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = {
            "Shows the event handlers of the site: webhooks, programs and mail (operators only).",
            "Actions:",
            "  resume     continue deliveries at once and end a back-off",
            "  pause      stop deliveries; the offsets are kept",
            "  redeliver  deliver events dead-lettered since the last redelivery"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:success",
            "1:not possible, for example because a redelivery is in progress",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:handler not found",
            "5:the service is not reachable"
        })
final class Mghandler implements Callable<Integer> {

    /** An action on a handler. */
    enum Action {
        resume,
        pause,
        redeliver
    }

    private static final List<Table.Column> COLUMNS = List.of(
            new Table.Column("HANDLER", false, false),
            new Table.Column("STATE", false, false),
            new Table.Column("SINCE", true, false),
            new Table.Column("DELIVERED", true, false),
            new Table.Column("FAILED", true, false),
            new Table.Column("DEAD-LETTERED", true, false),
            new Table.Column("LAG", true, false),
            new Table.Column("TARGET", false, true),
            new Table.Column("REASON", false, true));

    @Parameters(index = "0", arity = "0..1", paramLabel = "ACTION", description = "${COMPLETION-CANDIDATES}")
    @Nullable
    Action action;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "name of the handler")
    @Nullable
    String name;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    private final Terminal terminal;

    Mghandler(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        final ApiClient api = new ApiClient(Settings.read(System.getenv()));
        if (action != null) {
            if (name == null) {
                throw new CommandException(ExitCode.USAGE, "missing NAME of the handler to " + action);
            }
            api.post("/handlers/" + UrlComponent.encode(name) + "/" + action, Json.object(), Map.of());
            return ExitCode.OK;
        }
        final JsonNode handlers = api.get("/handlers").path("handlers");
        if (json) {
            Printer.block(Json.pretty(handlers));
        } else {
            lines(handlers, terminal, Clock.systemUTC().instant()).forEach(Printer::out);
        }
        return ExitCode.OK;
    }

    static List<String> lines(final JsonNode handlers, final Terminal terminal, final Instant now) {
        final Table table = new Table(COLUMNS);
        for (final JsonNode handler : handlers) {
            table.row(List.of(
                    cell(handler, "name"),
                    new Table.Cell(handler.path("state").asText(), colour(handler)),
                    new Table.Cell(handler.has("since") ? age(handler, now) : ""),
                    cell(handler, "delivered"),
                    cell(handler, "failedAttempts"),
                    cell(handler, "deadLettered"),
                    cell(handler, "lag"),
                    cell(handler, "target"),
                    cell(handler, "reason")));
        }
        return table.isEmpty()
                ? List.of("no handlers; define them in the file that millrace.submit.handlers-file names")
                : table.lines(terminal);
    }

    private static Table.Cell cell(final JsonNode handler, final String field) {
        return new Table.Cell(handler.path(field).asText());
    }

    private static String age(final JsonNode handler, final Instant now) {
        return AgeFormat.format(
                Duration.between(Instant.parse(handler.path("since").asText()), now));
    }

    private static Terminal.Colour colour(final JsonNode handler) {
        return handler.path("state").asText().equals("delivering") ? Terminal.Colour.NONE : Terminal.Colour.RED;
    }
}
