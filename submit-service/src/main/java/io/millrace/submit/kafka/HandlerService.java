package io.millrace.submit.kafka;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.model.protocol.EventType;
import io.millrace.submit.HandlerControl;
import io.millrace.submit.KafkaSettings;
import io.millrace.submit.SubmitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.UsageFileSettings;
import io.millrace.submit.domain.handler.HandlerStatus;
import io.millrace.submit.domain.handler.HandlerStatus.State;
import io.millrace.submit.handlers.DeliveryWorker;
import io.millrace.submit.handlers.HandlerTracker;
import io.millrace.submit.handlers.HandlersFile;
import io.millrace.submit.handlers.HandlersFile.HandlersConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** Starts what the handlers file attaches, each for itself, and tells how it is doing. */
@ApplicationScoped
public class HandlerService implements HandlerControl {

    private static final Logger LOG = Logger.getLogger(HandlerService.class);
    /** Behind the topics' creation. */
    private static final int LATE = 5000;

    private final KafkaSettings kafka;
    private final SubmitSettings settings;
    private final DeadLetterWriter deadLetters;
    private final MeterRegistry meters;
    private final Clock clock;
    private final RandomGenerator chance;
    private final List<HandlerRunner> handlers = new ArrayList<>();
    private Optional<UsageFileWriter> records = Optional.empty();

    HandlerService(
            final KafkaSettings kafka,
            final SubmitSettings settings,
            final DeadLetterWriter deadLetters,
            final MeterRegistry meters,
            final Clock clock,
            final RandomGenerator chance) {
        this.kafka = kafka;
        this.settings = settings;
        this.deadLetters = deadLetters;
        this.meters = meters;
        this.clock = clock;
        this.chance = chance;
    }

    /** A file with an error, or a handler that cannot be reached as it says, keeps the service from starting. */
    void start(@Observes @Priority(LATE) final StartupEvent started) {
        final HandlersConfig attached =
                settings.handlersFile().map(HandlersFile::read).orElse(HandlersConfig.NOTHING);
        final String servers = kafka.bootstrapServers();
        for (final Handler handler : attached.handlers()) {
            handlers.add(new HandlerRunner(servers, DeliveryWorker.to(handler, clock, chance), deadLetters));
            LOG.infof(
                    "attached: handler=%s target=%s events=%s",
                    handler.name(),
                    handler.target().shown(),
                    handler.filter().types().stream()
                            .map(EventType::typeName)
                            .sorted()
                            .toList());
        }
        attached.records()
                .ifPresent(to -> LOG.infof(
                        "attached: handler=%s target=%s formats=%s", Handler.RECORDS, to.folder(), to.formats()));
        records = attached.records().map(to -> new UsageFileWriter(servers, to, life(to)));
        handlers.forEach(handler -> count(handler.name(), handler.courier().life()));
        handlers.forEach(HandlerRunner::start);
        records.ifPresent(writer -> count(Handler.RECORDS, writer.life()));
        records.ifPresent(UsageFileWriter::start);
    }

    private HandlerTracker life(final UsageFileSettings to) {
        return new HandlerTracker(Handler.RECORDS, to.folder().toString(), clock);
    }

    private void count(final String name, final HandlerTracker life) {
        counter("millrace.handler.delivered", name, life, of -> of.shown().delivered());
        counter("millrace.handler.failed.tries", name, life, of -> of.shown().failedAttempts());
        counter("millrace.handler.dead.letters", name, life, of -> of.shown().deadLettered());
        gauge("millrace.handler.behind", name, life, of -> of.shown().lag());
        for (final State state : State.values()) {
            Gauge.builder("millrace.handler.state", life, of -> of.shown().state() == state ? 1 : 0)
                    .tag("handler", name)
                    .tag("state", state.name())
                    .register(meters);
        }
    }

    private void counter(
            final String figure, final String name, final HandlerTracker life, final ToDoubleFunction<HandlerTracker> value) {
        FunctionCounter.builder(figure, life, value).tag("handler", name).register(meters);
    }

    private void gauge(
            final String figure, final String name, final HandlerTracker life, final ToDoubleFunction<HandlerTracker> value) {
        Gauge.builder(figure, life, value).tag("handler", name).register(meters);
    }

    @Override
    public List<HandlerStatus> all() {
        return Stream.concat(
                        handlers.stream().map(handler -> handler.courier().life()),
                        records.stream().map(UsageFileWriter::life))
                .map(HandlerTracker::shown)
                .toList();
    }

    @Override
    public void pause(final String name, final String because) {
        find(name).courier().life().pause(because);
    }

    @Override
    public void resume(final String name) {
        find(name).courier().life().resume();
    }

    @Override
    public void redeliver(final String name) {
        find(name).redeliver();
    }

    private HandlerRunner find(final String name) {
        return handlers.stream()
                .filter(handler -> handler.name().equals(name))
                .findFirst()
                .orElseThrow(() -> RequestRefused.notFound("no handler '" + name
                        + "' runs in this instance of submit-service: millrace.submit.handlers-file names them"));
    }

    void stop(@Observes final ShutdownEvent stopping) {
        handlers.parallelStream().forEach(HandlerRunner::close);
        records.ifPresent(UsageFileWriter::close);
    }
}
