package io.millrace.cli.classes;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the class model. */
@Command(
        name = "mgclass",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        subcommands = {MgclassSet.class, MgclassPreview.class},
        description = "Prints the class model as YAML. Its version, author and warnings go to standard error.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:success",
            "1:not possible, for example because of an error in the model or a concurrent change",
            "2:invalid options or arguments",
            "3:not authorised",
            "5:the service is not reachable"
        })
public final class Mgclass implements Callable<Integer> {

    static final String PATH = "/class-model";

    @Option(names = "--json", description = "print JSON")
    boolean json;

    private final Terminal terminal;

    public Mgclass(final Terminal terminal) {
        this.terminal = terminal;
    }

    Terminal terminal() {
        return terminal;
    }

    @Override
    public Integer call() throws CommandException {
        final JsonNode model = new ApiClient(Settings.read(System.getenv())).get(PATH);
        if (json) {
            Printer.block(Json.pretty(model));
            return ExitCode.OK;
        }
        if (!model.has("model")) {
            throw new CommandException(
                    ExitCode.FAILED, "no class model is published yet; check that classifier-service is running");
        }
        Printer.block(model.path("model").asText().stripTrailing());
        describe(model);
        return ExitCode.OK;
    }

    /** The version in force, its warnings, and a change that was refused. */
    static void describe(final JsonNode model) {
        Printer.err("mgclass: version " + model.path("version").asText() + " by "
                + model.path("author").asText() + ", " + model.path("changedAt").asText() + ": "
                + model.path("reason").asText());
        warn(model);
        final JsonNode request = model.path("request");
        if (request.path("refused").asBoolean()) {
            Printer.err("mgclass: the change by " + request.path("author").asText() + " was refused: "
                    + request.path("error").asText("another change came first"));
        }
    }

    static void warn(final JsonNode checked) {
        checked.path("warnings").forEach(warning -> Printer.err("mgclass: warning: " + warning.asText()));
    }
}
