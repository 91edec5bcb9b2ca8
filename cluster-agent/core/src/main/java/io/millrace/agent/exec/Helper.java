package io.millrace.agent.exec;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The program of root that becomes an owner for an agent that is not root ({@code deploy/agent/helper}), started by sudo. */
public final class Helper {

    public static final String PROGRAM = "/usr/libexec/millrace/millrace-become";

    private static final String FORM = "1";
    private static final String MESSAGE = "millrace-become: ";
    private static final int REFUSED = 77;

    private Helper() {}

    /** The command line; the request is its standard input. */
    public static List<String> words() {
        return List.of("sudo", "-n", PROGRAM);
    }

    /** The command line that signals a session of this owner, without the signal and the session. */
    public static List<String> signals(final Account owner) {
        return List.of("sudo", "-n", PROGRAM, "signal", owner.name().value(), Integer.toString(owner.uid()));
    }

    /** A request, which the input of the command follows. The variables come in the order of their names, in which they were signed. */
    public static byte[] request(
            final Authority authority,
            final Account owner,
            final String directory,
            final Duration limit,
            final List<String> argv,
            final Map<String, String> variables) {
        final List<String> fields = new ArrayList<>(List.of(
                FORM,
                authority.kind().word(),
                authority.cluster(),
                owner.name().value(),
                Integer.toString(owner.uid()),
                authority.signature(),
                authority.attempt(),
                directory,
                limit.toSeconds() + "." + "%03d".formatted(limit.toMillisPart()),
                Integer.toString(argv.size())));
        fields.addAll(argv);
        fields.add(Integer.toString(variables.size()));
        new TreeMap<>(variables).forEach((name, value) -> fields.add(name + "=" + value));
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (final String field : fields) {
            if (field.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("a field of a request must not contain a zero byte");
            }
            bytes.writeBytes(field.getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
        }
        final byte[] length = "%08d".formatted(bytes.size()).getBytes(StandardCharsets.US_ASCII);
        final byte[] whole = new byte[length.length + bytes.size()];
        System.arraycopy(length, 0, whole, 0, length.length);
        System.arraycopy(bytes.toByteArray(), 0, whole, length.length, bytes.size());
        return whole;
    }

    /** Why the helper did not start the program; empty if it did. */
    public static Optional<String> refusal(final CommandResult result) {
        return result.exit() == REFUSED && result.errorText().startsWith(MESSAGE)
                ? Optional.of(result.errorText() + "; see deploy/agent/README.md")
                : Optional.empty();
    }
}
