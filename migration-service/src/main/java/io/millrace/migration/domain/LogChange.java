package io.millrace.migration.domain;

import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;

/** What migration says. */
public sealed interface LogChange {

    /** A global job, command, request or plan. */
    record Publish(Event event) implements LogChange {}

    /** Nothing stands in this job's way any more: its plan is withdrawn. */
    record WithdrawPlan(GlobalJobId job) implements LogChange {}
}
