package io.millrace.agent.wlm;

import io.millrace.model.JobId;
import io.millrace.model.PartitionName;
import java.util.function.Supplier;

/**
 * The start of a pending job in another partition by two commands: one moves the job, the other starts it. After an interruption between the
 * two, the job is pending in the other partition, with the same hold as before.
 *
 * @param from the partition in which the job is pending
 * @param to the partition in which it is to start
 */
public record Relocation(JobId job, PartitionName from, PartitionName to) {

    /** Moves and starts the job. If it cannot start there, it is moved back. */
    public Answer<Accepted> execute(
            final Supplier<Answer<Accepted>> move,
            final Supplier<Answer<Accepted>> start,
            final Supplier<Answer<Accepted>> back) {
        return switch (move.get()) {
            case Answer.Trouble<Accepted> refused -> refused.kind().isDefinite() ? waitsAsBefore(refused) : refused;
            case Answer.Ok<Accepted> moved ->
                switch (start.get()) {
                    case Answer.Ok<Accepted> started ->
                        Answer.ok(new Accepted(job + " started in partition " + to + " instead of " + from + ": "
                                + started.value().detail()));
                    case Answer.Trouble<Accepted> trouble ->
                        trouble.kind().isDefinite() ? back(trouble, back.get()) : trouble;
                };
        };
    }

    private Answer<Accepted> back(final Answer.Trouble<Accepted> failure, final Answer<Accepted> back) {
        return switch (back) {
            case Answer.Ok<Accepted> ok -> waitsAsBefore(failure);
            case Answer.Trouble<Accepted> stays ->
                Answer.trouble(
                        failure.kind(),
                        "partition " + to + " does not start job " + job + ", which waits there now: "
                                + failure.reason() + "; it could not be moved back to " + from + ": "
                                + stays.reason());
        };
    }

    private Answer<Accepted> waitsAsBefore(final Answer.Trouble<Accepted> failure) {
        return Answer.trouble(
                failure.kind(),
                "partition " + to + " does not start job " + job + ", which waits in partition " + from + " as before: "
                        + failure.reason());
    }
}
