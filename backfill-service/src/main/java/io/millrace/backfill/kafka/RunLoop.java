package io.millrace.backfill.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.backfill.BackfillConfig;
import io.millrace.backfill.KafkaConfig;
import io.millrace.log.LoopHealth;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Runs the loop while the service runs; a broker that is not there yet is waited for. */
@Startup
@ApplicationScoped
public class RunLoop {

    private static final Logger LOG = Logger.getLogger(RunLoop.class);
    private static final long RETRY_S = 2;

    private final KafkaConfig kafka;
    private final BackfillLoop loop;
    private final MeterRegistry metrics;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable String waitingFor = "the loop has not started yet";

    RunLoop(final KafkaConfig kafka, final BackfillConfig backfill, final MeterRegistry metrics) {
        this.kafka = kafka;
        this.metrics = metrics;
        this.loop = new BackfillLoop(kafka.bootstrapServers(), backfill.policy(), backfill.rules(), Clock.systemUTC());
    }

    @PostConstruct
    void start() {
        gauge("millrace.loop.lag", health -> health.lag());
        gauge("millrace.loop.decisions", health -> health.decisions());
        gauge("millrace.loop.fenced", health -> health.fenced());
        gauge("millrace.loop.reopened", health -> health.reopened());
        gauge("millrace.loop.dead.letters", health -> health.deadLetters());
        gauge("millrace.loop.unknown.types", health -> health.unknownTypes());
        Thread.ofPlatform().daemon().name("start-loop").start(this::startWhenTheBrokerAnswers);
    }

    private void gauge(final String name, final ToDoubleFunction<LoopHealth> figure) {
        metrics.gauge(name, loop, running -> figure.applyAsDouble(running.health()));
    }

    private void startWhenTheBrokerAnswers() {
        do {
            try {
                loop.start(kafka.bootstrapServers(), kafka.partitions(), kafka.replication());
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
        loop.close();
    }

    /** Why the service cannot do its work; null if it can. */
    @Nullable
    String trouble() {
        if (waitingFor != null) {
            return waitingFor;
        }
        final LoopHealth health = loop.health();
        if (health.isReady()) {
            return null;
        }
        return health.trouble() == null ? "replaying the log" : health.trouble();
    }
}
