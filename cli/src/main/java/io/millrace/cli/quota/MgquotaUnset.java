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

/** Removes a quota, and waits until the removal is in force or refused. */
@Command(
        name = "unset",
        mixinStandardHelpOptions = true,
        description =
                "Removes a quota and waits until the removal is in force. The default quota then applies to a user;"
                        + " a project or group is not limited any more.")
final class MgquotaUnset implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "cluster; *: all clusters together")
    String cluster;

    @Parameters(index = "1", paramLabel = "HOLDER", description = "a user, project:NAME or group:NAME")
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
        final String path = "/quotas/" + UrlComponent.encode(cluster) + "/" + UrlComponent.encode(holder);
        final long version = basedOn == null ? api.get(path).path("version").asLong() : basedOn;
        final JsonNode request = api.delete(path + "?reason=" + UrlComponent.encode(reason), version);
        QuotaAnswer.await(api, path, request, now -> now.path("version").asLong() != version);
        Printer.out(cluster + "/" + holder + ": no quota");
        return ExitCode.OK;
    }
}
