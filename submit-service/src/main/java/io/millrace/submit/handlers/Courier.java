package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.Letter;
import io.millrace.submit.domain.handler.Retries;
import io.millrace.submit.domain.handler.Retries.AfterLastTry;
import io.millrace.submit.domain.handler.Target;
import io.millrace.submit.domain.handler.Verdict;
import java.time.Clock;
import java.util.random.RandomGenerator;
import org.jboss.logging.Logger;

/** Brings letters to one handler: tries, waits, tries again, and at last puts aside or pauses. */
public final class Courier {

    private static final Logger LOG = Logger.getLogger(Courier.class);

    private final Handler handler;
    private final Delivery delivery;
    private final HandlerLife life;
    private final RandomGenerator chance;

    Courier(final Handler handler, final Delivery delivery, final HandlerLife life, final RandomGenerator chance) {
        this.handler = handler;
        this.delivery = delivery;
        this.life = life;
        this.chance = chance;
    }

    /** @throws IllegalArgumentException if the handler cannot be reached as its file says; names it */
    public static Courier to(final Handler handler, final Clock clock, final RandomGenerator chance) {
        try {
            return new Courier(handler, delivery(handler, clock), new HandlerLife(handler, clock), chance);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("handler '" + handler.name() + "': " + e.getMessage(), e);
        }
    }

    private static Delivery delivery(final Handler handler, final Clock clock) {
        return switch (handler.target()) {
            case Target.Webhook webhook ->
                new PostToWebhook(webhook, PostToWebhook.client(webhook.authorities()), clock);
            case Target.Program program -> new RunProgram(handler.name(), program, System.getProperty("user.name"));
        };
    }

    /** Where a letter goes that cannot be delivered. */
    public interface Aside {
        /** Returns when it lies there safely. */
        void put(String because) throws InterruptedException;
    }

    /** Returns when the handler has the letter, or it is put aside. */
    public void deliver(final Letter letter, final Aside aside) throws InterruptedException {
        int failed = 0;
        while (true) {
            life.awaitOpen();
            switch (attempt(letter)) {
                case Verdict.Taken taken -> {
                    life.taken(1);
                    return;
                }
                case Verdict.Rejected rejected -> {
                    putAside(rejected.because(), aside);
                    return;
                }
                case Verdict.Gone gone -> {
                    pause(gone.because());
                    failed = 0;
                }
                case Verdict.Failed why -> {
                    failed++;
                    life.failed(why.because());
                    if (failed < handler.retries().tries()) {
                        waitFor(failed, why, handler.retries());
                    } else if (handler.retries().after() == AfterLastTry.PAUSE) {
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

    private Verdict attempt(final Letter letter) throws InterruptedException {
        try {
            return delivery.deliver(letter);
        } catch (RuntimeException e) {
            LOG.warnf(e, "a delivery failed by a mistake of ours: handler=%s", handler.name());
            return new Verdict.Failed("a mistake of ours: " + e);
        }
    }

    private void waitFor(final int failed, final Verdict.Failed why, final Retries retries)
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

    public HandlerLife life() {
        return life;
    }
}
