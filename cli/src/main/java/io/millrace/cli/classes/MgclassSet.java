package io.millrace.cli.classes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replaces the class model. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description =
                "Replaces the class model (operators only). Waiting jobs are classified again; jobs that have started"
                        + " keep their classes.")
final class MgclassSet implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "the model as YAML")
    Path file;

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            required = true,
            description = "reason, kept for audit")
    String reason;

    @Option(
            names = "--based-on",
            paramLabel = "VERSION",
            description = "fail if another version is in force; default: the version that is in force now")
    @Nullable
    Long basedOn;

    @Override
    public Integer call() throws CommandException {
        Mgclass.describe(change(new ApiClient(Settings.read(System.getenv()))));
        return ExitCode.OK;
    }

    /** Requests the change and returns the model in force. Fails if it is refused. */
    JsonNode change(final ApiClient api) throws CommandException {
        final ObjectNode body = Json.object();
        body.put("model", ClassModelAnswer.text(file));
        body.put("reason", reason);
        final long version =
                basedOn == null ? api.get(Mgclass.PATH).path("version").asLong() : basedOn;
        final JsonNode request = api.put(Mgclass.PATH, body, version);
        return ClassModelAnswer.await(() -> answer(api.get(Mgclass.PATH), request));
    }

    private static Optional<JsonNode> answer(final JsonNode model, final JsonNode request) throws CommandException {
        if (isOf(request, model.path("changedAt"), model)) {
            return Optional.of(model);
        }
        final JsonNode pending = model.path("request");
        if (isOf(request, pending.path("requestedAt"), pending) && pending.has("error")) {
            throw new CommandException(ExitCode.FAILED, pending.path("error").asText());
        }
        if (model.path("version").asLong() > request.path("basedOn").asLong()) {
            throw new CommandException(
                    ExitCode.FAILED,
                    model.path("author").asText() + " changed the model first (now version "
                            + model.path("version").asText() + "). Check it with mgclass and retry.");
        }
        return Optional.empty();
    }

    private static boolean isOf(final JsonNode request, final JsonNode at, final JsonNode by) {
        return at.asText().equals(request.path("requestedAt").asText())
                && by.path("author").asText().equals(request.path("author").asText());
    }
}
