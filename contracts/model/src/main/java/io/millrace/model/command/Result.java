package io.millrace.model.command;

import io.millrace.model.JobKey;
import io.millrace.model.VetoCode;
import java.util.List;
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
     * @param preempted the victims of a reclaim that left their cores, also those of its reserve; null otherwise
     */
    record Done(
            @Nullable JobKey job,
            String detail,
            @Nullable DryRunResult dryRun,
            @Nullable String tasks,
            @Nullable List<JobKey> preempted)
            implements Result {

        public Done {
            preempted = preempted == null ? null : List.copyOf(preempted);
        }

        public Done(final @Nullable JobKey job, final String detail) {
            this(job, detail, null, null, null);
        }

        public static Done dryRun(final String detail, final DryRunResult found) {
            return new Done(null, detail, found, null, null);
        }

        public static Done started(final String tasks, final String detail) {
            return new Done(null, detail, null, tasks, null);
        }

        /** @param tasks indices of the tasks of the beneficiary that started; null: it is not an array, or they were not named */
        public static Done preempted(final List<JobKey> victims, final @Nullable String tasks, final String detail) {
            return new Done(null, detail, null, tasks, victims);
        }
    }

    /** Not executed. */
    record Refused(Refusal refusal, String reason) implements Result {}

    /**
     * Tried without lasting effect; {@code reason} carries the error of the workload manager.
     *
     * @param code of a copy that found no room at its destination, or a job that fits on no nodes, from {@link io.millrace.model.VetoCode}; null: another failure
     * @param whileUnchanged the job and the nodes with which the same action cannot succeed, from
     *     {@code PlacementRequest.onNodes}; null: it may succeed at another time
     */
    record Failed(
            String reason, @Nullable String code, @Nullable String whileUnchanged) implements Result {

        public Failed(final String reason) {
            this(reason, null);
        }

        public Failed(final String reason, final @Nullable String code) {
            this(reason, code, null);
        }

        /** The job cannot start on these nodes, whatever is free. */
        public static Failed doesNotFit(final String reason, final String whileUnchanged) {
            return new Failed(reason, VetoCode.NO_SUITABLE_NODES.code(), whileUnchanged);
        }
    }

    /** It is unknown whether the command took effect; an operator or a fence resolves it. */
    record Unclear(String reason) implements Result {}
}
