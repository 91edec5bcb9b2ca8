package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import java.util.List;

/** Policies for tests. */
final class Policies {

    private Policies() {}

    /** The defaults, with this performance order. */
    static Policy fast(final ClusterId... order) {
        final Policy d = Policy.DEFAULT;
        return new Policy(
                List.of(order),
                d.queueAfter(),
                d.silentAfter(),
                d.maxTries(),
                d.maxAttempts(),
                d.retryAfter(),
                d.retryAtMost(),
                d.validity(),
                d.planInterval());
    }
}
