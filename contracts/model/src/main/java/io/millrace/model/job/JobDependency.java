package io.millrace.model.job;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that must end or start before another one may be placed, in the terms of Slurm's {@code --dependency}.
 *
 * @param all whether every condition must hold; otherwise one is enough
 * @param conditions empty: none, which removes a dependency
 */
public record JobDependency(boolean all, List<Condition> conditions) {

    /** What the job waits for. */
    public enum End {
        /** Its run ended with exit code 0. Of a batch: that of every job. */
        OK,
        /** It ended in another way. Of a batch: at least one job, and all have ended. */
        NOT_OK,
        /** It ended. Of a batch: every job. */
        ANY,
        /** Its run has started, or it ended without one. Not of a batch. */
        STARTED,
        /** No other job of the same name and owner is placed, and none that was submitted before waits. Names no job. */
        SINGLETON;

        /** The word of Slurm and PBS. */
        public String word() {
            return switch (this) {
                case OK -> "afterok";
                case NOT_OK -> "afternotok";
                case ANY -> "afterany";
                case STARTED -> "after";
                case SINGLETON -> "singleton";
            };
        }
    }

    /** The condition on one job, or on a batch; the other is null. Both are null for {@link End#SINGLETON}. */
    public record Condition(
            End end, @Nullable GlobalJobId job, @Nullable BatchId batch) {

        public Condition {
            if (end == End.SINGLETON ? job != null || batch != null : (job == null) == (batch == null)) {
                throw new IllegalArgumentException("a condition names either a job or a batch, and singleton neither");
            }
            if (end == End.STARTED && batch != null) {
                throw new IllegalArgumentException("'after' names a job, not a batch; name one of its jobs");
            }
        }

        public static Condition on(final GlobalJobId job, final End end) {
            return new Condition(end, job, null);
        }

        public static Condition on(final BatchId batch, final End end) {
            return new Condition(end, null, batch);
        }

        public static Condition singleton() {
            return new Condition(End.SINGLETON, null, null);
        }

        /** The id of the job or batch; empty if the condition names none. */
        public String id() {
            return job != null ? job.value() : batch != null ? batch.value() : "";
        }

        @Override
        public String toString() {
            return end == End.SINGLETON ? end.word() : end.word() + ":" + id();
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
        return text(Condition::id);
    }

    /** @param name of the job or batch of a condition */
    public String text(final Function<Condition, String> name) {
        return conditions.stream()
                .map(one ->
                        one.end() == End.SINGLETON ? one.toString() : one.end().word() + ":" + name.apply(one))
                .collect(Collectors.joining(all ? "," : "?"));
    }
}
