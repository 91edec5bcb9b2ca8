package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
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

/** Shows and steers what the site attached to events. */
@Command(
        name = "mghandler",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = {
            "Shows the site's webhooks, programs and usage records (operators only). With a word and a name:",
            "  resume     goes on with it, at once",
            "  pause      delivers nothing more to it; its place is kept",
            "  redeliver  brings it the events put aside since the last time"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done",
            "1:not possible, such as two redeliveries at once",
            "2:wrong options or arguments",
            "3:not authorised",
            "4:no such handler",
            "5:the service is not reachable"
        })
final class Mghandler implements Callable<Integer> {

    /** What can be done to a handler. */
    enum Action {
        resume,
        pause,
        redeliver
    }

    private static final List<Table.Column> COLUMNS = List.of(
            new Table.Column("HANDLER", false, false),
            new Table.Column("STATE", false, false),
            new Table.Column("FOR", true, false),
            new Table.Column("DELIVERED", true, false),
            new Table.Column("FAILED", true, false),
            new Table.Column("DEAD", true, false),
            new Table.Column("BEHIND", true, false),
            new Table.Column("TARGET", false, true),
            new Table.Column("REASON", false, true));

    @Parameters(index = "0", arity = "0..1", paramLabel = "WORD", description = "${COMPLETION-CANDIDATES}")
    @Nullable
    Action order;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "of the handler")
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
        if (order != null) {
            if (name == null) {
                throw new CommandException(ExitCode.USAGE, "name the handler to " + order);
            }
            api.post("/handlers/" + UrlComponent.encode(name) + "/" + order, Json.object(), Map.of());
            return ExitCode.OK;
        }
        final JsonNode handlers = api.get("/handlers").path("handlers");
        if (json) {
            System.out.println(Json.pretty(handlers));
        } else {
            lines(handlers, terminal, Clock.systemUTC().instant()).forEach(System.out::println);
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
                ? List.of("no handlers: millrace.submit.handlers-file names them")
                : table.lines(terminal);
    }

    private static Table.Cell cell(final JsonNode handler, final String field) {
        return new Table.Cell(handler.path(field).asText());
    }

    private static String age(final JsonNode handler, final Instant now) {
        return AgeFormat.format(Duration.between(Instant.parse(handler.path("since").asText()), now));
    }

    private static Terminal.Colour colour(final JsonNode handler) {
        return handler.path("state").asText().equals("delivering") ? Terminal.Colour.NONE : Terminal.Colour.RED;
    }
}
