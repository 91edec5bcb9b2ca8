package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.command.Outcome;
import io.millrace.submit.store.job.Commands;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Waits for the answers of agents to commands of this service. */
@ApplicationScoped
class CommandAnswers {

    private static final long INITIAL_BACKOFF_MS = 10;
    private static final long MAX_BACKOFF_MS = 200;

    private final Commands commands;

    CommandAnswers(final Commands commands) {
        this.commands = commands;
    }

    /**
     * The answers that arrived within the time.
     *
     * @param sent commands, and the cluster that got each
     */
    Map<CommandId, Outcome> await(final Map<CommandId, ClusterId> sent, final Duration timeout) {
        final long deadline = System.nanoTime() + timeout.toNanos();
        long pause = INITIAL_BACKOFF_MS;
        while (true) {
            final var known = QuarkusTransaction.requiringNew().call(() -> commands.answers(sent));
            if (known.size() >= sent.size() || System.nanoTime() > deadline) {
                return known.stream().collect(Collectors.toMap(Outcome::command, Function.identity()));
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for the clusters' answers", e);
            }
            pause = Math.min(MAX_BACKOFF_MS, pause * 2);
        }
    }
}
