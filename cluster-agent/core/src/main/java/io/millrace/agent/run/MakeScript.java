package io.millrace.agent.run;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A make step's text as a private file of its owner's in the job's directory, written and removed with the owner's rights. */
public record MakeScript(String directory, String name, String text) {

    public static MakeScript of(final Action.Make make) {
        return new MakeScript(
                make.directory(),
                ".millrace-" + make.attempt() + ".make",
                Objects.requireNonNull(make.spec().make(), "an attempt without a make step"));
    }

    /** How it is called from the job's directory, whatever that is called. */
    String program() {
        return "./" + name;
    }

    /** By two commands: it is private and executable before there is anything to read. */
    public Answer<Accepted> write(final Runner asOwner) {
        return asOwner.run(order("", "rm", "-f", "--", program()))
                .then(gone -> asOwner.run(order("", "install", "-m", "700", "-T", "--", "/dev/null", program())))
                .then(made -> asOwner.run(order(text, "dd", "status=none", "conv=notrunc", "of=" + program())));
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
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Answer<Accepted> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(new Accepted(directory))
                    : Answer.trouble(
                            Answer.Kind.REJECTED,
                            "the make step cannot be laid down in '" + directory + "': " + result.complaint());
        }
    }
}
