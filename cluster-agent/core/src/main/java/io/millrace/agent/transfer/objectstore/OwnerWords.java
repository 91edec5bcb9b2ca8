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

    /**
     * A process that a killed agent left may still write to the part. It has the lock, and when it is over, the part has another size.
     */
    private static final String RESUME = """
        umask 077
        part=$1/.part-$2 size=$3 arrived=$4
        exec 9>>"$part" && flock 9 || exit
        if (($(stat -c %s -- "$part") != arrived)); then
            echo "another copy has written to '$part'; repeat this one" >&2
            exit 1
        fi
        cat >&9 || exit 1
        arrived=$(stat -c %s -- "$part")
        if ((arrived == size)) && [[ $(sha256sum <"$part") == "$2 "* ]]; then
            exec mv -T -- "$part" "$1/$2"
        fi
        if ((arrived >= size)); then rm -f -- "$part"; fi
        exit 3
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

    /**
     * Appends standard input to what has arrived of a file, and gives the file the name of its SHA-256 if it has this checksum. An incomplete file
     * is kept for the next try.
     *
     * @param arrived how many bytes have arrived
     */
    public static OwnerWords resume(
            final String folder, final String sum, final long bytes, final long arrived, final Duration limit) {
        return new OwnerWords(
                List.of("bash", "-c", RESUME, "resume", folder, sum, Long.toString(bytes), Long.toString(arrived)),
                limit);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return Answer.ok(result.succeeded());
    }
}
