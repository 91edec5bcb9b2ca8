package io.millrace.agent.run;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action;
import io.millrace.model.job.ScriptText;
import java.util.List;
import java.util.Objects;

/** The script of a make step as a private file in the job's directory, written and removed with the owner's rights. */
public record MakeScript(String directory, String name, String text) {

    public static MakeScript of(final Action.Make make) {
        return new MakeScript(
                make.directory(),
                ".millrace-" + make.attempt() + ".make",
                Objects.requireNonNull(make.spec().make(), "the attempt has no make step"));
    }

    /** Its path relative to the job's directory. */
    String program() {
        return "./" + name;
    }

    /** Creates the file with its mode first, then writes it, so that others can never read it. */
    public Answer<Accepted> write(final Runner asOwner) {
        return asOwner.run(order("", "rm", "-f", "--", program()))
                .then(gone -> asOwner.run(order("", "install", "-m", "700", "-T", "--", "/dev/null", program())))
                .then(made -> asOwner.run(order(text, "dd", "status=none", "conv=notrunc", "of=" + program())));
    }

    /** The helper writes the file, if its text is the signed one. */
    Answer<Accepted> writeThrough(final Runner helper) {
        return helper.run(order(text, "write-make"));
    }

    Answer<Accepted> remove(final Runner asOwner) {
        return asOwner.run(order("", "rm", "-f", "--", program()));
    }

    private Order order(final String input, final String... argv) {
        return new Order(directory, List.of(argv), input);
    }

    private record Order(String directory, List<String> argv, String text) implements CommandLine<Accepted> {
        @Override
        public byte[] input() {
            return ScriptText.bytes(text);
        }

        @Override
        public Answer<Accepted> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(new Accepted(directory))
                    : Answer.trouble(
                            Answer.Kind.REJECTED,
                            "cannot write the make step to '" + directory + "': " + result.errorText());
        }
    }
}
