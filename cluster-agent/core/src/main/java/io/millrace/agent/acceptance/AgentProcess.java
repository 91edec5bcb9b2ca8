package io.millrace.agent.acceptance;

import io.millrace.agent.kafka.FolderLog;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** An agent in a process of its own, which can be killed and started again. It executes the commands that this process issues. */
final class AgentProcess implements AutoCloseable {

    private static final Duration VALIDITY = Duration.ofMinutes(30);

    private final List<String> command;
    private final Path folder;
    private final ClusterId cluster;
    private final Duration patience;
    private final FolderLog log;
    private Process process;
    private int issued;

    /** @param command starts the process; the folder of its log is appended */
    AgentProcess(final List<String> command, final Path folder, final ClusterId cluster, final Duration patience) {
        this.command = new ArrayList<>(command);
        this.command.add(folder.toString());
        this.folder = folder;
        this.cluster = cluster;
        this.patience = patience;
        this.log = new FolderLog(folder, cluster);
        this.process = start();
    }

    private Process start() {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("agent.log").toFile()))
                    .start();
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot start an agent process", e);
        }
    }

    CommandId issue(final Issuer issuer, final Action action) {
        final Instant now = Instant.now();
        final Command issue = new Command(
                Command.idOf(issuer, action, issued++),
                cluster,
                issuer,
                0,
                now,
                now.plus(VALIDITY),
                List.of(),
                action,
                "acceptance test");
        log.issue(issue);
        return issue.id();
    }

    /** Issues a command that must succeed. */
    Result.Done does(final Issuer issuer, final Action action) {
        final Result result = answer(issue(issuer, action));
        if (result instanceof Result.Done done) {
            return done;
        }
        throw new CheckFailure("the agent answered '" + action.name() + "' with " + result);
    }

    /** Issues a command and kills the agent as soon as it has begun to execute it; then starts the next agent and returns its answer. */
    Result killedDuring(final Issuer issuer, final Action action) {
        final CommandId id = issue(issuer, action);
        await(id, outcome -> true);
        process.destroyForcibly();
        waitForEnd();
        process = start();
        return answer(id);
    }

    Result answer(final CommandId id) {
        return await(id, Outcome::isAnswer).result();
    }

    private Outcome await(final CommandId id, final Predicate<Outcome> wanted) {
        final Instant limit = Instant.now().plus(patience);
        Optional<Outcome> found = outcome(id, wanted);
        while (found.isEmpty()) {
            CheckFailure.unless(
                    process.isAlive(),
                    "the agent process ended with exit code " + exitCode() + "; see " + folder + "/agent.log");
            CheckFailure.unless(
                    Instant.now().isBefore(limit),
                    "timed out after " + patience.toSeconds() + " s waiting for the answer to " + id + "; see " + folder
                            + "/agent.log");
            TestQueue.pause(Duration.ofMillis(5));
            found = outcome(id, wanted);
        }
        return found.get();
    }

    private int exitCode() {
        return process.isAlive() ? -1 : process.exitValue();
    }

    private Optional<Outcome> outcome(final CommandId id, final Predicate<Outcome> wanted) {
        return log.outcomes().stream()
                .filter(outcome -> outcome.command().equals(id) && wanted.test(outcome))
                .findFirst();
    }

    private void waitForEnd() {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new CheckFailure("the agent process " + process.pid() + " does not end");
            }
        } catch (final InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** The process ends with its standard input. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (final IOException e) {
            process.destroyForcibly();
        }
        waitForEnd();
    }
}
