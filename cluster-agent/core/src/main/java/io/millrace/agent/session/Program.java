package io.millrace.agent.session;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The program of a session.
 *
 * @param argv program and arguments, passed without a shell
 * @param prefix command line prefix that runs it with its owner's rights ({@link io.millrace.agent.exec.UserSwitch#prefix})
 * @param environment its environment variables
 * @param baseEnvironment environment to which these variables are added
 * @param directory working directory, entered with the owner's rights
 * @param output file to append output to, opened with the owner's rights; {@code -}: the log of the session
 * @param limit time limit, after which it is killed
 */
public record Program(
        List<String> argv,
        List<String> prefix,
        Map<String, String> environment,
        BaseEnvironment baseEnvironment,
        String directory,
        String output,
        Duration limit) {

    /** Value of {@code output} for the file {@code log} in the session's folder. */
    public static final String TO_THE_LOG = "-";

    /** The environment of a program before its own variables are set. */
    public enum BaseEnvironment {
        /** No other variables. */
        EMPTY,
        /** The login environment of the owner, from the profiles that the login shell reads. */
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

    /** The environment variables, each terminated by a zero byte. */
    byte[] variables() {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        environment.forEach((name, value) -> {
            bytes.writeBytes((name + "=" + value).getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
        });
        return bytes.toByteArray();
    }
}
