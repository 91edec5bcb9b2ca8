package io.millrace.cli;

import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Releases held jobs. */
@Command(
        name = "mgrelease",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        sortOptions = false,
        description = "Releases jobs that were held with mghold. A job that is not held stays as it is.",
        exitCodeListHeading = "Exit codes (with several jobs: the first that is not 0):%n",
        exitCodeList = {
            "0:release requested",
            "1:the job has finished, was held with the commands of its cluster, or an ID prefix matches several jobs",
            "2:invalid options or arguments",
            "3:not authorised, for example because an operator holds the job",
            "4:job not found",
            "5:the service is not reachable"
        })
final class Mgrelease implements Callable<Integer> {

    @Mixin
    ChosenJobs jobs = new ChosenJobs();

    private final Terminal terminal;

    Mgrelease(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(System.getenv())));
    }

    int run(final ApiClient api) throws CommandException {
        return jobs.request(api, terminal, "release", null);
    }
}
