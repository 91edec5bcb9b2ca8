package io.millrace.agent.wlm;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.RemoteCommandLine;
import io.millrace.agent.exec.Runner;
import io.millrace.model.UserName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A stand-in of a workload manager on another host: each command line goes through the bytes that ssh would carry, is taken apart again
 * as {@code millrace-remote} does, and must be one that it lets run.
 */
public final class RemoteWlm implements Runner {

    private static final Pattern LIST = Pattern.compile("(?m)^(?:slurm|pbs|lsf|programs|owners)=['\"](.*)['\"]$");
    private static final Set<String> LISTED = listed();

    private final Runner there;
    private final @Nullable UserName owner;

    public RemoteWlm(final Runner there) {
        this(there, null);
    }

    private RemoteWlm(final Runner there, final @Nullable UserName owner) {
        this.there = there;
        this.owner = owner;
    }

    private static Set<String> listed() {
        try {
            final Matcher list = LIST.matcher(Files.readString(Path.of("../../deploy/agent/millrace-remote")));
            final Set<String> programs = new HashSet<>();
            while (list.find()) {
                programs.addAll(List.of(list.group(1).strip().split("\\s+")));
            }
            return programs;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        final RemoteCommandLine<T> sent =
                new RemoteCommandLine<>(List.of("ssh"), owner == null ? null : owner.value(), command);
        final Received received = Received.of(sent.input());
        if (!LISTED.contains(received.argv().get(0))) {
            throw new AssertionError(
                    "millrace-remote does not let '" + received.argv().get(0) + "' run");
        }
        final Runner hand = received.user().isEmpty() ? there : there.as(UserName.of(received.user()));
        return hand.run(received).then(result -> sent.read(answered(result)));
    }

    @Override
    public Runner as(final UserName user) {
        return new RemoteWlm(there, user);
    }

    @Override
    public boolean isHere() {
        return false;
    }

    private static CommandResult answered(final CommandResult result) {
        final ByteArrayOutputStream error = new ByteArrayOutputStream();
        error.writeBytes("\0millrace-begun\n".getBytes(StandardCharsets.UTF_8));
        error.writeBytes(result.error());
        error.writeBytes(("\0millrace-exit=" + result.exit() + "\n").getBytes(StandardCharsets.UTF_8));
        return new CommandResult(0, result.output(), error.toByteArray());
    }

    private record Received(
            String user,
            String directory,
            Duration limit,
            Map<String, String> environment,
            List<String> argv,
            byte[] input)
            implements CommandLine<CommandResult> {

        static Received of(final byte[] bytes) {
            final ByteArrayInputStream in = new ByteArrayInputStream(bytes);
            if (!field(in).equals(RemoteCommandLine.PROTOCOL)) {
                throw new AssertionError("another protocol");
            }
            final Duration limit = Duration.ofSeconds(Long.parseLong(field(in)));
            final String user = field(in);
            for (int authority = 0; authority < 4; authority++) {
                field(in); // kind, cluster, signature, attempt
            }
            final String directory = field(in);
            final Map<String, String> environment = new LinkedHashMap<>();
            for (int left = Integer.parseInt(field(in)); left > 0; left--) {
                final String[] variable = field(in).split("=", 2);
                environment.put(variable[0], variable[1]);
            }
            final List<String> argv = new ArrayList<>();
            for (int left = Integer.parseInt(field(in)); left > 0; left--) {
                argv.add(field(in));
            }
            final int length = Integer.parseInt(field(in));
            final byte[] input = in.readAllBytes();
            if (input.length != length) {
                throw new AssertionError(length + " bytes of input were told, " + input.length + " came");
            }
            return new Received(user, directory, limit, environment, argv, input);
        }

        private static String field(final ByteArrayInputStream in) {
            final ByteArrayOutputStream field = new ByteArrayOutputStream();
            for (int next = in.read(); next > 0; next = in.read()) {
                field.write(next);
            }
            return field.toString(StandardCharsets.UTF_8);
        }

        @Override
        public Answer<CommandResult> read(final CommandResult result) {
            return Answer.ok(result);
        }
    }
}
