package io.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stops jobs. */
@Command(
        name = "mgstop",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = "Requests the stop of unfinished jobs.",
        exitCodeListHeading = "Exit codes (with several jobs: the first that is not 0):%n",
        exitCodeList = {
            "0:stop requested",
            "1:the job has already finished, or an ID prefix matches several jobs",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:job not found",
            "5:the service is not reachable"
        })
final class Mgstop implements Callable<Integer> {

    @Parameters(
            paramLabel = "ID",
            arity = "1..*",
            description = "id or unique prefix, or CLUSTER/ID with the cluster's own id, such as alpha/153")
    List<String> ids;

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            description = "reason, kept for audit")
    @Nullable
    String reason;

    @Override
    public Integer call() throws CommandException {
        final ApiClient api = new ApiClient(Settings.read(System.getenv()));
        final ObjectNode body = Json.object();
        if (reason != null) {
            body.put("reason", reason);
        }
        int exit = ExitCode.OK;
        for (final String id : ids) {
            try {
                api.post("/jobs/" + UrlComponent.encode(id) + "/stop", body, Map.of());
            } catch (CommandException e) {
                System.err.println("mgstop: " + e.getMessage());
                exit = exit == ExitCode.OK ? e.exitCode() : exit;
            }
        }
        return exit;
    }
}
