package io.millrace.cli;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.StoredToken;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Terminal;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fetches and stores a token. */
@Command(
        name = "mglogin",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = {
            "Fetches a token from the agent of this login node and stores it for the other commands. Only you can read the file.",
            "The other commands do this automatically if MILLRACE_LOGIN_SOCKET is set."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:logged in",
            "2:invalid options, or no login socket configured",
            "3:not authorised",
            "5:the agent does not answer"
        })
final class Mglogin implements Callable<Integer> {

    @Option(names = "--as", paramLabel = "USER", description = "fetch a token of this user (root only)")
    @Nullable
    String user;

    private final Terminal terminal;

    Mglogin(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        final Settings settings = Settings.read(System.getenv());
        final String token = new StoredToken(settings).renewed(user);
        if (terminal.errIsTerminal()) {
            Printer.err(
                    "logged in as " + StoredToken.claim(token, "sub") + "; token stored in " + settings.tokenFile());
        }
        return ExitCode.OK;
    }
}
