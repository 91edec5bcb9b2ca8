package io.millrace.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Quotas: what is in force, and changes; and what was used. */
@Command(
        name = "mgquota",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = "Shows quotas and what ended runs cost, and changes quotas (operators only).",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:shown, or in force",
            "1:refused, e.g. because another change came first",
            "2:wrong options or arguments",
            "3:not authorised",
            "4:no such cluster or quota",
            "5:the service is not reachable, or has not answered yet"
        })
final class Mgquota implements Callable<Integer>, Main.CommandGroup {

    @Spec
    CommandSpec spec;

    private final Terminal terminal;

    Mgquota(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<Callable<Integer>> subcommands() {
        return List.of(
                new MgquotaShow(terminal),
                new MgquotaSet(),
                new MgquotaClusters(terminal),
                new MgquotaStatement(terminal));
    }

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "name one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
