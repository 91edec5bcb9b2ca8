package io.millrace.model.command;

import io.millrace.model.JobKey;
import org.jspecify.annotations.Nullable;

/** The answer to a command. */
public sealed interface Result {

    /** About to act; says nothing of success. */
    record Begun() implements Result {}

    /**
     * It has happened.
     *
     * @param job the local job, for a submit and for a checkpoint that gave it a new id; null otherwise
     * @param detail figures for people and for the next decision, e.g. {@code 12 files, 3.1 MiB, sha256 …}
     * @param dryRun what a dry run found; null otherwise
     */
    record Done(
            @Nullable JobKey job, String detail, @Nullable DryRunResult dryRun) implements Result {
        public Done(final @Nullable JobKey job, final String detail) {
            this(job, detail, null);
        }
    }

    /** Not begun, and it has had no effect. */
    record Refused(Refusal refusal, String reason) implements Result {}

    /** Tried, without (lasting) effect; {@code because} carries what the workload manager said. */
    record Failed(String reason) implements Result {}

    /** Begun, and it cannot be told whether it took effect: for a person or a fence. */
    record Unclear(String reason) implements Result {}
}
