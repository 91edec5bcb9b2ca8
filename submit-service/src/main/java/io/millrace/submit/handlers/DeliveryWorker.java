package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.DeliveryRetries;
import io.millrace.submit.domain.handler.DeliveryRetries.OnFailure;
import io.millrace.submit.domain.handler.HandlerTarget;
import io.millrace.submit.domain.handler.DeliveryResult;
import java.time.Clock;
import java.util.random.RandomGenerator;
import org.jboss.logging.Logger;

/** Brings letters to one handler: tries, waits, tries again, and at last puts aside or pauses. */
public final class DeliveryWorker {

    private static final Logger LOG = Logger.getLogger(DeliveryWorker.class);

    private final Handler handler;
    private final Delivery delivery;
    private final HandlerTracker life;
    private final RandomGenerator chance;

    DeliveryWorker(final Handler handler, final Delivery delivery, final HandlerTracker life, final RandomGenerator chance) {
        this.handler = handler;
        this.delivery = delivery;
        this.life = life;
        this.chance = chance;
    }

    /** @throws IllegalArgumentException if the handler cannot be reached as its file says; names it */
    public static DeliveryWorker to(final Handler handler, final Clock clock, final RandomGenerator chance) {
        try {
            return new DeliveryWorker(handler, delivery(handler, clock), new HandlerTracker(handler, clock), chance);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("handler '" + handler.name() + "': " + e.getMessage(), e);
        }
    }

    private static Delivery delivery(final Handler handler, final Clock clock) {
        return switch (handler.target()) {
            case HandlerTarget.Webhook webhook ->
                new WebhookDelivery(webhook, WebhookDelivery.client(webhook.authorities()), clock);
            case HandlerTarget.Program program -> new ProgramDelivery(handler.name(), program, System.getProperty("user.name"));
        };
    }

    /** Where a letter goes that cannot be delivered. */
    public interface Aside {
        /** Returns when it lies there safely. */
        void put(String because) throws InterruptedException;
    }

    /** Returns when the handler has the letter, or it is put aside. */
    public void deliver(final HandlerEvent letter, final Aside aside) throws InterruptedException {
        int failed = 0;
        while (true) {
            life.awaitOpen();
            switch (attempt(letter)) {
                case DeliveryResult.Delivered taken -> {
                    life.taken(1);
                    return;
                }
                case DeliveryResult.Rejected rejected -> {
                    putAside(rejected.because(), aside);
                    return;
                }
                case DeliveryResult.Gone gone -> {
                    pause(gone.because());
                    failed = 0;
                }
                case DeliveryResult.Failed why -> {
                    failed++;
                    life.failed(why.because());
                    if (failed < handler.retries().tries()) {
                        waitFor(failed, why, handler.retries());
                    } else if (handler.retries().after() == OnFailure.PAUSE) {
                        pause("after " + failed + " tries: " + why.because());
                        failed = 0;
                    } else {
                        putAside("after " + failed + " tries: " + why.because(), aside);
                        return;
                    }
                }
            }
        }
    }

    private DeliveryResult attempt(final HandlerEvent letter) throws InterruptedException {
        try {
            return delivery.deliver(letter);
        } catch (RuntimeException e) {
            LOG.warnf(e, "a delivery failed by a mistake of ours: handler=%s", handler.name());
            return new DeliveryResult.Failed("a mistake of ours: " + e);
        }
    }

    private void waitFor(final int failed, final DeliveryResult.Failed why, final DeliveryRetries retries)
            throws InterruptedException {
        final var pause = retries.pause(failed, why.notBefore(), chance.nextDouble());
        LOG.debugf(
                "a delivery failed: handler=%s tries=%d pause=%s reason=%s",
                handler.name(), failed, pause, why.because());
        life.pause(pause);
    }

    private void pause(final String because) {
        LOG.warnf("paused, its place is kept: handler=%s reason=%s", handler.name(), because);
        life.pause(because);
    }

    private void putAside(final String because, final Aside aside) throws InterruptedException {
        aside.put(because);
        life.putAside();
    }

    public Handler handler() {
        return handler;
    }

    public HandlerTracker life() {
        return life;
    }
}
