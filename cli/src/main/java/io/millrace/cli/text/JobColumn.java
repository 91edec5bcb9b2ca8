package io.millrace.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.job.JobNumber;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The columns of a table of jobs. In {@code --format} and {@code --sort} a column is named by its heading, in any case. */
public enum JobColumn {
    /** The number. */
    ID,
    ULID,
    BATCH,
    INDEX,
    NAME,
    USER,
    PROJECT,
    STATE,
    STAGE,
    CLUSTER,
    LOCALID,
    PARTITION,
    CORES,
    NODES,
    GPUS,
    MEMORY,
    WALLTIME,
    SUBMITTED,
    START,
    END,
    ELAPSED,
    LEFT,
    PREEMPTED,
    EXIT,
    PRIORITY,
    DIRECTORY,
    REASON;

    /** Without a format, on a wide terminal or in a pipe. */
    public static final List<JobColumn> WIDE =
            List.of(ID, NAME, USER, STATE, CLUSTER, CORES, START, ELAPSED, LEFT, EXIT, REASON);

    /** Without a format, on a terminal where the wide table does not fit. */
    public static final List<JobColumn> NARROW = List.of(ID, NAME, STATE, CLUSTER, CORES, START, LEFT, REASON);

    private static final String NONE = "-";

    /** @throws IllegalArgumentException with a message for the user */
    public static JobColumn of(final String name) {
        final String upper = name.strip().toUpperCase(Locale.ROOT);
        for (final JobColumn column : values()) {
            if (column.name().equals(upper)) {
                return column;
            }
        }
        final List<String> all = new ArrayList<>();
        for (final JobColumn column : values()) {
            all.add(column.name().toLowerCase(Locale.ROOT));
        }
        throw new IllegalArgumentException(
                "'" + name.strip() + "' is not a column; use one of " + String.join(", ", all));
    }

    Table.Column column() {
        return new Table.Column(name(), isNumber(), this == NAME || this == REASON);
    }

    private boolean isNumber() {
        return switch (this) {
            case INDEX, CORES, NODES, GPUS, MEMORY, WALLTIME, ELAPSED, LEFT, PREEMPTED, EXIT, PRIORITY -> true;
            default -> false;
        };
    }

    String text(final JsonNode job, final Instant now) {
        return text(job, now, false);
    }

    /** @param brief for narrow tables: times without the date of today or without seconds */
    String text(final JsonNode job, final Instant now, final boolean brief) {
        return isOfOneJob() && job.has("tasks") ? NONE : ofJob(job, now, brief);
    }

    /** Whether jobs of a batch differ in it. */
    private boolean isOfOneJob() {
        return switch (this) {
            case ULID, INDEX, STAGE, CLUSTER, LOCALID, START, END, ELAPSED, LEFT, PREEMPTED, EXIT -> true;
            default -> false;
        };
    }

    private String ofJob(final JsonNode job, final Instant now, final boolean brief) {
        return switch (this) {
            case ID -> job.path("number").asText() + tasks(job.path("tasks"));
            case ULID -> job.path("id").asText();
            case BATCH -> job.hasNonNull("batch") ? job.path("number").asText().replaceFirst("_.*", "") : NONE;
            case INDEX -> job.path("index").asText(NONE);
            case REASON -> reason(job);
            case NAME, USER, STAGE, CORES, DIRECTORY ->
                job.path(name().toLowerCase(Locale.ROOT)).asText();
            case PROJECT, CLUSTER, PARTITION ->
                job.path(name().toLowerCase(Locale.ROOT)).asText(NONE);
            case NODES, GPUS ->
                positive(job.path(name().toLowerCase(Locale.ROOT)).asLong());
            case MEMORY -> positive(job.path("memoryMib").asLong());
            case STATE -> JobTable.state(job);
            case LOCALID -> localId(job);
            case WALLTIME -> WalltimeFormat.format(job.path("walltime").asText());
            case SUBMITTED -> time(job.path("submittedAt"), now, brief);
            case START ->
                job.hasNonNull("startedAt") || !job.hasNonNull("predictedStart")
                        ? time(job.path("startedAt"), now, brief)
                        : "~" + time(job.path("predictedStart"), now, brief);
            case END -> time(job.path("endedAt"), now, brief);
            case ELAPSED, LEFT -> {
                final Duration duration = duration(job, now);
                yield duration == null ? NONE : WalltimeFormat.format(duration);
            }
            case PREEMPTED -> Integer.toString(job.path("preemptions").asInt());
            case EXIT -> job.path("outcome").path("exitCode").asText(NONE);
            case PRIORITY -> job.path("priority").asText("0");
        };
    }

