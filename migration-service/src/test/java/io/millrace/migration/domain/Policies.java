package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import java.util.List;

/** Policies for tests. */
public final class Policies {

    private Policies() {}

    /** The defaults, with this performance order. */
    public static MigrationPolicy fast(final ClusterId... order) {
        final MigrationPolicy d = MigrationPolicy.DEFAULT;
        return new MigrationPolicy(
                List.of(order),
                d.queueAfter(),
                d.unavailableAfter(),
                d.maxTries(),
                d.maxAttempts(),
                d.initialBackoff(),
                d.maxBackoff(),
                d.commandValidity(),
                d.planInterval());
    }
}
