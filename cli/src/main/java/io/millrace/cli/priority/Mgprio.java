package io.millrace.cli.priority;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Terminal;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the priorities of waiting jobs and their terms. */
@Command(
        name = "mgprio",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        subcommands = {MgprioWeights.class, MgprioOverflow.class, MgprioPreview.class},
        description = "Shows your waiting jobs ordered by priority, with the points of each term.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:success",
            "1:not possible, for example because of a concurrent change",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:cluster not found",
            "5:the service is not reachable"
        })
public final class Mgprio implements Callable<Integer> {

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "only jobs on this cluster")
    @Nullable
    String cluster;

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description = "only jobs of this user; other users: operators only")
    @Nullable
    String user;

    @Option(
            names = {"-n", "--factors"},
            description = "show factors in percent instead of points")
    boolean factors;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    private final Terminal terminal;

    public Mgprio(final Terminal terminal) {
        this.terminal = terminal;
    }

    Terminal terminal() {
        return terminal;
    }

    @Override
    public Integer call() throws CommandException {
        final String query = (cluster == null ? "" : "&cluster=" + UrlComponent.encode(cluster))
                + (user == null ? "" : "&user=" + UrlComponent.encode(user));
        final JsonNode jobs = new ApiClient(Settings.read(System.getenv()))
                .get("/priority/jobs" + (query.isEmpty() ? "" : "?" + query.substring(1)))
                .path("jobs");
        if (json) {
            Printer.block(Json.pretty(jobs));
        } else if (jobs.isEmpty()) {
            Printer.err("no waiting jobs");
        } else {
            PriorityText.table(jobs, factors).lines(terminal).forEach(Printer::out);
        }
        return ExitCode.OK;
    }
}
