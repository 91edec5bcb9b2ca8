package io.millrace.submit;

import io.millrace.submit.store.job.JobChanges;
import io.millrace.submit.store.job.Commands;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.job.GlobalJobs;
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
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keeps the read model from growing for ever. Several instances may do it at once: what is gone is gone. */
@ApplicationScoped
public class PurgeHistory {

    private static final Logger LOG = Logger.getLogger(PurgeHistory.class);
    private static final Duration EVERY = Duration.ofHours(1);
    /** What is said about a local job outlives it by this, for those who ask why just after. */
    private static final Duration ORPHANS = Duration.ofDays(1);

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
                .startingAfter(EVERY)
                .every(EVERY)
                .onOverflow()
                .drop()
                .emitOn(Infrastructure.getDefaultWorkerPool())
                .subscribe()
                .with(tick -> forgetOrSayWhyNot());
    }

    void end(@Observes final ShutdownEvent stopping) {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void forgetOrSayWhyNot() {
        try {
            forget();
        } catch (RuntimeException e) {
            LOG.warnf(e, "old rows were not removed; the next try is in %s", EVERY);
        }
    }

    /** Removes what is older than the settings allow, each kind in a transaction of its own. */
    public void forget() {
        final Instant now = clock.instant();
        final Instant jobsSince = now.minus(settings.keepJobs());
        in(() -> jobs.forgetEndedBefore(jobsSince));
        in(() -> runs.forgetBefore(jobsSince));
        in(() -> commands.forgetBefore(now.minus(settings.keepCommands())));
        in(() -> changes.forgetBefore(now.minus(settings.keepChanges())));
        in(() -> facts.forgetOrphansBefore(now.minus(ORPHANS)));
        in(() -> facts.forgetWithoutJob(jobsSince));
    }

    private static void in(final Runnable step) {
        QuarkusTransaction.requiringNew().run(step);
    }
}
