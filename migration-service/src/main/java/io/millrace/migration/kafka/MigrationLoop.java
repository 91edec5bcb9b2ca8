package io.millrace.migration.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.decide.IgnoredRecords;
import io.millrace.log.access.Part.Service;
import io.millrace.log.loop.DecidingLoop;
import io.millrace.log.loop.LoopSettings;
import io.millrace.migration.ManageGlobalJobs;
import io.millrace.migration.MigrationConfig;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.model.protocol.Topic;
import io.millrace.service.KafkaConfig;
import io.millrace.service.Loops;
import io.millrace.service.ServiceMetrics;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The loop of migration-service: submissions have one partition, so one instance decides for all clusters. */
@Singleton
public final class MigrationLoop {

    private static final List<String> WORDS = List.of("Waiting", "Uploading", "Making", "Submitted", "Downloading");

    private static final List<String> IGNORED = List.of(
            "submission-repeated",
            "stop-of-ended-job",
            "stop-of-unknown-job",
            "change-of-no-live-job",
            "end-of-no-current-attempt",
            "answer-about-no-live-job");

    @Produces
    @Singleton
    Loops loops(final KafkaConfig kafka, final MigrationConfig migration, final MeterRegistry metrics) {
        final IgnoredRecords ignored = new IgnoredRecords();
        ServiceMetrics.byKind(metrics, "millrace.migration.ignored", IGNORED, ignored, IgnoredRecords::counts);
        return of(
                kafka.bootstrapServers(),
                migration.policy(),
                ignored,
                ServiceMetrics.byState(metrics, "millrace.global.jobs", WORDS),
                Clock.systemUTC());
    }

    /**
     * Creates the loop without starting it.
     *
     * @param ignored counts ignored records
     * @param live receives the number of jobs by state after each decision
     */
    static Loops of(
            final String bootstrapServers,
            final MigrationPolicy policy,
            final IgnoredRecords ignored,
            final Consumer<Map<String, Long>> live,
            final Clock clock) {
        final var submissions = new DecidingLoop(
                LoopSettings.of(
                                bootstrapServers,
                                Service.MIGRATION,
                                "migration-service",
                                Topic.SUBMISSIONS,
                                Topic.REQUESTS)
                        .withContext(
                                Topic.GLOBAL_JOBS,
                                Topic.CLUSTER_STATE,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.JOB_ENDS,
                                Topic.TRANSFERS,
                                Topic.AVAILABILITY,
                                Topic.PLANS,
                                Topic.CLASSES),
                partition -> new MigrationDecider(new ManageGlobalJobs(policy, ignored), live),
                clock);
        return Loops.of(bootstrapServers, submissions);
    }
}
