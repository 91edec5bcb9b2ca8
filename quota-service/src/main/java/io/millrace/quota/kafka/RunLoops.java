package io.millrace.quota.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.LoopHealth;
import io.millrace.quota.KafkaConfig;
import io.millrace.quota.QuotaConfig;
import io.millrace.quota.QuotaFile;
import io.millrace.quota.domain.QuotaFileEntry;
import io.millrace.quota.domain.QuotaRequests.Answer;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Runs the loops while the service runs; a broker that is not there yet is waited for. */
@Startup
@ApplicationScoped
public class RunLoops {

    private static final Logger LOG = Logger.getLogger(RunLoops.class);
    private static final long RETRY_S = 2;

    private final KafkaConfig kafka;
    private final QuotaLoops loops;
    private final MeterRegistry metrics;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable String waitingFor = "the loops have not started yet";

    RunLoops(final KafkaConfig kafka, final QuotaConfig quota, final MeterRegistry metrics) {
        final Optional<List<QuotaFileEntry>> file = quota.file().map(QuotaFile::read);
        this.kafka = kafka;
        this.metrics = metrics;
        this.loops = new QuotaLoops(
                kafka.bootstrapServers(), quota.policy(), quota.defaultCores(), file, this::count, Clock.systemUTC());
    }

    private void count(final Answer answer) {
        final String result = switch (answer) {
            case Answer.Granted granted -> "granted";
            case Answer.Refused refused -> "refused";
        };
        metrics.counter("millrace.quota.requests", "answer", result).increment();
    }

    @PostConstruct
    void start() {
        gauge("millrace.loop.lag", health -> health.lag());
        gauge("millrace.loop.decisions", health -> health.decisions());
        gauge("millrace.loop.fenced", health -> health.fenced());
        gauge("millrace.loop.reopened", health -> health.reopened());
        gauge("millrace.loop.dead.letters", health -> health.deadLetters());
        gauge("millrace.loop.unknown.types", health -> health.unknownTypes());
        Thread.ofPlatform().daemon().name("start-loops").start(this::startWhenTheBrokerAnswers);
    }

    private void gauge(final String name, final ToDoubleFunction<LoopHealth> figure) {
        metrics.gauge(
                name, loops, all -> all.health().stream().mapToDouble(figure).sum());
    }

    private void startWhenTheBrokerAnswers() {
        do {
            try {
                loops.start(kafka.bootstrapServers(), kafka.partitions(), kafka.replication());
                waitingFor = null;
                return;
            } catch (final RuntimeException e) {
                if (!String.valueOf(e.getMessage()).equals(waitingFor)) {
                    LOG.warnf("not started yet, trying again every %d s: %s", RETRY_S, e.getMessage());
                }
                waitingFor = String.valueOf(e.getMessage());
            }
        } while (!isStopping());
    }

    private boolean isStopping() {
        try {
            return stopping.await(RETRY_S, TimeUnit.SECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @PreDestroy
    void stop() {
        stopping.countDown();
        loops.close();
    }

    /** Why the service cannot do its work; null if it can. */
    @Nullable
    String trouble() {
        if (waitingFor != null) {
            return waitingFor;
        }
        for (final LoopHealth health : loops.health()) {
            if (!health.isReady()) {
                return health.trouble() == null ? "replaying the log" : health.trouble();
            }
        }
        return null;
    }
}
