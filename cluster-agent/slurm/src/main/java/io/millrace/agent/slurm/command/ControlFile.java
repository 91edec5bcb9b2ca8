package io.millrace.agent.slurm.command;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.Control;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The file from which job_submit.lua reads whether control is directed or native. */
public final class ControlFile {

    private ControlFile() {}

    public record Read(SlurmSite site) implements CommandLine<Control> {
        @Override
        public List<String> argv() {
            return List.of("cat", site.controlFile().toString());
        }

        @Override
        public Answer<Control> read(final CommandResult result) {
            // A missing file means native, as in job_submit.lua.
            return Answer.ok(result.outputText().strip().equals("directed") ? Control.DIRECTED : Control.NATIVE);
        }
    }

    /** The path of the file after symbolic links are resolved. */
    public record Locate(SlurmSite site) implements CommandLine<Path> {
        @Override
        public List<String> argv() {
            return List.of(
                    "readlink",
                    "--canonicalize-missing",
                    "--",
                    site.controlFile().toString());
        }

        @Override
        public Answer<Path> read(final CommandResult result) {
            final String path = result.outputText().strip();
            return result.succeeded() && path.startsWith("/")
                    ? Answer.ok(Path.of(path))
                    : SlurmErrors.of(String.join(" ", argv()), result, Answer.Kind.UNREADABLE);
        }
    }

    /** Writes a temporary file next to it, so that job_submit.lua never reads a partial value. */
    public record Write(Path file, Control control) implements CommandLine<Accepted> {
        @Override
        public List<String> argv() {
            return List.of("tee", file + ".new");
        }

        @Override
        public byte[] input() {
            return (control.name().toLowerCase(Locale.ROOT) + "\n").getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Answer<Accepted> read(final CommandResult result) {
            return written(this, result);
        }
    }

    public record Publish(Path file) implements CommandLine<Accepted> {
        @Override
        public List<String> argv() {
            return List.of("mv", file + ".new", file.toString());
        }

        @Override
        public Answer<Accepted> read(final CommandResult result) {
            return written(this, result);
        }
    }

    private static Answer<Accepted> written(final CommandLine<?> command, final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(new Accepted(String.join(" ", command.argv())))
                : SlurmErrors.of(String.join(" ", command.argv()), result, Answer.Kind.DENIED);
    }
}
