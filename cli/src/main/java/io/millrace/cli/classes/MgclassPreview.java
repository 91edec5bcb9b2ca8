package io.millrace.cli.classes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Shows what a draft would change, and what its stages do. */
@Command(
        name = "preview",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description =
                "Classifies the last jobs with a draft and shows which would have other classes, and how often each"
                        + " stage reduced the candidates. Changes nothing. Operators only.")
final class MgclassPreview implements Callable<Integer> {

    @ParentCommand
    Mgclass mgclass;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "the draft as YAML; without it, the model in force, for the figures of its stages")
    @Nullable
    Path file;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Override
    public Integer call() throws CommandException {
        final JsonNode preview = preview(new ApiClient(Settings.read(System.getenv())));
        if (json) {
            Printer.block(Json.pretty(preview));
        } else {
            lines(preview, mgclass.terminal()).forEach(Printer::out);
            Mgclass.warn(preview);
        }
        return ExitCode.OK;
    }

    JsonNode preview(final ApiClient api) throws CommandException {
        final ObjectNode body = Json.object();
        if (file != null) {
            body.put("model", ClassModelAnswer.text(file));
        }
        final JsonNode request = api.post(Mgclass.PATH + "/preview", body, Map.of());
        final JsonNode preview = ClassModelAnswer.await(() -> answer(api, request));
        if (preview.has("error")) {
            throw new CommandException(ExitCode.FAILED, preview.path("error").asText());
        }
        return preview;
    }

    private static Optional<JsonNode> answer(final ApiClient api, final JsonNode request) throws CommandException {
        try {
            return Optional.of(api.get(Mgclass.PATH + "/preview"))
                    .filter(found -> found.path("requestedAt")
                            .asText()
                            .equals(request.path("requestedAt").asText()));
        } catch (CommandException e) {
            if (e.exitCode() == ExitCode.NOT_FOUND) {
                return Optional.empty(); // the first preview of this operator
            }
            throw e;
        }
    }

    static List<String> lines(final JsonNode preview, final Terminal terminal) {
        final List<String> lines = new ArrayList<>();
        lines.add(preview.path("changed").asText() + " of the last "
                + preview.path("jobs").asText() + " jobs would have other classes");
        if (!preview.path("examples").isEmpty()) {
            final Table jobs = new Table(List.of(
                    new Table.Column("JOB", false, false),
                    new Table.Column("CLASSES", false, false),
                    new Table.Column("NEW-CLASSES", false, false)));
            preview.path("examples")
                    .forEach(job -> jobs.row(List.of(
                            new Table.Cell(job.path("job").asText()),
                            classes(job.path("before")),
                            classes(job.path("after")))));
            lines.addAll(jobs.lines(terminal));
        }
        final Table stages = new Table(List.of(
                new Table.Column("STAGE", false, false),
                new Table.Column("JOBS", true, false),
                new Table.Column("REDUCED", true, false),
                new Table.Column("REMOVED-CLASSES", true, false)));
        preview.path("stages")
                .forEach(stage -> stages.row(List.of(
                        new Table.Cell(stage.path("stage").asText()),
                        new Table.Cell(stage.path("entered").asText()),
                        new Table.Cell(stage.path("reduced").asText()),
                        new Table.Cell(stage.path("removed").asText()))));
        lines.addAll(stages.lines(terminal));
        return lines;
    }

    private static Table.Cell classes(final JsonNode names) {
        final List<String> all = new ArrayList<>();
        names.forEach(name -> all.add(name.asText()));
        return new Table.Cell(all.isEmpty() ? "-" : String.join(",", all));
    }
}
