package io.millrace.service;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import io.millrace.log.loop.LoopHealth;
import io.millrace.process.FatalFailure;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Runs the loops while the service runs; waits for the broker at start. */
@Startup
@ApplicationScoped
public class RunLoops {

    private static final Logger LOG = Logger.getLogger(RunLoops.class);
    private static final long RETRY_S = 2;

    private final KafkaConfig kafka;
    private final Loops loops;
    private final MeterRegistry metrics;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable String waitingFor = "the loops have not started yet";

    RunLoops(final KafkaConfig kafka, final Loops loops, final MeterRegistry metrics) {
        this.kafka = kafka;
        this.loops = loops;
        this.metrics = metrics;
    }

    @PostConstruct
    void start() {
        FatalFailure.endsTheProcess(() -> Quarkus.asyncExit(FatalFailure.EXIT_CODE));
        kafka.clientProperties().map(ClientProperties::read).ifPresent(Clients::useEverywhere);
        gauge("millrace.loop.lag", LoopHealth::lag);
        gauge("millrace.loop.decisions", LoopHealth::decisions);
        gauge("millrace.loop.fenced", LoopHealth::fenced);
        gauge("millrace.loop.reopened", LoopHealth::reopened);
        gauge("millrace.loop.dead.letters", LoopHealth::deadLetters);
        gauge("millrace.loop.set.aside", LoopHealth::setAside);
        gauge("millrace.loop.unknown.types", LoopHealth::unknownTypes);
        Thread.ofPlatform().daemon().name("start-loops").start(this::startWhenTheBrokerAnswers);
    }

    private void gauge(final String name, final ToDoubleFunction<LoopHealth> figure) {
        metrics.gauge(
                name, loops, all -> all.health().stream().mapToDouble(figure).sum());
    }

    private void startWhenTheBrokerAnswers() {
        do {
            try {
                loops.start(
                        kafka.partitions(),
                        kafka.replication(),
                        kafka.instance().orElse(null));
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

    /** Where the latest records are on the log that the service skips, because it cannot process them. */
    List<String> setAside() {
        return loops.health().stream()
                .flatMap(health -> health.latestSetAside().stream())
                .toList();
    }

    /** Why the service cannot do its work; null if it can. */
    @Nullable
    String trouble() {
        return waitingFor == null ? loops.trouble() : waitingFor;
    }
}
