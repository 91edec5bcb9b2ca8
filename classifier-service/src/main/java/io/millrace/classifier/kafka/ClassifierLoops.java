package io.millrace.classifier.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.classifier.ClassifierConfig;
import io.millrace.classifier.domain.ModelPreview;
import io.millrace.classifier.domain.StageCounters;
import io.millrace.classifier.file.ModelFile;
import io.millrace.log.Topics;
import io.millrace.log.access.Part.Service;
import io.millrace.log.loop.DecidingLoop;
import io.millrace.log.loop.LoopSettings;
import io.millrace.model.protocol.Topic;
import io.millrace.service.KafkaConfig;
import io.millrace.service.Loops;
import io.millrace.service.ServiceMetrics;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two loops of classifier-service: local jobs, divided by cluster, and global jobs. */
@Singleton
public final class ClassifierLoops {

    private static final Logger LOG = LoggerFactory.getLogger(ClassifierLoops.class);

    @Produces
    @Singleton
    Loops loops(final KafkaConfig kafka, final ClassifierConfig classifier, final MeterRegistry metrics) {
        final String model = classifier.model();
        ModelPreview.warnings(ModelFile.parse("class model", model)).forEach(warning -> LOG.warn("model: {}", warning));
        final StageCounters work = new StageCounters();
        ServiceMetrics.byKind(
                metrics, "millrace.classifier.stages", StageCounters.kinds(), work, StageCounters::counts);
        return of(
                kafka.bootstrapServers(),
                model,
                new LearningSettings(classifier.history(), classifier.historyFile(), classifier.estimateQuantile()),
                work,
                kafka.partitions(),
                Clock.systemUTC());
    }

    static Loops of(
            final String bootstrapServers,
            final String model,
            final LearningSettings learning,
            final StageCounters work,
            final int partitions,
            final Clock clock) {
        final var local = new DecidingLoop(
                LoopSettings.of(
                                bootstrapServers,
                                Service.CLASSIFIER,
                                "classifier-service",
                                Topic.CLUSTER_STATE,
                                Topic.CLASSES,
                                Topic.JOB_ENDS)
                        .withContext(Topic.QUOTAS)
                        .withLookBack(Topic.JOB_ENDS, learning.history()),
                partition -> localJobs(
                        ModelInForce.read(bootstrapServers, model, clock.instant()),
                        learning,
                        work,
                        partition,
                        partitions,
                        clock),
                clock);
        final var global = new DecidingLoop(
                LoopSettings.of(
                                bootstrapServers,
                                Service.CLASSIFIER,
                                "classifier-global",
                                Topic.SUBMISSIONS,
                                Topic.REQUESTS)
                        .withContext(Topic.GLOBAL_JOBS, Topic.CLASSES, Topic.JOB_ENDS)
                        .withLookBack(Topic.JOB_ENDS, learning.history()),
                partition ->
                        globalJobs(ModelInForce.read(bootstrapServers, model, clock.instant()), learning, work, clock),
                clock);
        return Loops.of(bootstrapServers, local, global);
    }

    private static ClassifyLocalJobs localJobs(
            final ModelInForce model,
            final LearningSettings learning,
            final StageCounters work,
            final int partition,
            final int partitions,
            final Clock clock) {
        final Instant inLog = clock.instant().minus(learning.history());
        final ClassifyLocalJobs jobs = new ClassifyLocalJobs(model, learning.estimateQuantile(), work);
        learning.importedRuns()
                .ifPresent(file -> ImportedRuns.read(file, run -> {
                    if (Topics.shardOf(run.cluster(), partitions) == partition) {
                        jobs.history().imported(run, inLog);
                    }
                }));
        return jobs;
    }

    private static ClassifyGlobalJobs globalJobs(
            final ModelInForce model, final LearningSettings learning, final StageCounters work, final Clock clock) {
        final Instant inLog = clock.instant().minus(learning.history());
        final ClassifyGlobalJobs jobs = new ClassifyGlobalJobs(model, learning.estimateQuantile(), work);
        learning.importedRuns().ifPresent(file -> ImportedRuns.read(file, run -> jobs.imported(run, inLog)));
        return jobs;
    }
}
