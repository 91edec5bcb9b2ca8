package io.millrace.quota.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.access.Part.Service;
import io.millrace.log.loop.DecidingLoop;
import io.millrace.log.loop.LoopSettings;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.protocol.Topic;
import io.millrace.quota.EnforceQuotas;
import io.millrace.quota.QuotaConfig;
import io.millrace.quota.UpdateBudgets;
import io.millrace.quota.UpdatePriorityRules;
import io.millrace.quota.UpdateQuotas;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.quota.QuotaFileContent;
import io.millrace.quota.domain.quota.QuotaRequests.Answer;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.files.PriorityFile;
import io.millrace.quota.files.QuotaFile;
import io.millrace.service.KafkaConfig;
import io.millrace.service.Loops;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The two loops of quota-service. */
@Singleton
public final class QuotaLoops {

    /** Time after which an agent no longer reports the end of a run again. */
    private static final Duration REPEATS = Duration.ofHours(1);

    @Produces
    @Singleton
    Loops loops(final KafkaConfig kafka, final QuotaConfig quota, final MeterRegistry metrics) {
        return of(
                kafka.bootstrapServers(),
                quota.policy(),
                quota.defaultCores(),
                quota.budgets(),
                quota.file().map(QuotaFile::read),
                quota.priorityFile().map(PriorityFile::read),
                answer -> count(answer, metrics),
                Clock.systemUTC());
    }

    private static void count(final Answer answer, final MeterRegistry metrics) {
        final String result = switch (answer) {
            case Answer.Granted granted -> "granted";
            case Answer.Removed removed -> "removed";
            case Answer.Refused refused -> "refused";
        };
        metrics.counter("millrace.quota.requests", "answer", result).increment();
    }

    static Loops of(
            final String bootstrapServers,
            final QuotaPolicy policy,
            final int defaultQuota,
            final BudgetRules budgets,
            final Optional<QuotaFileContent> file,
            final Optional<PriorityRules> priority,
            final Consumer<Answer> answered,
            final Clock clock) {
        final var quotas = new DecidingLoop(
                LoopSettings.of(bootstrapServers, Service.QUOTA, "quota-requests", Topic.REQUESTS, Topic.QUOTAS),
                partition -> new QuotaDecider(
                        new UpdateQuotas(file, answered),
                        new UpdatePriorityRules(priority),
                        new UpdateBudgets(budgets, policy.hours().limits())),
                clock);
        final var clusters = new DecidingLoop(
                LoopSettings.of(
                                bootstrapServers,
                                Service.QUOTA,
                                "quota-service",
                                Topic.CLUSTER_STATE,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.JOB_ENDS,
                                Topic.LEDGER,
                                Topic.ENTITLEMENTS,
                                Topic.PLANS,
                                Topic.CLASSES)
                        .withContext(Topic.QUOTAS, Topic.USAGE, Topic.GLOBAL_JOBS, Topic.LOCKS)
                        .withLookBack(Topic.LEDGER, REPEATS),
                partition -> new ClusterDecider(new EnforceQuotas(policy, defaultQuota, budgets)),
                clock);
        return Loops.of(bootstrapServers, quotas, clusters);
    }
}
