package io.millrace.cli.files;

import io.millrace.cli.ManifestVersion;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the end of a job's output. */
@Command(
        name = "mgtail",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        sortOptions = false,
        description = "Shows the end of the output of a job, on the cluster where it runs or in its results.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:shown",
            "1:the job has no output yet, or an ID prefix matches several jobs",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:job not found",
            "5:the service or the agent of the cluster does not answer"
        })
public final class Mgtail implements Callable<Integer> {

    private static final int POLL_MS = 1_000;

    @Parameters(
            paramLabel = "ID",
            description = "number (4711, 4711_4), id or unique prefix, or CLUSTER/ID with the cluster's own id, such as"
                    + " alpha/153")
    String id;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            defaultValue = "10",
            description = "number of lines (default: 10)")
    int lines;

    @Option(
            names = {"-f", "--follow"},
            description = "wait for the output to begin and show what is added, until the job has finished")
    boolean follow;

    @Option(
            names = {"-e", "--error"},
            description = "error output, if it has its own file")
    boolean error;

    private final PrintStream out;
    private final int pollMs;

    public Mgtail() {
        this(System.out, POLL_MS);
    }

    Mgtail(final PrintStream out, final int pollMs) {
        this.out = out;
        this.pollMs = pollMs;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(System.getenv())));
    }

    int run(final ApiClient api) throws CommandException {
        if (lines < 0) {
            throw new CommandException(ExitCode.USAGE, "--lines must not be negative, got " + lines);
        }
        final RemoteFile file = RemoteFile.stream(api, id, error ? "error" : "output");
        RemoteFile.Part last = follow ? started(file) : file.read(null);
        print(lastLines(file, last));
        while (follow && !(last.isFinished() && last.isLast())) {
            if (last.isLast()) {
                pause();
            }
            final RemoteFile.Part next = file.read(last.end());
            if (next.size() < last.end()) {
                Printer.err("mgtail: the file was truncated; showing it from its start");
                last = file.read(0L);
            } else {
                last = next;
            }
            print(last.bytes());
        }
        return ExitCode.OK;
    }

    /** Waits until there is output. */
    private RemoteFile.Part started(final RemoteFile file) throws CommandException {
        boolean told = false;
        while (true) {
            try {
                return file.read(null);
            } catch (CommandException e) {
                if (e.exitCode() != ExitCode.FAILED || file.isFinished()) {
                    throw e;
                }
                if (!told) {
                    Printer.err("mgtail: waiting: " + e.getMessage());
                    told = true;
                }
                pause();
            }
        }
    }

    private byte[] lastLines(final RemoteFile file, final RemoteFile.Part end) throws CommandException {
        byte[] text = end.bytes();
        long from = end.offset();
        while (start(text, lines) == 0 && from > 0 && text.length < RemoteFile.MAX_BYTES) {
            final long earlier = Math.max(0, from - Math.max(1, end.bytes().length));
            final byte[] before = file.read(earlier).bytes();
            final int used = (int) Math.min(before.length, from - earlier);
            final ByteArrayOutputStream joined = new ByteArrayOutputStream(used + text.length);
            joined.write(before, 0, used);
            joined.writeBytes(text);
            text = joined.toByteArray();
            from = earlier;
        }
        final int start = start(text, lines);
        return Arrays.copyOfRange(text, start, text.length);
    }

    /** Index at which the last lines begin; 0 if there are not so many. */
    static int start(final byte[] text, final int lines) {
        if (lines == 0) {
            return text.length;
        }
        int seen = 0;
        for (int i = text.length - 2; i >= 0; i--) { // the last byte may be the end of the last line
            if (text[i] == '\n' && ++seen == lines) {
                return i + 1;
            }
        }
        return 0;
    }

    private void print(final byte[] bytes) {
        out.write(bytes, 0, bytes.length);
        out.flush();
    }

    private void pause() throws CommandException {
        try {
            Thread.sleep(pollMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted");
        }
    }
}
