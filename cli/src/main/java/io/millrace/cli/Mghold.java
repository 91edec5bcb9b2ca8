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

/** Holds jobs. */
@Command(
        name = "mghold",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        sortOptions = false,
        description =
                "Keeps waiting jobs from starting until they are released with mgrelease. If an operator holds a job of"
                        + " another user, only operators release it.",
        exitCodeListHeading = "Exit codes (with several jobs: the first that is not 0):%n",
        exitCodeList = {
            "0:hold requested",
            "1:the job has started or finished already, an ID prefix matches several jobs, or the hold was not confirmed",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:job not found",
            "5:the service is not reachable"
        })
final class Mghold implements Callable<Integer> {

    @Mixin
    ChosenJobs jobs = new ChosenJobs();

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            description = "reason, shown by mgstat --why")
    @Nullable
    String reason;

    private final Terminal terminal;

    Mghold(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(System.getenv())));
    }

    int run(final ApiClient api) throws CommandException {
        return jobs.request(api, terminal, "hold", reason);
    }
}
