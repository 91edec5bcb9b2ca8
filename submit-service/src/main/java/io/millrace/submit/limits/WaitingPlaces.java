package io.millrace.submit.limits;

import io.millrace.model.UserName;
import io.millrace.submit.config.LimitSettings;
import io.millrace.submit.domain.RequestRefused;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.function.Supplier;

/** Places for requests that wait for the read model or for agents. They hold a thread, so each user has few of them. */
@ApplicationScoped
public class WaitingPlaces {

    private static final int USERS = 2;
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final Places<UserName> places;
    private final int each;

    WaitingPlaces(final LimitSettings limits) {
        this.each = limits.waitingAtOnce();
        this.places = new Places<>(each, USERS * each);
    }

    /** @throws RequestRefused if the user, or all users together, have as many waiting requests as are allowed */
    public <T> T waiting(final UserName user, final Supplier<T> work) {
        if (!places.enter(user)) {
            throw RequestRefused.tooMany(
                    "user '" + user + "' has " + each + " waiting requests, or all users together have " + USERS * each
                            + " (millrace.submit.limits.waiting-at-once); wait for the answer to one of them, and retry",
                    RETRY);
        }
        try {
            return work.get();
        } finally {
            places.leave(user);
        }
    }
}
