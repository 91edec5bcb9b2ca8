package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A command line that is executed on another host through ssh.
 *
 * <p>ssh would join arguments into one line for a remote shell, so it gets no command. Instead the forced command {@code millrace-remote}
 * reads the arguments from standard input, each terminated by a zero byte, followed by the length and the bytes of the command's input. If
 * the input is incomplete, it executes nothing.
 *
 * <p>On standard error {@code millrace-remote} reports the start of the command and, on the last line, its exit code. With both the agent
 * can distinguish an error of ssh from an error of the command, and a lost connection from one that was never established.
 *
 * @param ssh the ssh command line up to the host
 * @param owner the account to run as; null: the account that ssh logs in to
 * @param authority what permits to run it as the owner, for the helper on the other host
 */
public record RemoteCommandLine<T>(
        List<String> ssh, @Nullable String owner, Authority authority, CommandLine<T> command)
        implements CommandLine<T> {

    /** A command that no signature covers. */
    public RemoteCommandLine(final List<String> ssh, final @Nullable String owner, final CommandLine<T> command) {
        this(ssh, owner, Authority.CHECK, command);
    }

    /** Protocol version, which {@code millrace-remote} must support. */
    public static final String PROTOCOL = "millrace-3";

    private static final Duration CONNECTING = Duration.ofSeconds(10);
    private static final String REFUSED = "millrace-remote: ";

    /** Messages of ssh if it failed before the remote command started. */
    private static final Pattern NO_WAY =
            Pattern.compile("ssh: connect to host|ssh: Could not resolve|Permission denied \\("
                    + "|Host key verification failed|kex_exchange_identification|Too many authentication failures"
                    + "|banner exchange|Identity file|Bad configuration option|No such file or directory");

    private static final String STARTED = "\u0000millrace-begun\n";
    private static final Pattern TRAILER = Pattern.compile("\u0000millrace-exit=(\\d{1,3})\\s*$");

    @Override
    public List<String> argv() {
        return ssh;
    }

    @Override
    public byte[] input() {
        final List<String> words = new ArrayList<>(List.of(
                PROTOCOL,
                Long.toString(Math.max(1, command.limit().toSeconds())),
                owner == null ? "" : owner,
                authority.kind().word(),
                authority.cluster(),
                authority.signature(),
                authority.attempt(),
                command.directory() == null ? "/" : command.directory(),
                Integer.toString(command.environment().size())));
        command.environment().forEach((name, value) -> words.add(name + "=" + value));
        words.add(Integer.toString(command.argv().size()));
        words.addAll(command.argv());
        words.add(Integer.toString(command.input().length));
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (final String word : words) {
            if (word.indexOf('\0') >= 0) {
                throw new IllegalArgumentException(
                        "an argument of a command line must not contain a zero byte: " + argv().get(0));
            }
            bytes.writeBytes(word.getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
        }
        bytes.writeBytes(command.input());
        return bytes.toByteArray();
    }

    @Override
    public Duration limit() {
        return command.limit().plus(CONNECTING);
    }

    @Override
    public Answer<T> read(final CommandResult result) {
        final String error = new String(result.error(), StandardCharsets.UTF_8);
        final Matcher trailer = TRAILER.matcher(error);
        if (!trailer.find()) {
            return noAnswer(result, error.contains(STARTED));
        }
        final int exit = Integer.parseInt(trailer.group(1));
        final byte[] stderr =
                error.substring(0, trailer.start()).replace(STARTED, "").getBytes(StandardCharsets.UTF_8);
        if (exit == 124 || exit == 137) {
            return Answer.trouble(
                    Answer.Kind.TIMEOUT,
                    "'" + command.argv().get(0) + "' did not answer within "
                            + command.limit().toSeconds() + " s on the workload manager's host and was killed");
        }
        final CommandResult there = new CommandResult(exit, result.output(), stderr);
        if ((exit == 126 || exit == 127) && there.errorText().startsWith(REFUSED)) {
            return Answer.trouble(Answer.Kind.DENIED, there.errorText());
        }
        return (owner == null ? Optional.<String>empty() : Sudo.refusal(there).or(() -> Helper.refusal(there)))
                .<Answer<T>>map(because -> Answer.trouble(Answer.Kind.DENIED, because))
                .orElseGet(() -> command.read(there));
    }

    /** If the connection was lost after the command may have started, its effect is unknown. */
    private Answer<T> noAnswer(final CommandResult result, final boolean started) {
        final String detail = "'" + String.join(" ", ssh) + "' (exit " + result.exit() + "): " + result.errorText();
        return !started && NO_WAY.matcher(result.errorText()).find()
                ? Answer.trouble(Answer.Kind.DOWN, "no connection to the workload manager's host: " + detail)
                : Answer.trouble(
                        Answer.Kind.TIMEOUT,
                        "the connection to the workload manager's host was lost before '"
                                + command.argv().get(0) + "' answered: " + detail);
    }
}
