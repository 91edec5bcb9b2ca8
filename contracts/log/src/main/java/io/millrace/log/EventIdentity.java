package io.millrace.log;

import io.millrace.model.Event;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.protocol.EventType;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import java.time.Instant;

/** The attribute {@code id}: with {@code source} it names an event, so that an event written twice keeps its identity. */
final class EventIdentity {

    private EventIdentity() {}

    /** From the event's own identity where it has one; else key and time of writing. */
    static String of(final Event event, final Instant time) {
        if (event instanceof Command command) {
            return command.id().value();
        }
        if (event instanceof Outcome outcome) {
            return outcome.command() + "/" + ModelTypes.kind(outcome.result().getClass());
        }
        if (event instanceof RevisionClosed closed) {
            return closed.key() + "/" + closed.revision();
        }
        if (event instanceof RunEnded end) {
            return end.job() + "/" + end.run();
        }
        if (event instanceof LedgerEntry entry) {
            return "booked/" + entry.key();
        }
        if (event instanceof LedgerClosed closed) {
            return "closed/" + closed.key();
        }
        if (event instanceof JobSubmitted submitted) {
            return submitted.job().value();
        }
        if (event instanceof GlobalJob job) {
            return job.id() + "/" + job.version();
        }
        if (event instanceof Quota quota) {
            return quota.key() + "/" + quota.version();
        }
        if (event instanceof QuotaGroup group) {
            return group.key() + "/" + group.version();
        }
        if (event instanceof BudgetSet budget) {
            return budget.key() + "/" + budget.version();
        }
        if (event instanceof PriorityRulesSet priority) {
            return priority.key() + "/" + priority.version();
        }
        if (event instanceof ClassModelSet model) {
            return model.key() + "/" + model.version();
        }
        return EventType.of(event).name() + "/" + event.key() + "/" + time;
    }
}
