package io.millrace.agent.transfer.objectstore;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.List;

/** The owner's side of an {@link ObjectPipe}. */
public record OwnerWords(List<String> argv, Duration limit) implements CommandLine<Boolean> {

    private static final String RECEIVE = """
        umask 077
        new=$1/.new.$$
        cat >"$new" || { rm -f -- "$new"; exit 1; }
        if [[ $(sha256sum <"$new") != "$2 "* ]]; then
            rm -f -- "$new"
            exit 3
        fi
        exec mv -T -- "$new" "$1/$2"
        """;

    /** The name is passed as escapes, because the JVM cannot pass bytes that are not UTF-8. */
    private static final String SEND = """
        cd -- "$1" && printf -v name %b "$2" && exec cat -- "$name"
        """;

    /**
     * Prints a file.
     *
     * @param name relative to the folder, each character as one byte
     */
    public static OwnerWords send(final String folder, final String name, final Duration limit) {
        final StringBuilder escaped = new StringBuilder();
        name.chars().forEach(each -> escaped.append("\\0%03o".formatted(each)));
        return new OwnerWords(List.of("bash", "-c", SEND, "send", folder, escaped.toString()), limit);
    }

    /** Writes standard input to a file named by its SHA-256, if it has this checksum. */
    public static OwnerWords receive(final String folder, final String sum, final Duration limit) {
        return new OwnerWords(List.of("bash", "-c", RECEIVE, "receive", folder, sum), limit);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return Answer.ok(result.succeeded());
    }
}
