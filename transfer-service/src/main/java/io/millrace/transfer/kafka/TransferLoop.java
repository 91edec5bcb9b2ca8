package io.millrace.transfer.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.decide.IgnoredRecords;
import io.millrace.log.access.Part.Service;
import io.millrace.log.loop.DecidingLoop;
import io.millrace.log.loop.LoopSettings;
import io.millrace.model.protocol.Topic;
import io.millrace.service.KafkaConfig;
import io.millrace.service.Loops;
import io.millrace.service.ServiceMetrics;
import io.millrace.transfer.ManageTransfers;
import io.millrace.transfer.RemoveStagedCopies;
import io.millrace.transfer.TransferConfig;
import io.millrace.transfer.domain.TransferPolicy;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The deciding loop of transfer-service. Requests have one partition, so one instance counts all copies. */
@Singleton
public final class TransferLoop {

    private static final List<String> WORDS = List.of("Planned", "Copying", "Held");

    private static final List<String> IGNORED = List.of("transfer-requested-again", "cancel-of-inactive-transfer");

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
     * Creates the loop without starting it.
     *
     * @param ignored counts ignored records
     * @param live receives the number of transfers by state after each decision
     */
    static Loops of(
            final String bootstrapServers,
            final TransferPolicy policy,
            final IgnoredRecords ignored,
            final Consumer<Map<String, Long>> live,
            final Clock clock) {
        final var requests = new DecidingLoop(
                LoopSettings.of(bootstrapServers, Service.TRANSFER, "transfer-service", Topic.REQUESTS)
                        .withContext(
                                Topic.TRANSFERS,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.CLUSTER_STATE,
                                Topic.GLOBAL_JOBS),
                partition ->
                        new TransferDecider(new ManageTransfers(policy, ignored), new RemoveStagedCopies(policy), live),
                clock);
        return Loops.of(bootstrapServers, requests);
    }
}
