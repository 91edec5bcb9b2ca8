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
 * @param request to the helper that switches to the owner and passes the variables; empty: the prefix does it
 * @param baseEnvironment environment to which these variables are added
 * @param directory working directory, entered with the owner's rights
 * @param output file to append output to, opened with the owner's rights; {@code -}: the log of the session
 * @param limit time limit, after which it is killed
 */
public record Program(
        List<String> argv,
        List<String> prefix,
        Map<String, String> environment,
        byte[] request,
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
        request = request.clone();
        prefix = List.copyOf(prefix);
        if (argv.get(0).indexOf('=') >= 0) {
            throw new IllegalArgumentException("a program's path must not contain '=': " + argv.get(0));
        }
    }

    /** A program that runs without the helper. */
    public Program(
            final List<String> argv,
            final List<String> prefix,
            final Map<String, String> environment,
            final BaseEnvironment baseEnvironment,
            final String directory,
            final String output,
            final Duration limit) {
        this(argv, prefix, environment, new byte[0], baseEnvironment, directory, output, limit);
    }

    /** Standard input: the request to the helper, or the environment variables, each terminated by a zero byte. */
    byte[] input() {
        if (request.length > 0) {
            return request.clone();
        }
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        environment.forEach((name, value) -> {
            bytes.writeBytes((name + "=" + value).getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
        });
        return bytes.toByteArray();
    }
}
