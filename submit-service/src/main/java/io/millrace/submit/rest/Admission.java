package io.millrace.submit.rest;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.model.UserName;
import io.millrace.submit.config.LimitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.limits.FairQueue;
import io.millrace.submit.limits.Places;
import io.millrace.submit.limits.Rates;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * Admits the requests of each user: a few are processed at a time, more wait without a thread for their turn, and those beyond the user's rate or
 * queue are refused. So the requests of one user do not delay those of others.
 */
@ApplicationScoped
class Admission {

    private static final String STREAM = "/api/v1/events";
    private static final String SETTINGS = " (millrace.submit.limits.";
    private static final int BURST_S = 10;
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final int ALL_STREAMS = 1_000;

    private final LimitSettings limits;
    private final FairQueue<UserName> requests;
    private final Places<UserName> streams;
    private final Rates<UserName> rates;
    private final Rates<String> unauthenticated;
    private final MeterRegistry meters;

    Admission(final LimitSettings limits, final MeterRegistry meters) {
        this.limits = limits;
        this.meters = meters;
        this.requests = new FairQueue<>(limits.requestsAtOnce(), limits.requestsQueued());
        this.streams = new Places<>(limits.streams(), ALL_STREAMS);
        this.rates = perSecond(limits.requestsPerSecond());
        this.unauthenticated = perSecond(limits.unauthenticatedPerSecond());
    }

    private static <K> Rates<K> perSecond(final int units) {
        return new Rates<>(units, Duration.ofSeconds(1), (long) units * BURST_S, System::nanoTime);
    }

    /** Must be called before anything waits, so that the end of the request is noticed. */
    Turn turn(final RoutingContext context) {
        final Turn turn = new Turn(context.normalizedPath());
        context.addEndHandler(ended -> turn.end());
        return turn;
    }

    /** The place that one request takes, until it ends. */
    final class Turn {

        private enum State {
            NEW,
            QUEUED,
            RUNNING,
            STREAMING,
            ENDED
        }

        private final String path;
        private UserName user = UserName.of("unknown");
        private State state = State.NEW;

        private Turn(final String path) {
            this.path = path;
        }

        /** Completes when the request may be processed; fails if it is refused. */
        Uni<Void> of(final UserName caller) {
            user = caller;
            final Duration wait = rates.use(caller, 1);
            if (!wait.isZero()) {
                return refused("requests-per-second", limits.requestsPerSecond() + " requests per second", wait);
            }
            return path.equals(STREAM) ? stream() : queued();
        }

        private Uni<Void> stream() {
            if (!streams.enter(user)) {
                return refused("streams", limits.streams() + " open event streams", SOON);
            }
            if (!become(State.STREAMING)) {
                streams.leave(user);
            }
            return Uni.createFrom().voidItem();
        }

        private Uni<Void> queued() {
            return Uni.createFrom().emitter(emitter -> {
                become(State.QUEUED);
                final boolean entered = requests.enter(user, () -> {
                    if (become(State.RUNNING)) {
                        emitter.complete(null);
                    } else {
                        requests.left(user);
                    }
                });
                if (!entered) {
                    emitter.fail(refusal("requests-queued", limits.requestsQueued() + " waiting requests", SOON));
                }
            });
        }

        private Uni<Void> refused(final String limit, final String figure, final Duration wait) {
            return Uni.createFrom().failure(refusal(limit, figure, wait));
        }

        private RequestRefused refusal(final String limit, final String figure, final Duration wait) {
            meters.counter("millrace.requests.refused", "limit", limit).increment();
            return RequestRefused.tooMany(
                    "user '" + user + "' has reached the limit of " + figure + SETTINGS + limit
                            + "); send fewer requests at a time, and retry later",
                    wait);
        }

        /** Whether the request has not ended meanwhile. */
        private synchronized boolean become(final State next) {
            if (state == State.ENDED) {
                return false;
            }
            state = next;
            return true;
        }

        private void end() {
            final State before;
            synchronized (this) {
                before = state;
                state = State.ENDED;
            }
            if (before == State.RUNNING) {
                requests.left(user);
            } else if (before == State.STREAMING) {
                streams.leave(user);
            }
        }
    }

    /** The answer to a request without a valid token. A valid token is never refused because of others from the same address. */
    RequestRefused unauthenticated(final String address, final RequestRefused reason) {
        final Duration wait = unauthenticated.use(address, 1);
        if (wait.isZero()) {
            return reason;
        }
        meters.counter("millrace.requests.refused", "limit", "unauthenticated-per-second")
                .increment();
        return RequestRefused.tooMany(
                "address " + address + " has reached the limit of " + limits.unauthenticatedPerSecond()
                        + " requests per second without a valid token" + SETTINGS
                        + "unauthenticated-per-second); get a token with mglogin",
                wait);
    }
}
