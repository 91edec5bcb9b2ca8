package io.millrace.model.job;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that must end before another one may be placed, in the terms of Slurm's {@code --dependency}.
 *
 * @param all whether every condition must hold; otherwise one is enough
 * @param conditions empty: none, which removes a dependency
 */
public record JobDependency(boolean all, List<Condition> conditions) {

    /** How the other job must have ended. */
    public enum End {
        /** Its run ended with exit code 0. Of a batch: that of every job. */
        OK,
        /** It ended in another way. Of a batch: at least one job, and all have ended. */
        NOT_OK,
        /** It ended. Of a batch: every job. */
        ANY;

        /** The word of Slurm and PBS. */
        public String word() {
            return switch (this) {
                case OK -> "afterok";
                case NOT_OK -> "afternotok";
                case ANY -> "afterany";
            };
        }
    }

    /** The condition on one job, or on a batch; the other is null. */
    public record Condition(
            End end, @Nullable GlobalJobId job, @Nullable BatchId batch) {

        public Condition {
            if ((job == null) == (batch == null)) {
                throw new IllegalArgumentException("a condition names either a job or a batch");
            }
        }

        public static Condition on(final GlobalJobId job, final End end) {
            return new Condition(end, job, null);
        }

        public static Condition on(final BatchId batch, final End end) {
            return new Condition(end, null, batch);
        }

        /** The id of the job or batch. */
        public String id() {
            return job != null ? job.value() : String.valueOf(batch);
        }

        @Override
        public String toString() {
            return end.word() + ":" + id();
        }
    }

    public JobDependency {
        conditions = List.copyOf(conditions);
    }

    public boolean isNone() {
        return conditions.isEmpty();
    }

    /** In the syntax of Slurm: {@code afterok:ID,afterany:ID}, or with question marks if one condition is enough. */
    @Override
    public String toString() {
        return conditions.stream().map(Condition::toString).collect(Collectors.joining(all ? "," : "?"));
    }
}
