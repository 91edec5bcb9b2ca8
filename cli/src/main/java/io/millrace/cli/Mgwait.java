package io.millrace.cli;

import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Waits for jobs. */
@Command(
        name = "mgwait",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description =
                "Waits until jobs have finished and exits with the exit code of the job. An interrupted wait does not"
                        + " stop the job.",
        exitCodeListHeading = "Exit codes (with several jobs: the first in their order that is not 0):%n",
        exitCodeList = {
            "0:the job exited with 0",
            "1:the job was aborted, stopped or killed, or exited with 1",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:job not found",
            "5:the service is not reachable"
        })
final class Mgwait implements Callable<Integer> {

    @Parameters(
            paramLabel = "ID",
            arity = "1..*",
            description =
                    "number of a job or batch (4711), tasks of a batch (4711_4, 4711_[3-6,9]), id or unique prefix, or"
                            + " CLUSTER/ID with the cluster's own id, such as alpha/153")
    List<String> ids;

    private final Terminal terminal;

    Mgwait(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(System.getenv())));
    }

    int run(final ApiClient api) throws CommandException {
        int exit = ExitCode.OK;
        for (final String id : TaskRange.expanded(ids)) {
            final int code = new WaitForJob(api, terminal, "mgwait").until(id);
            exit = exit == ExitCode.OK ? code : exit;
        }
        return exit;
    }
}
