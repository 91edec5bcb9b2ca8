package io.millrace.submit.domain.job;

import org.jspecify.annotations.Nullable;

/**
 * The number of jobs in one state.
 *
 * @param state name of the global job's state
 * @param localState name of the local job's state; null if no local job is in a queue
 * @param hold kind of the hold, lower-case; null if there is none
 * @param exitCode of ended runs; null if there is none
 */
public record JobCount(
        String state,
        @Nullable String localState,
        @Nullable String hold,
        @Nullable Integer exitCode,
        long jobs) {}
