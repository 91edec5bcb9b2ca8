package io.millrace.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.TerminalText;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows files of a job. */
@Command(
        name = "mgpeek",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        sortOptions = false,
        description =
                "Lists the directory of a job on the cluster where it runs, or prints one of its files (the first 1"
                        + " MiB).",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:shown",
            "1:the job has not started, the file is not a regular one or not in the job's directory, or an ID prefix"
                    + " matches several jobs",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:job or file not found",
            "5:the service or the agent of the cluster does not answer"
        })
public final class Mgpeek implements Callable<Integer> {

    @Parameters(
            index = "0",
            paramLabel = "ID",
            description = "number (4711, 4711_4), id or unique prefix, or CLUSTER/ID with the cluster's own id, such as"
                    + " alpha/153")
    String id;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "PATH",
            defaultValue = ".",
            description = "file or folder in the directory of the job (default: the directory)")
    String path;

    private final PrintStream out;

    public Mgpeek() {
        this(System.out);
    }

    Mgpeek(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(System.getenv())));
    }

    int run(final ApiClient api) throws CommandException {
        final RemoteFile file = RemoteFile.path(api, id, path);
        RemoteFile.Part part = file.read(0L);
        if (part.answer().has("entries")) {
            list(part.answer());
            return ExitCode.OK;
        }
        while (true) {
            out.write(part.bytes(), 0, part.bytes().length);
            if (part.isLast()) {
                out.flush();
                return ExitCode.OK;
            }
            if (part.end() >= RemoteFile.MAX_BYTES) {
                out.flush();
                Printer.err("mgpeek: printed the first " + part.end() + " of " + part.size() + " bytes");
                return ExitCode.OK;
            }
            part = file.read(part.end());
        }
    }

    private void list(final JsonNode answer) {
        Printer.err(answer.path("cluster").asText() + ":"
                + TerminalText.printable(answer.path("directory").asText()));
        answer.path("entries")
                .forEach(entry -> out.printf(
                        Locale.ROOT,
                        "%12d  %s  %s%s%n",
                        entry.path("size").asLong(),
                        entry.path("modifiedAt").asText(),
                        TerminalText.printable(entry.path("name").asText()),
                        suffix(entry.path("type").asText())));
        if (answer.has("more")) {
            Printer.err("mgpeek: " + answer.path("more").asInt() + " more entries");
        }
    }

    /** As {@code ls -F}. */
    private static String suffix(final String type) {
        return switch (type) {
            case "folder" -> "/";
            case "link" -> "@";
            case "other" -> "|";
            default -> "";
        };
    }
}
