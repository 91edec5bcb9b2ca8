package io.millrace.submit.kafka;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.protocol.EventType;
import io.millrace.submit.HandlerControl;
import io.millrace.submit.MailServer;
import io.millrace.submit.ReadModel;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.handler.DeliveryRetries;
import io.millrace.submit.domain.handler.DeliveryRetries.OnFailure;
import io.millrace.submit.domain.handler.EventFilter;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerStatus;
import io.millrace.submit.domain.handler.HandlerStatus.State;
import io.millrace.submit.domain.handler.HandlerTarget;
import io.millrace.submit.domain.handler.JobMail;
import io.millrace.submit.handlers.AffectedJobs;
import io.millrace.submit.handlers.DeliveryWorker;
import io.millrace.submit.handlers.HandlerTracker;
import io.millrace.submit.handlers.HandlersFile;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the handlers of the handlers file and reports their status. */
@ApplicationScoped
public class HandlerService implements HandlerControl {

    private static final Logger LOG = LoggerFactory.getLogger(HandlerService.class);
    /** After the topics are created. */
    private static final int LATE = 5000;

    private static final int MAILS_AT_ONCE = 4;

    /** How often the read model is asked for a run that it does not contain yet. */
    private static final int LOOKS = 10;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private final KafkaSettings kafka;
    private final SubmitSettings settings;
    private final DeadLetterWriter deadLetters;
    private final LoggedClusters clusters;
    private final MailServer mail;
    private final AffectedJobs jobs;
    private final MeterRegistry meters;
    private final Clock clock;
    private final RandomGenerator random;
    private final List<HandlerRunner> handlers = new ArrayList<>();

    HandlerService(
            final KafkaSettings kafka,
            final SubmitSettings settings,
            final DeadLetterWriter deadLetters,
            final LoggedClusters clusters,
            final MailServer mail,
            final ReadModel model,
            final MeterRegistry meters,
            final Clock clock,
            final RandomGenerator random) {
        this.kafka = kafka;
        this.settings = settings;
        this.deadLetters = deadLetters;
        this.clusters = clusters;
        this.mail = mail;
        this.jobs = occurrence -> model.job(occurrence.job())
                .filter(stored -> isPlaced(stored.job(), occurrence.report()))
                .map(stored -> new AffectedJobs.Found(
                        stored.job().submission(), occurrence.ended() ? lastRun(model, stored.job()) : null));
        this.meters = meters;
        this.clock = clock;
        this.random = random;
    }

    /** An invalid file, or a handler whose target cannot be used, prevents the service from starting. */
    void start(@Observes @Priority(LATE) final StartupEvent started) {
        mail.target()
                .ifPresent(target -> handlers.add(new HandlerRunner(
                        kafka.bootstrapServers(),
                        DeliveryWorker.to(mailHandler(target), jobs, clock, random),
                        deadLetters,
                        clusters)));
        for (final Handler handler :
                settings.handlersFile().map(HandlersFile::read).orElse(List.of())) {
            handlers.add(new HandlerRunner(
                    kafka.bootstrapServers(), DeliveryWorker.to(handler, jobs, clock, random), deadLetters, clusters));
            LOG.atInfo()
                    .addKeyValue("handler", handler.name())
                    .addKeyValue("target", handler.target().displayName())
                    .addKeyValue(
                            "events",
                            handler.filter().types().stream()
                                    .map(EventType::typeName)
                                    .sorted()
                                    .toList())
                    .log("handler configured");
        }
        handlers.forEach(handler -> count(handler.name(), handler.worker().tracker()));
        handlers.forEach(HandlerRunner::start);
    }

    /** The end of the run is on the log before the end of the job, but on another topic, so the read model may follow a moment later. */
    private static @Nullable RunEnded lastRun(final ReadModel model, final GlobalJob job) {
        Optional<RunEnded> last = model.lastRun(job);
        for (int i = 0; i < LOOKS && last.isEmpty(); i++) {
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            last = model.lastRun(job);
        }
        return last.orElse(null);
    }

    private static boolean isPlaced(final GlobalJob job, final JobMail.@Nullable Report report) {
        return report == null || job.isPlaced(report.attempt(), report.cluster());
    }

    private static Handler mailHandler(final HandlerTarget.Mail target) {
        return new Handler(
                Handler.MAIL,
                target,
                new EventFilter(
                        Set.of(EventType.GLOBAL_JOB, EventType.JOB_OBSERVED, EventType.RUN_ENDED), Set.of(), Set.of()),
                new DeliveryRetries(12, Duration.ofSeconds(1), Duration.ofMinutes(5), OnFailure.DEAD_LETTER),
                false,
                MAILS_AT_ONCE);
    }

    private void count(final String name, final HandlerTracker tracker) {
        counter("millrace.handler.delivered", name, tracker, of -> of.status().delivered());
        counter(
                "millrace.handler.failed.attempts",
                name,
                tracker,
                of -> of.status().failedAttempts());
        counter(
                "millrace.handler.dead.letters",
                name,
                tracker,
                of -> of.status().deadLettered());
        gauge("millrace.handler.lag", name, tracker, of -> of.status().lag());
        for (final State state : State.values()) {
            Gauge.builder("millrace.handler.state", tracker, of -> of.status().state() == state ? 1 : 0)
                    .tag("handler", name)
                    .tag("state", state.name())
                    .register(meters);
        }
    }

    private void counter(
            final String figure,
            final String name,
            final HandlerTracker tracker,
            final ToDoubleFunction<HandlerTracker> value) {
        FunctionCounter.builder(figure, tracker, value).tag("handler", name).register(meters);
    }

    private void gauge(
            final String figure,
            final String name,
            final HandlerTracker tracker,
            final ToDoubleFunction<HandlerTracker> value) {
        Gauge.builder(figure, tracker, value).tag("handler", name).register(meters);
    }

    @Override
    public List<HandlerStatus> all() {
        return handlers.stream()
                .map(handler -> handler.worker().tracker().status())
                .toList();
    }

    @Override
    public void pause(final String name, final String reason) {
        find(name).worker().tracker().pause(reason);
    }

    @Override
    public void resume(final String name) {
        find(name).worker().tracker().resume();
    }

    @Override
    public void redeliver(final String name) {
        find(name).redeliver();
    }

    private HandlerRunner find(final String name) {
        return handlers.stream()
                .filter(handler -> handler.name().equals(name))
                .findFirst()
                .orElseThrow(() -> RequestRefused.notFound("handler '" + name
                        + "' not found in this instance; millrace.submit.handlers-file configures handlers"));
    }

    void stop(@Observes final ShutdownEvent stopping) {
        handlers.parallelStream().forEach(HandlerRunner::close);
    }
}
