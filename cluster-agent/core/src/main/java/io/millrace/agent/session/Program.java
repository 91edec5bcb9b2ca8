package io.millrace.agent.session;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What runs in a session.
 *
 * @param argv program and arguments; no shell sees them
 * @param prefix words that give it its owner's rights ({@code Identity.prefix})
 * @param environment its variables
 * @param baseEnvironment what else it finds in its environment
 * @param directory where it runs, entered with the owner's rights
 * @param output file that output is appended to, opened with the owner's rights; {@code -} leaves it in the session's own log
 * @param limit after this time it is ended
 */
public record Program(
        List<String> argv,
        List<String> prefix,
        Map<String, String> environment,
        BaseEnvironment baseEnvironment,
        String directory,
        String output,
        Duration limit) {

    /** Leaves output in the file {@code log} of the session's folder. */
    public static final String TO_THE_LOG = "-";

    /** Where the variables come from that nobody named. */
    public enum BaseEnvironment {
        /** There are no others. */
        EMPTY,
        /** The owner's login: its shell reads the profiles, and the named variables go on top. */
        LOGIN;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Program {
        argv = List.copyOf(argv);
        prefix = List.copyOf(prefix);
        if (argv.get(0).indexOf('=') >= 0) {
            throw new IllegalArgumentException("a program's path must not contain '=': " + argv.get(0));
        }
    }

    /** The variables, each ended by a zero byte. */
    byte[] variables() {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        environment.forEach((name, value) -> {
            bytes.writeBytes((name + "=" + value).getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
        });
        return bytes.toByteArray();
    }
}
