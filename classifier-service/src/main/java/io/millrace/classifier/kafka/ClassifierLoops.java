package io.millrace.classifier.kafka;

import io.millrace.classifier.ClassifierConfig;
import io.millrace.classifier.domain.ClassModel;
import io.millrace.log.loop.DecidingLoop;
import io.millrace.log.loop.LoopSettings;
import io.millrace.model.protocol.Topic;
import io.millrace.service.KafkaConfig;
import io.millrace.service.Loops;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** The two loops of classifier-service: local jobs, divided by cluster, and global jobs. */
@Singleton
public final class ClassifierLoops {

    @Produces
    @Singleton
    Loops loops(final KafkaConfig kafka, final ClassifierConfig classifier) {
        return of(kafka.bootstrapServers(), classifier.model(), Clock.systemUTC());
    }

    static Loops of(final String bootstrapServers, final ClassModel model, final Clock clock) {
        final var local = new DecidingLoop(
                LoopSettings.of(bootstrapServers, "classifier-service", Topic.CLUSTER_STATE, Topic.CLASSES),
                partition -> new ClassifyLocalJobs(model),
                clock);
        final var global = new DecidingLoop(
                LoopSettings.of(bootstrapServers, "classifier-global", Topic.SUBMISSIONS)
                        .withContext(Topic.GLOBAL_JOBS, Topic.CLASSES),
                partition -> new ClassifyGlobalJobs(model),
                clock);
        return Loops.of(bootstrapServers, local, global);
    }
}
