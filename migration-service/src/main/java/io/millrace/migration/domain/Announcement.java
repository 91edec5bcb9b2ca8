package io.millrace.migration.domain;

import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;

/** What migration says. */
public sealed interface Announcement {

    /** A global job, command, request or plan. */
    record Say(Event event) implements Announcement {}

    /** Nothing stands in this job's way any more: its plan is withdrawn. */
    record PlanOver(GlobalJobId job) implements Announcement {}
}
