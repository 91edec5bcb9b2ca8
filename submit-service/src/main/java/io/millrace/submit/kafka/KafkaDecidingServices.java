package io.millrace.submit.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.millrace.log.Clients;
import io.millrace.log.loop.LoopProgress;
import io.millrace.submit.DecidingServices;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.domain.job.LoopReading;
import io.millrace.submit.domain.job.ServiceProgress;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the progress of the deciding loops from the offsets that they commit. */
@ApplicationScoped
class KafkaDecidingServices implements DecidingServices {

    /** The consumer groups of the loops of each service. */
    private static final Map<String, List<String>> LOOPS = new TreeMap<>(Map.of(
            "backfill-service", List.of("backfill-service"),
            "classifier-service", List.of("classifier-service", "classifier-global"),
            "migration-service", List.of("migration-service"),
            "quota-service", List.of("quota-service", "quota-requests"),
            "transfer-service", List.of("transfer-service")));

    private static final Logger LOG = LoggerFactory.getLogger(KafkaDecidingServices.class);
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final KafkaSettings settings;
    private final MeterRegistry meters;
    private final Clock clock;
    /** By consumer group. */
    private final Map<String, LoopReading> readings = new HashMap<>();

    private @Nullable Admin admin;
    private Instant readAt = Instant.EPOCH;
    private final ScheduledExecutorService poll = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("progress").factory());

    KafkaDecidingServices(final KafkaSettings settings, final MeterRegistry meters, final Clock clock) {
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
        final Instant start = clock.instant();
        LOOPS.values().stream().flatMap(List::stream).forEach(group -> readings.put(group, LoopReading.none(start)));
    }

    void start(@Observes final StartupEvent event) {
        for (final String service : LOOPS.keySet()) {
            meters.gauge(
                    "millrace.service.decision.age",
                    Tags.of("service", service),
                    this,
                    all -> all.of(service).age().toSeconds());
        }
        // Also if nobody asks: a time in which the broker does not answer must be known.
        poll.scheduleWithFixedDelay(this::poll, 0, INTERVAL.toSeconds(), TimeUnit.SECONDS);
    }

    private void poll() {
        try {
            progress();
        } catch (final RuntimeException e) {
            LOG.warn("cannot read the progress of the deciding services: {}", e.toString());
        }
    }

    private ServiceProgress of(final String service) {
        return progress().stream()
                .filter(progress -> progress.service().equals(service))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public synchronized List<ServiceProgress> progress() {
        if (clock.instant().isAfter(readAt.plus(FRESH))) {
            read();
            readAt = clock.instant();
        }
        return LOOPS.entrySet().stream()
                .map(service -> ServiceProgress.of(
                        service.getKey(),
                        service.getValue().stream().map(readings::get).toList()))
                .toList();
    }

    private void read() {
        final Map<String, ListConsumerGroupOffsetsSpec> specs = LOOPS.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.toMap(group -> group, group -> new ListConsumerGroupOffsetsSpec()));
        if (admin == null) {
            admin = Clients.openAdmin(settings.bootstrapServers(), Map.of());
        }
        final var answers = admin.listConsumerGroupOffsets(specs);
        final long end = System.nanoTime() + PATIENCE.toNanos();
        for (final String group : specs.keySet()) {
            final Optional<Map<TopicPartition, OffsetAndMetadata>> offsets =
                    offsets(answers.partitionsToOffsetAndMetadata(group), group, end);
            final Instant now = clock.instant();
            readings.computeIfPresent(
                    group,
                    (name, reading) -> offsets.map(found -> reading.answered(
                                    LoopProgress.decidedAt(found).orElse(null), now))
                            .orElseGet(() -> reading.unanswered(now)));
        }
    }

    private static Optional<Map<TopicPartition, OffsetAndMetadata>> offsets(
            final KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> answer, final String group, final long end) {
        try {
            return Optional.of(answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (final ExecutionException | TimeoutException e) {
            LOG.debug("the broker does not answer with the offsets of group {}", group, e);
            return Optional.empty();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @PreDestroy
    void close() {
        poll.shutdownNow();
        if (admin != null) {
            admin.close(Duration.ofSeconds(2));
        }
    }
}
