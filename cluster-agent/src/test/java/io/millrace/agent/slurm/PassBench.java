package io.millrace.agent.slurm;

import io.millrace.agent.domain.Differences;
import io.millrace.agent.wlm.Accounts;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.ProcessRunner;
import io.millrace.agent.wlm.Runner;
import io.millrace.log.EventCodec;
import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.view.ClusterView;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What a look at a full queue costs: {@code deploy/lab/bench-pass} fills one and runs this. Bytes are those of the records that the
 * look would put on the log, keys and headers with them.
 */
final class PassBench {

    private PassBench() {}

    /** Arguments: slurm.conf, number of looks, seconds between them. */
    public static void main(final String... args) throws InterruptedException {
        final Counting runner = new Counting(new ProcessRunner(new Accounts()));
        final SlurmSite site = new SlurmSite(ClusterId.of("alpha"), Path.of(args[0]));
        final Slurm slurm = new Slurm(
                site,
                runner,
                Clock.systemUTC(),
                () -> UUID.randomUUID().toString().replace("-", ""));
        final ClusterView said = new ClusterView(site.cluster());
        final EventCodec codec = new EventCodec("bench");
        for (int look = 1; look <= Integer.parseInt(args[1]); look++) {
            runner.reset();
            final long begun = System.nanoTime();
            final Observation seen = slurm.observe().get();
            final Duration took = Duration.ofNanos(System.nanoTime() - begun);
            final Differences news = Differences.between(said, seen.jobs(), seen.nodes(), seen.partitions(), null);
            long bytes = 0;
            for (final ClusterStateEvent event : news.fresh()) {
                bytes += size(codec.write(event, seen.at(), 12));
                said.apply(event);
            }
            news.gone().forEach(said::remove);
            final RevisionClosed marker = marker(site.cluster(), look, seen);
            bytes += size(codec.write(marker, seen.at(), 12));
            said.apply(marker);
            said.takeGone();
            System.out.printf(
                    Locale.ROOT,
                    "look %d: %d jobs, %d commands, %.2f s in Slurm's commands, %.2f s in all, %d records, %,d bytes%n",
                    look,
                    seen.jobs().size(),
                    runner.commands,
                    runner.inside_ns / 1e9,
                    took.toMillis() / 1e3,
                    news.fresh().size() + news.gone().size() + 1,
                    bytes);
            Thread.sleep(Duration.ofSeconds(Long.parseLong(args[2])));
        }
    }

    private static RevisionClosed marker(final ClusterId cluster, final int look, final Observation seen) {
        return new RevisionClosed(
                cluster,
                look,
                seen.at(),
                new WlmHealth.Answering(),
                seen.control(),
                "slurm",
                Resources.NONE,
                Resources.NONE,
                Set.of(),
                0,
                null,
                null);
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

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            commands++;
            final long begun = System.nanoTime();
            try {
                return inner.run(command);
            } finally {
                inside_ns += System.nanoTime() - begun;
            }
        }

        @Override
        public Runner as(final UserName owner) {
            return inner.as(owner);
        }
    }
}
