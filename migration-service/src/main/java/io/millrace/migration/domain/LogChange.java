package io.millrace.migration.domain;

import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;

/** A change that migration-service writes to the log. */
public sealed interface LogChange {

    /** A global job, command, request or plan. */
    record Publish(Event event) implements LogChange {}

    /** Removes the plan of a job that no longer waits for anything. */
    record WithdrawPlan(GlobalJobId job) implements LogChange {}
}
