package io.millrace.backfill.kafka;

import io.millrace.backfill.BackfillConfig;
import io.millrace.backfill.PlanStarts;
import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.StartRules;
import io.millrace.log.DecidingLoop;
import io.millrace.log.LoopSettings;
import io.millrace.model.protocol.Topic;
import io.millrace.service.KafkaConfig;
import io.millrace.service.Loops;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** The loop of backfill-service. */
@Singleton
public final class BackfillLoop {

    @Produces
    @Singleton
    Loops loops(final KafkaConfig kafka, final BackfillConfig backfill) {
        return of(kafka.bootstrapServers(), backfill.policy(), backfill.rules(), Clock.systemUTC());
    }

    static Loops of(
            final String bootstrapServers, final BackfillPolicy policy, final StartRules rules, final Clock clock) {
        final var clusters = new DecidingLoop(
                LoopSettings.of(
                        bootstrapServers,
                        "backfill-service",
                        Topic.CLUSTER_STATE,
                        Topic.COMMANDS,
                        Topic.OUTCOMES,
                        Topic.ENTITLEMENTS,
                        Topic.PLANS),
                partition -> new ClusterDecider(new PlanStarts(policy, rules)),
                clock);
        return Loops.of(bootstrapServers, clusters);
    }
}
