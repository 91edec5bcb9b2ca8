package io.millrace.cli.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.Printer;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes what a request has set for a holder, and waits until the removal is in force. */
@Command(
        name = "unset",
        mixinStandardHelpOptions = true,
        description = "Removes what was set for a holder and waits until the removal is in force. The files of"
                + " quota-service then apply again, and to a user that they do not name the default.")
final class MgbudgetUnset implements Callable<Integer> {

    @Parameters(
            index = "0",
            paramLabel = "HOLDER",
            description = "a user, project:NAME, group:NAME, or * for the default of users")
    String holder;

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            required = true,
            description = "reason, kept for audit")
    String reason;

    @Option(
            names = "--based-on",
            paramLabel = "VERSION",
            description = "refuse the removal unless this version is in force (default: the current version)")
    @Nullable
    Long basedOn;

    @Override
    public Integer call() throws CommandException {
        final ApiClient api = new ApiClient(Settings.read(System.getenv()));
        final String path = "/budgets/" + UrlComponent.encode(holder);
        final long version = basedOn == null ? api.get(path).path("version").asLong() : basedOn;
        final JsonNode request = api.delete(path + "?reason=" + UrlComponent.encode(reason), version);
        final JsonNode now = QuotaAnswer.await(
                api, path, request, seen -> seen.path("version").asLong() != version);
        Printer.out(holder + ": "
                + (now.path("version").asLong() == 0
                        ? "nothing of its own"
                        : "as in the files, version " + now.path("version").asText()));
        return ExitCode.OK;
    }
}
