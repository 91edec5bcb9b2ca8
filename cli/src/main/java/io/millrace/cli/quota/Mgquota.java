package io.millrace.cli.quota;

import io.millrace.cli.CommandGroup;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.text.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows and changes quotas, and shows statements. */
@Command(
        name = "mgquota",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = "Shows quotas and the cost of ended runs, and changes quotas (operators only).",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:success; a change is in force",
            "1:refused, for example because of a concurrent change",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:cluster or quota not found",
            "5:the service is not reachable, or has not answered in time"
        })
public final class Mgquota implements Callable<Integer>, CommandGroup {

    @Spec
    CommandSpec spec;

    private final Terminal terminal;

    public Mgquota(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<Callable<Integer>> subcommands() {
        return List.of(
                new MgquotaShow(terminal),
                new MgquotaSet(),
                new MgquotaUnset(),
                new MgquotaClusters(terminal),
                new MgquotaStatement(terminal));
    }

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "missing subcommand; use one of: "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
