package io.millrace.submit.projection;

import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.job.Commands;
import io.millrace.submit.store.job.GlobalJobs;
import io.millrace.submit.store.job.JobChanges;
import io.millrace.submit.store.job.RunEnds;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes old rows of the read model. Several instances may run it concurrently. */
@ApplicationScoped
public class PurgeHistory {

    private static final Logger LOG = LoggerFactory.getLogger(PurgeHistory.class);
    private static final Duration INTERVAL = Duration.ofHours(1);
    /** Retention of decisions about local jobs that left the queue. */
    private static final Duration DECISION_RETENTION = Duration.ofDays(1);

    private final GlobalJobs jobs;
    private final RunEnds runs;
    private final Commands commands;
    private final JobChanges changes;
    private final LatestEvents facts;
    private final SubmitSettings settings;
    private final Clock clock;
    private @Nullable Cancellable timer;

    PurgeHistory(
            final GlobalJobs jobs,
            final RunEnds runs,
            final Commands commands,
            final JobChanges changes,
            final LatestEvents facts,
            final SubmitSettings settings,
            final Clock clock) {
        this.jobs = jobs;
        this.runs = runs;
        this.commands = commands;
        this.changes = changes;
        this.facts = facts;
        this.settings = settings;
        this.clock = clock;
    }

    void begin(@Observes final StartupEvent started) {
        timer = Multi.createFrom()
                .ticks()
                .startingAfter(INTERVAL)
                .every(INTERVAL)
                .onOverflow()
                .drop()
                .emitOn(Infrastructure.getDefaultWorkerPool())
                .subscribe()
                .with(tick -> purgeAndLog());
    }

    void end(@Observes final ShutdownEvent stopping) {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void purgeAndLog() {
        try {
            forget();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("retryIn", INTERVAL).log("old rows were not removed");
        }
    }

    /** Deletes rows that are older than their retention, each kind in a separate transaction. */
    public void forget() {
        final Instant now = clock.instant();
        final Instant jobsSince = now.minus(settings.jobRetention());
        in(() -> jobs.forgetEndedBefore(jobsSince));
        in(() -> runs.forgetBefore(jobsSince));
        in(() -> commands.forgetBefore(now.minus(SubmitSettings.COMMAND_RETENTION)));
        in(() -> changes.forgetBefore(now.minus(SubmitSettings.CHANGE_RETENTION)));
        in(() -> facts.forgetOrphansBefore(now.minus(DECISION_RETENTION)));
        in(() -> facts.forgetWithoutJob(jobsSince));
    }

    private static void in(final Runnable step) {
        QuarkusTransaction.requiringNew().run(step);
    }
}
