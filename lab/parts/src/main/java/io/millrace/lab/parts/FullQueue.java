package io.millrace.lab.parts;

import io.millrace.agent.domain.SnapshotDiff;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.decide.ClusterView;
import io.millrace.log.EventCodec;
import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What looks at a full queue cost, the first and those in the steady state. Bytes are those of the records that a look would put on the
 * log, keys and headers with them.
 */
public final class FullQueue {

    private final ClusterId cluster;
    private final Counting runner;
    private final WorkloadManager wlm;
    private final PrintStream out;
    private final ClusterView said;
    private final EventCodec codec = new EventCodec("bench");

    public FullQueue(
            final ClusterId cluster,
            final Runner runner,
            final Function<Runner, WorkloadManager> adapter,
            final PrintStream out) {
        this.cluster = cluster;
        this.runner = new Counting(runner);
        this.wlm = adapter.apply(this.runner);
        this.out = out;
        this.said = new ClusterView(cluster);
    }

    /** @param looks how many, one {@code pause} after the other */
    public void look(final int looks, final Duration pause) throws InterruptedException {
        for (int number = 1; number <= looks; number++) {
            runner.reset();
            final long begun = System.nanoTime();
            final Observation seen = wlm.observe().get();
            final Duration took = Duration.ofNanos(System.nanoTime() - begun);
            final SnapshotDiff news =
                    SnapshotDiff.between(said, seen.jobs(), seen.nodes(), seen.partitions(), null, said.conditions());
            final long bytes = publish(news, seen, number);
            out.printf(
                    Locale.ROOT,
                    "look %d: %d jobs, %d commands, %.2f s in them, %.2f s in all, %d records, %,d bytes%n",
                    number,
                    seen.jobs().size(),
                    runner.commands,
                    runner.inside_ns / 1e9,
                    took.toMillis() / 1e3,
                    news.changed().size() + news.removed().size() + 1,
                    bytes);
            Thread.sleep(pause);
        }
    }

    private long publish(final SnapshotDiff news, final Observation seen, final int number) {
        long bytes = 0;
        for (final ClusterStateEvent event : news.changed()) {
            bytes += size(codec.write(event, seen.at(), 12));
            said.apply(event);
        }
        news.removed().forEach(said::remove);
        final RevisionClosed marker = marker(seen, number);
        bytes += size(codec.write(marker, seen.at(), 12));
        said.apply(marker);
        said.takeGone();
        return bytes;
    }

    private RevisionClosed marker(final Observation seen, final int number) {
        return new RevisionClosed(
                cluster,
                number,
                seen.at(),
                new WlmHealth.Answering(),
                seen.control(),
                "bench",
                Resources.NONE,
                Resources.NONE,
                Set.of(),
                0,
                null,
                null,
                Map.of());
    }

    private static long size(final ProducerRecord<byte[], byte[]> record) {
        long bytes = record.key().length + record.value().length;
        for (final var header : record.headers()) {
            bytes += header.key().getBytes(StandardCharsets.UTF_8).length + header.value().length;
        }
        return bytes;
    }

    private static final class Counting implements Runner {
        private final Runner inner;
        private int commands;
        private long inside_ns;

        Counting(final Runner inner) {
            this.inner = inner;
        }

        void reset() {
            commands = 0;
            inside_ns = 0;
        }

        /** Reading what it said is our own time, not the command's. */
        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            commands++;
            final long begun = System.nanoTime();
            final Answer<CommandResult> result = inner.run(new Unread(command));
            inside_ns += System.nanoTime() - begun;
            return result.then(command::read);
        }

        @Override
        public Runner as(final UserName owner) {
            return inner.as(owner);
        }
    }

    private record Unread(CommandLine<?> command) implements CommandLine<CommandResult> {
        @Override
        public java.util.List<String> argv() {
            return command.argv();
        }

        @Override
        public byte[] input() {
            return command.input();
        }

        @Override
        public java.util.Map<String, String> environment() {
            return command.environment();
        }

        @Override
        public Duration limit() {
            return command.limit();
        }

        @Override
        public Answer<CommandResult> read(final CommandResult result) {
            return Answer.ok(result);
        }
    }
}
