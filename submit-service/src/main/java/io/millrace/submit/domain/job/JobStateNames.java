package io.millrace.submit.domain.job;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of job states in the API. */
public final class JobStateNames {

    /** The states of a local job that waits for resources. */
    public static final Set<String> WAITING = Set.of("queued", "held", "suspended");

    /** The states of a global job that has not ended. */
    public static final Set<String> ACTIVE = Set.of("Waiting", "Uploading", "Making", "Submitted", "Downloading");

    /** The states of a global job that has ended. */
    public static final Set<String> FINAL = Set.of("End", "Aborted", "Stopped");

    /** What else a list can be filtered by. {@code queued} and {@code held} tell apart what waits for resources and what waits for a user. */
    public static final Set<String> CONDITIONS =
            Set.of("held", "queued", "running", "suspended", "succeeded", "failed");

    /** All words that filter a list by state. */
    public static final Set<String> FILTERS =
            Stream.of(ACTIVE, FINAL, CONDITIONS).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());

    /** The words that select only jobs that have ended. */
    static final Set<String> ENDED = Set.of("End", "Aborted", "Stopped", "succeeded", "failed");

    private JobStateNames() {}
}
