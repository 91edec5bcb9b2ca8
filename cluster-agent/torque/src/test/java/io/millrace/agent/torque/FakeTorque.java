package io.millrace.agent.torque;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fakes a Torque server with nodes and scheduler as far as the adapter needs them. Prints the recorded formats with the recorded
 * exit codes, and runs jobs as processes. System commands ({@code grep}, {@code tee}) are executed.
 */
final class FakeTorque implements Runner, AutoCloseable {

    final FakeTorqueServer server;
    private final Accounts accounts;
    private final Account actor;
    private final List<List<String>> submissions;

    FakeTorque(final Path folder, final Accounts accounts, final boolean classic) {
        this(new FakeTorqueServer(folder, accounts, classic), accounts, accounts.own(), new ArrayList<>());
    }

    private FakeTorque(
            final FakeTorqueServer server,
            final Accounts accounts,
            final Account actor,
            final List<List<String>> submissions) {
        this.server = server;
        this.accounts = accounts;
        this.actor = actor;
        this.submissions = submissions;
    }

    @Override
    public FakeTorque as(final UserName owner) {
        return new FakeTorque(server, accounts, accounts.named(owner).orElseThrow(), submissions);
    }

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        final List<String> argv = command.argv();
        return switch (argv.get(0)) {
            case "qstat",
                    "pbsnodes",
                    "qsub",
                    "qhold",
                    "qrls",
                    "qalter",
                    "qrun",
                    "qrerun",
                    "qsig",
                    "qdel",
                    "qmove",
                    "qmgr",
                    "tracejob" ->
                command.read(answer(argv, command.input(), command.directory(), command.environment()));
            default -> system().run(command);
        };
    }

    /** Runs commands of this host as the agent itself or as the owner. */
    private Runner system() {
        final Runner agent = new ProcessRunner(accounts);
        return actor.equals(accounts.own()) ? agent : agent.as(actor.name());
    }

    /** Maps arguments and standard input to exit code, standard output and standard error. */
    CommandResult answer(
            final List<String> argv,
            final byte[] input,
            final @Nullable String directory,
            final Map<String, String> environment) {
        if (argv.get(0).equals("qsub")) {
            submissions.add(List.copyOf(argv));
        }
        final ZoneId zone = ZoneId.of(environment.getOrDefault("TZ", "UTC"));
        return server.answer(
                actor, argv, new String(input, StandardCharsets.UTF_8), directory == null ? "/" : directory, zone);
    }

    CommandResult answer(final String... argv) {
        return answer(List.of(argv), new byte[0], "/", Map.of());
    }

    @Nullable
    List<String> lastSubmission() {
        return submissions.isEmpty() ? null : submissions.get(submissions.size() - 1);
    }

    @Override
    public void close() {
        server.close();
    }
}
