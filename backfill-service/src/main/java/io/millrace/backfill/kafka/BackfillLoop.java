package io.millrace.backfill.kafka;

import io.millrace.backfill.BackfillConfig;
import io.millrace.backfill.PlanStarts;
import io.millrace.backfill.PlannerSettings;
import io.millrace.log.access.Part.Service;
import io.millrace.log.loop.DecidingLoop;
import io.millrace.log.loop.LoopSettings;
import io.millrace.model.protocol.Topic;
import io.millrace.service.KafkaConfig;
import io.millrace.service.Loops;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;

/** Configures the deciding loop of backfill-service. */
@Singleton
public final class BackfillLoop {

    /** Ended runs of this period are replayed; the history needs only the last two per user and fifty per class. */
    private static final Duration HISTORY = Duration.ofDays(14);

    @Produces
    @Singleton
    Loops loops(final KafkaConfig kafka, final BackfillConfig backfill) {
        return of(kafka.bootstrapServers(), backfill.rules(), Clock.systemUTC());
    }

    static Loops of(final String bootstrapServers, final PlannerSettings rules, final Clock clock) {
        final var clusters = new DecidingLoop(
                LoopSettings.of(
                                bootstrapServers,
                                Service.BACKFILL,
                                "backfill-service",
                                Topic.CLUSTER_STATE,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.ENTITLEMENTS,
                                Topic.PLANS,
                                Topic.CLASSES,
                                Topic.JOB_ENDS)
                        .withLookBack(Topic.JOB_ENDS, HISTORY),
                partition -> new BackfillDecider(new PlanStarts(rules)),
                clock);
        return Loops.of(bootstrapServers, clusters);
    }
}
