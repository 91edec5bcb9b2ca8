package io.millrace.submit.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.millrace.log.Clients;
import io.millrace.log.loop.LoopProgress;
import io.millrace.submit.DecidingServices;
import io.millrace.submit.config.KafkaSettings;
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
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final KafkaSettings settings;
    private final MeterRegistry meters;
    private final Clock clock;
    private final Map<String, Instant> decidedAt = new HashMap<>();
    private @Nullable Admin admin;
    private final Instant readSince;
    private Instant readAt = Instant.EPOCH;

    KafkaDecidingServices(final KafkaSettings settings, final MeterRegistry meters, final Clock clock) {
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
        this.readSince = clock.instant();
    }

    void start(@Observes final StartupEvent event) {
        for (final String service : LOOPS.keySet()) {
            meters.gauge(
                    "millrace.service.decision.age",
                    Tags.of("service", service),
                    this,
                    all -> all.of(service).age().toSeconds());
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
        final Instant now = clock.instant();
        if (now.isAfter(readAt.plus(FRESH))) {
            readAt = now;
            read();
        }
        return LOOPS.entrySet().stream()
                .map(service -> new ServiceProgress(service.getKey(), oldest(service.getValue()), readSince, now))
                .toList();
    }

    /** A service is as up to date as its oldest loop. */
    private @Nullable Instant oldest(final List<String> groups) {
        return groups.stream().allMatch(decidedAt::containsKey)
                ? groups.stream().map(decidedAt::get).min(Instant::compareTo).orElse(null)
                : null;
    }

    /** Instants of groups that the broker does not answer for are kept. */
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
            offsets(answers.partitionsToOffsetAndMetadata(group), group, end)
                    .flatMap(LoopProgress::decidedAt)
                    .ifPresent(at -> decidedAt.put(group, at));
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
        if (admin != null) {
            admin.close(Duration.ofSeconds(2));
        }
    }
}
