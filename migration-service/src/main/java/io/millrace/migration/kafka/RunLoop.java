package io.millrace.migration.kafka;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.LoopHealth;
import io.millrace.migration.KafkaConfig;
import io.millrace.migration.MigrationConfig;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
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
    private static final List<String> WORDS = List.of("Waiting", "Uploading", "Making", "Submitted", "Downloading");

    private static final List<String> IGNORED = List.of(
            "submission-repeated",
            "stop-of-ended-job",
            "stop-of-unknown-job",
            "end-of-no-current-attempt",
            "answer-about-no-live-job");

    private final KafkaConfig kafka;
    private final MigrationLoop loop;
    private final MeterRegistry metrics;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable String waitingFor = "the loop has not started yet";

    RunLoop(final KafkaConfig kafka, final MigrationConfig migration, final MeterRegistry metrics) {
        this.kafka = kafka;
        this.metrics = metrics;
        this.loop = new MigrationLoop(kafka.bootstrapServers(), migration.policy(), Clock.systemUTC());
    }

    @PostConstruct
    void start() {
        gauge("millrace.loop.lag", LoopHealth::lag);
        gauge("millrace.loop.decisions", LoopHealth::decisions);
        gauge("millrace.loop.fenced", LoopHealth::fenced);
        gauge("millrace.loop.reopened", LoopHealth::reopened);
        gauge("millrace.loop.dead.letters", LoopHealth::deadLetters);
        gauge("millrace.loop.unknown.types", LoopHealth::unknownTypes);
        for (final String word : WORDS) {
            Gauge.builder("millrace.global.jobs", loop, running -> running.live(word))
                    .tag("state", word)
                    .register(metrics);
        }
        for (final String kind : IGNORED) {
            FunctionCounter.builder(
                            "millrace.migration.ignored",
                            loop,
                            running -> running.ignored().getOrDefault(kind, 0L))
                    .tag("kind", kind)
                    .register(metrics);
        }
        Thread.ofPlatform().daemon().name("start-loop").start(this::startWhenTheBrokerAnswers);
    }

    private void gauge(final String name, final ToDoubleFunction<LoopHealth> figure) {
        metrics.gauge(name, loop, running -> figure.applyAsDouble(running.health()));
    }

    private void startWhenTheBrokerAnswers() {
        do {
            try {
                loop.start(kafka.partitions(), kafka.replication());
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
        return waitingFor == null ? loop.trouble() : waitingFor;
    }
}
