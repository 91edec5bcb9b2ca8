package io.millrace.agent;

import io.millrace.model.ClusterId;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * An agent in a JVM of its own that kills itself where {@code <home>/trap} says: {@code begun} (right after {@code Begun} was committed),
 * {@code answer} (right before an answer is). It ends with its standard input.
 */
final class CrashingAgent {

    private CrashingAgent() {}

    public static void main(final String... args) throws IOException {
        final Path home = Path.of(args[2]);
        final TestAgent agent = new TestAgent(
                args[0], ClusterId.of(args[1]), home, log -> new Trapped(log, home.resolve("trap")), wlm -> wlm);
        while (System.in.read() >= 0) {
            // Nothing is ever sent; only the end matters.
        }
        agent.close();
        System.exit(0);
    }

    private record Trapped(AgentLog log, Path trap) implements AgentLog {

        @Override
        public void commit(final List<Entry> entries) {
            dieIf("answer", entries, result -> !(result instanceof Result.Begun));
            log.commit(entries);
            dieIf("begun", entries, result -> result instanceof Result.Begun);
        }

        private void dieIf(final String where, final List<Entry> entries, final Predicate<Result> result) {
            final boolean meant = entries.stream()
                    .anyMatch(entry -> entry instanceof Entry.Put put
                            && put.event() instanceof Outcome outcome
                            && result.test(outcome.result()));
            try {
                if (meant && Files.exists(trap) && Files.readString(trap).equals(where)) {
                    Files.delete(trap);
                    Runtime.getRuntime().halt(137);
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public ReplayedState open() {
            return log.open();
        }

        @Override
        public List<Incoming> poll(final Duration patience) {
            return log.poll(patience);
        }

        @Override
        public void wake() {
            log.wake();
        }

        @Override
        public void close() {
            log.close();
        }
    }
}