    /** Orders jobs by this column: durations and numbers by value, everything else as text. */
    public Comparator<JsonNode> order(final Instant now) {
        return (one, other) -> {
            final int byNumber = Long.compare(number(one, now), number(other, now));
            return byNumber != 0 || isNumber() ? byNumber : text(one, now).compareTo(text(other, now));
        };
    }

    private long number(final JsonNode job, final Instant now) {
        return switch (this) {
            case INDEX, CORES, NODES, GPUS, PRIORITY ->
                job.path(name().toLowerCase(Locale.ROOT)).asLong();
            case ID ->
                JobNumber.of(job.path("number").asText())
                        .map(number -> number.value() << 24 | (number.task() == null ? 0 : number.task()))
                        .orElse(0L);
            case MEMORY -> job.path("memoryMib").asLong();
            case WALLTIME -> Duration.parse(job.path("walltime").asText("PT0S")).toSeconds();
            case PREEMPTED -> job.path("preemptions").asLong();
            case EXIT -> job.path("outcome").path("exitCode").asLong(-1);
            case ELAPSED, LEFT -> {
                final Duration duration = duration(job, now);
                yield duration == null ? -1 : duration.toSeconds();
            }
            default -> 0;
        };
    }

    /** The elapsed time of the run or the time left until its limit; null if there is none. */
    private @Nullable Duration duration(final JsonNode job, final Instant now) {
        if (!job.hasNonNull("startedAt") || this == LEFT && job.hasNonNull("endedAt")) {
            return null;
        }
        final Instant start = Instant.parse(job.path("startedAt").asText());
        final Instant end =
                job.hasNonNull("endedAt") ? Instant.parse(job.path("endedAt").asText()) : now;
        final Duration elapsed = Duration.between(start, end.isBefore(start) ? start : end);
        if (this == ELAPSED) {
            return elapsed;
        }
        final Duration left = Duration.parse(job.path("walltime").asText()).minus(elapsed);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The indices of a batch in one line. Without a range if jobs in between are not selected, so that no command takes it for one. */
    private static String tasks(final JsonNode tasks) {
        if (tasks.isMissingNode()) {
            return "";
        }
        final long first = tasks.path("first").asLong();
        final long last = tasks.path("last").asLong();
        final String range = tasks.path("jobs").asLong() == last - first + 1 ? first + "-" + last : "...";
        return "_[" + range
                + (tasks.has("maxConcurrent")
                        ? "%" + tasks.path("maxConcurrent").asLong()
                        : "") + "]";
    }

    /** In a few words; {@code --why} and {@code --json} have sentences. Nothing for a job that does what it should. */
    private static String reason(final JsonNode job) {
        if (job.hasNonNull("obstacle")) {
            return job.path("obstacle").asText().replace('-', ' ');
        }
        return switch (job.path("state").asText()) {
            case "queued", "preempted", "running", "suspended", "uploading", "making", "downloading", "succeeded" ->
                NONE;
            default -> job.path("reason").asText();
        };
    }

    private static String positive(final long number) {
        return number > 0 ? Long.toString(number) : NONE;
    }

    /** The id that the cluster gave to the job, with the cluster, without the submission time that makes reused ids unique. */
    private static String localId(final JsonNode job) {
        final String key = job.path("localJob").asText(NONE);
        final int at = key.lastIndexOf('@');
        return at < 0 ? key : key.substring(0, at);
    }

    private static String time(final JsonNode time, final Instant now, final boolean brief) {
        if (!time.isTextual()) {
            return NONE;
        }
        return brief ? LocalTimes.brief(time.asText(), now) : LocalTimes.of(time.asText());
    }
}
