package io.millrace.cli;

import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Terminal;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Stops jobs. */
@Command(
        name = "mgstop",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        sortOptions = false,
        description = "Requests the stop of unfinished jobs.",
        exitCodeListHeading = "Exit codes (with several jobs: the first that is not 0):%n",
        exitCodeList = {
            "0:stop requested",
            "1:a job named by its id has already finished, an ID prefix matches several jobs, or the stop was not confirmed",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:job not found",
            "5:the service is not reachable"
        })
final class Mgstop implements Callable<Integer> {

    @Mixin
    ChosenJobs jobs = new ChosenJobs();

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            description = "reason, kept for audit")
    @Nullable
    String reason;

    private final Terminal terminal;

    Mgstop(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(System.getenv())));
    }

    int run(final ApiClient api) throws CommandException {
        return jobs.request(api, terminal, "stop", reason);
    }
}
