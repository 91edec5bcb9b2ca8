package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.DeliveryRetries.OnFailure;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget;
import java.time.Clock;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers events to one handler: retries with back-off, and finally dead-letters the event or pauses the handler. */
public final class DeliveryWorker {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryWorker.class);

    private final Handler handler;
    private final Delivery delivery;
    private final HandlerTracker tracker;
    private final RandomGenerator random;

    DeliveryWorker(
            final Handler handler,
            final Delivery delivery,
            final HandlerTracker tracker,
            final RandomGenerator random) {
        this.handler = handler;
        this.delivery = delivery;
        this.tracker = tracker;
        this.random = random;
    }

    /** @throws IllegalArgumentException naming the handler, if its target cannot be used */
    public static DeliveryWorker to(
            final Handler handler, final AffectedJobs jobs, final Clock clock, final RandomGenerator random) {
        try {
            return new DeliveryWorker(
                    handler, delivery(handler, jobs, clock), new HandlerTracker(handler, clock), random);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("handler '" + handler.name() + "': " + e.getMessage(), e);
        }
    }

    private static Delivery delivery(final Handler handler, final AffectedJobs jobs, final Clock clock) {
        return switch (handler.target()) {
            case HandlerTarget.Webhook webhook ->
                new WebhookDelivery(webhook, WebhookDelivery.client(webhook.authorities()), clock);
            case HandlerTarget.Mail mail -> new MailDelivery(mail, jobs, clock);
            case HandlerTarget.Program program -> new ProgramDelivery(handler.name(), program, ProgramUser.own());
        };
    }

    /** Stores events that cannot be delivered. */
    public interface DeadLetterSink {
        /** Returns after the event is stored. */
        void put(String reason) throws InterruptedException;
    }

    /** Returns after the handler accepted the event, or after the event was dead-lettered. */
    public void deliver(final HandlerEvent event, final DeadLetterSink deadLetters) throws InterruptedException {
        int failed = 0;
        while (true) {
            tracker.awaitResumed();
            switch (attempt(event)) {
                case DeliveryResult.Delivered delivered -> {
                    tracker.delivered(1);
                    return;
                }
                case DeliveryResult.Ignored ignored -> {
                    return;
                }
                case DeliveryResult.Rejected rejected -> {
                    deadLetter(rejected.reason(), deadLetters);
                    return;
                }
                case DeliveryResult.Gone gone -> {
                    pause(gone.reason());
                    failed = 0;
                }
                case DeliveryResult.Failed failure -> {
                    failed++;
                    tracker.failed(failure.reason());
                    if (failed < handler.retries().maxAttempts()) {
                        backOff(failed, failure);
                    } else if (handler.retries().onFailure() == OnFailure.PAUSE) {
                        pause("after " + failed + " attempts: " + failure.reason());
                        failed = 0;
                    } else {
                        deadLetter("after " + failed + " attempts: " + failure.reason(), deadLetters);
                        return;
                    }
                }
            }
        }
    }

    private DeliveryResult attempt(final HandlerEvent event) throws InterruptedException {
        try {
            return delivery.deliver(event);
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("handler", handler.name())
                    .log("delivery failed with an internal error");
            return new DeliveryResult.Failed("internal error: " + e);
        }
    }

    private void backOff(final int failed, final DeliveryResult.Failed failure) throws InterruptedException {
        final var pause = handler.retries().backoff(failed, failure.notBefore(), random.nextDouble());
        LOG.atDebug()
                .addKeyValue("handler", handler.name())
                .addKeyValue("attempts", failed)
                .addKeyValue("backoff", pause)
                .addKeyValue("reason", failure.reason())
                .log("delivery failed");
        tracker.pause(pause);
    }

    private void pause(final String reason) {
        LOG.atWarn()
                .addKeyValue("handler", handler.name())
                .addKeyValue("reason", reason)
                .log("handler paused");
        tracker.pause(reason);
    }

    /** Gives up an event. */
    public void deadLetter(final String reason, final DeadLetterSink deadLetters) throws InterruptedException {
        deadLetters.put(reason);
        tracker.deadLettered();
    }

    public Handler handler() {
        return handler;
    }

    public HandlerTracker tracker() {
        return tracker;
    }
}
