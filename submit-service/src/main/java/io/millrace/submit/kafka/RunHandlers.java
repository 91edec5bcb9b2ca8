package io.millrace.submit.kafka;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.model.protocol.EventType;
import io.millrace.submit.Handlers;
import io.millrace.submit.KafkaSettings;
import io.millrace.submit.SubmitSettings;
import io.millrace.submit.domain.Refused;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.RecordsSettings;
import io.millrace.submit.domain.handler.ShownHandler;
import io.millrace.submit.domain.handler.ShownHandler.State;
import io.millrace.submit.handlers.Courier;
import io.millrace.submit.handlers.HandlerLife;
import io.millrace.submit.handlers.HandlersFile;
import io.millrace.submit.handlers.HandlersFile.Attached;
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
public class RunHandlers implements Handlers {

    private static final Logger LOG = Logger.getLogger(RunHandlers.class);
    /** Behind the topics' creation. */
    private static final int LATE = 5000;

    private final KafkaSettings kafka;
    private final SubmitSettings settings;
    private final DeadLetters deadLetters;
    private final MeterRegistry meters;
    private final Clock clock;
    private final RandomGenerator chance;
    private final List<AttachedHandler> handlers = new ArrayList<>();
    private Optional<WriteUsage> records = Optional.empty();

    RunHandlers(
            final KafkaSettings kafka,
            final SubmitSettings settings,
            final DeadLetters deadLetters,
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
        final Attached attached =
                settings.handlersFile().map(HandlersFile::read).orElse(Attached.NOTHING);
        final String servers = kafka.bootstrapServers();
        for (final Handler handler : attached.handlers()) {
            handlers.add(new AttachedHandler(servers, Courier.to(handler, clock, chance), deadLetters));
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
        records = attached.records().map(to -> new WriteUsage(servers, to, life(to)));
        handlers.forEach(handler -> count(handler.name(), handler.courier().life()));
        handlers.forEach(AttachedHandler::start);
        records.ifPresent(writer -> count(Handler.RECORDS, writer.life()));
        records.ifPresent(WriteUsage::start);
    }

    private HandlerLife life(final RecordsSettings to) {
        return new HandlerLife(Handler.RECORDS, to.folder().toString(), clock);
    }

    private void count(final String name, final HandlerLife life) {
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
            final String figure, final String name, final HandlerLife life, final ToDoubleFunction<HandlerLife> value) {
        FunctionCounter.builder(figure, life, value).tag("handler", name).register(meters);
    }

    private void gauge(
            final String figure, final String name, final HandlerLife life, final ToDoubleFunction<HandlerLife> value) {
        Gauge.builder(figure, life, value).tag("handler", name).register(meters);
    }

    @Override
    public List<ShownHandler> all() {
        return Stream.concat(
                        handlers.stream().map(handler -> handler.courier().life()),
                        records.stream().map(WriteUsage::life))
                .map(HandlerLife::shown)
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

    private AttachedHandler find(final String name) {
        return handlers.stream()
                .filter(handler -> handler.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Refused.notFound("no handler '" + name
                        + "' runs in this instance of submit-service: millrace.submit.handlers-file names them"));
    }

    void stop(@Observes final ShutdownEvent stopping) {
        handlers.parallelStream().forEach(AttachedHandler::close);
        records.ifPresent(WriteUsage::close);
    }
}
