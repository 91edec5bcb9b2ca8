package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Locks and unlocks users. */
@Command(
        name = "mguser",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = "Locks and unlocks users on all clusters, and lists locked users; operators only.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the change is in force",
            "1:the change was refused",
            "2:invalid options or arguments",
            "3:not authorised",
            "5:the service is not reachable"
        })
final class Mguser implements Callable<Integer>, CommandGroup {

    @Spec
    CommandSpec spec;

    @Override
    public List<Callable<Integer>> subcommands() {
        return List.of(new Lock(), new Unlock(), new Listing());
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "missing subcommand; use lock, unlock or list");
    }

    private static String line(final JsonNode lock) {
        return TerminalText.printable(lock.path("user").asText() + ": "
                + (lock.path("locked").asBoolean() ? "locked" : "unlocked") + " by "
                + lock.path("author").asText() + " at " + lock.path("changedAt").asText() + " ("
                + lock.path("reason").asText() + ")");
    }

    private static String path(final String user) {
        return "/locks/" + UrlComponent.encode(user);
    }

    @Command(
            name = "lock",
            mixinStandardHelpOptions = true,
            description =
                    "Refuses tokens and submissions of a user, and holds the user's jobs that have not started. Agents"
                            + " no longer act for the user.")
    static final class Lock implements Callable<Integer> {

        @Parameters(index = "0", paramLabel = "USER", description = "name of the user")
        String user;

        @Option(
                names = {"-r", "--reason"},
                paramLabel = "TEXT",
                required = true,
                description = "reason, kept for audit and shown to the user")
        String reason;

        @Option(names = "--stop", description = "stop all jobs of the user, also running ones")
        boolean stop;

        @Override
        public Integer call() throws CommandException {
            Printer.out(lock(new ApiClient(Settings.read(System.getenv()))));
            return ExitCode.OK;
        }

        String lock(final ApiClient api) throws CommandException {
            final JsonNode done =
                    api.put(path(user), Json.object().put("reason", reason).put("stopJobs", stop), 0);
            return line(done) + "; jobs " + (stop ? "stopped: " : "held: ")
                    + done.path("jobs").asInt();
        }
    }

    @Command(
            name = "unlock",
            mixinStandardHelpOptions = true,
            description = "Ends the lock of a user, and releases the jobs that it held.")
    static final class Unlock implements Callable<Integer> {

        @Parameters(index = "0", paramLabel = "USER", description = "name of the user")
        String user;

        @Option(
                names = {"-r", "--reason"},
                paramLabel = "TEXT",
                required = true,
                description = "reason, kept for audit")
        String reason;

        @Override
        public Integer call() throws CommandException {
            Printer.out(unlock(new ApiClient(Settings.read(System.getenv()))));
            return ExitCode.OK;
        }

        String unlock(final ApiClient api) throws CommandException {
            final JsonNode done = api.delete(path(user) + "?reason=" + UrlComponent.encode(reason), 0);
            return line(done) + "; jobs released: " + done.path("jobs").asInt();
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists locked users.")
    static final class Listing implements Callable<Integer> {

        @Override
        public Integer call() throws CommandException {
            list(new ApiClient(Settings.read(System.getenv()))).forEach(Printer::out);
            return ExitCode.OK;
        }

        List<String> list(final ApiClient api) throws CommandException {
            final List<String> lines = new ArrayList<>();
            api.get("/locks").path("locks").forEach(lock -> lines.add(line(lock)));
            return lines;
        }
    }
}
