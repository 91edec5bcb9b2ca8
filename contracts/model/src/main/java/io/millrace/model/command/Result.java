package io.millrace.model.command;

import io.millrace.model.JobKey;
import org.jspecify.annotations.Nullable;

/** The answer to a command. */
public sealed interface Result {

    /** The agent is about to act. */
    record Begun() implements Result {}

    /**
     * The command took effect.
     *
     * @param job the local job, for a submit and for a checkpoint that gave it a new id; null otherwise
     * @param detail figures for people and for the next decision, e.g. {@code 12 files, 3.1 MiB, sha256 …}
     * @param dryRun what a dry run found; null otherwise
     * @param tasks indices of the array tasks that started, as ranges, if the command named tasks; the detail says why others did not
     */
    record Done(
            @Nullable JobKey job,
            String detail,
            @Nullable DryRunResult dryRun,
            @Nullable String tasks) implements Result {
        public Done(final @Nullable JobKey job, final String detail) {
            this(job, detail, null, null);
        }

        public Done(final @Nullable JobKey job, final String detail, final @Nullable DryRunResult dryRun) {
            this(job, detail, dryRun, null);
        }
    }

    /** Not executed. */
    record Refused(Refusal refusal, String reason) implements Result {}

    /** Tried without lasting effect; {@code reason} carries the error of the workload manager. */
    record Failed(String reason) implements Result {}

    /** It is unknown whether the command took effect; an operator or a fence resolves it. */
    record Unclear(String reason) implements Result {}
}
