package io.millrace.transfer.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.DecidingLoop;
import io.millrace.log.LoopSettings;
import io.millrace.model.protocol.Topic;
import io.millrace.model.view.IgnoredRecords;
import io.millrace.service.ServiceMetrics;
import io.millrace.service.KafkaConfig;
import io.millrace.service.Loops;
import io.millrace.transfer.TransferConfig;
import io.millrace.transfer.domain.TransferPolicy;
import io.millrace.transfer.ManageTransfers;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The loop of transfer-service: requests have one partition, so one instance counts all copies. */
@Singleton
public final class TransferLoop {

    private static final List<String> WORDS = List.of("Planned", "Copying");

    private static final List<String> IGNORED = List.of("transfer-asked-again", "unwanted-transfer-not-live");

    @Produces
    @Singleton
    Loops loops(final KafkaConfig kafka, final TransferConfig transfer, final MeterRegistry metrics) {
        final IgnoredRecords ignored = new IgnoredRecords();
        ServiceMetrics.byKind(metrics, "millrace.transfer.ignored", IGNORED, ignored, IgnoredRecords::counts);
        return of(
                kafka.bootstrapServers(),
                transfer.policy(),
                ignored,
                ServiceMetrics.byState(metrics, "millrace.transfers", WORDS),
                Clock.systemUTC());
    }

    /**
     * The loop, not running yet.
     *
     * @param ignored counts what is read and means nothing
     * @param live hears after each decision how many transfers are in which state
     */
    static Loops of(
            final String bootstrapServers,
            final TransferPolicy policy,
            final IgnoredRecords ignored,
            final Consumer<Map<String, Long>> live,
            final Clock clock) {
        final var requests = new DecidingLoop(
                LoopSettings.of(bootstrapServers, "transfer-service", Topic.REQUESTS)
                        .withContext(Topic.TRANSFERS, Topic.COMMANDS, Topic.OUTCOMES, Topic.CLUSTER_STATE),
                partition -> new TransferDecider(new ManageTransfers(policy, ignored), live),
                clock);
        return Loops.of(bootstrapServers, requests);
    }
}
