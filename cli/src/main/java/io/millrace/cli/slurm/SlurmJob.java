package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.text.TerminalText;
import io.millrace.script.StandardStreams;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A job as Slurm describes it.
 *
 * @param view the job as the API shows it
 * @param tasks the waiting tasks of the array that this line stands for, such as {@code 1-10,12}; null for one job
 */
record SlurmJob(JsonNode view, @Nullable String tasks, Instant now) {

    private static final int SIGNAL_BASE = 128;

    SlurmState state() {
        return SlurmState.of(view);
    }

    String text(final String field) {
        return TerminalText.printable(view.path(field).asText());
    }

    /** {@code 4711}, {@code 4711_4} or {@code 4711_[1-10]}. */
    String id() {
        return tasks == null ? text("number") : array() + "_[" + tasks + "]";
    }

    /** The number of the batch or of the job. */
    String array() {
        return text("number").replaceFirst("_.*", "");
    }

    /** Why it waits or how it ended, in a word. */
    String reason() {
        return switch (state()) {
            case PENDING -> waitsFor();
            case TIMEOUT -> "TimeLimit";
            case OUT_OF_MEMORY -> "OutOfMemory";
            case NODE_FAIL -> "NodeDown";
            case FAILED -> view.path("outcome").hasNonNull("exitCode") ? "NonZeroExitCode" : "JobLaunchFailure";
            default -> "None";
        };
    }

    private String waitsFor() {
        final String code = view.path("obstacle").asText();
        return switch (code) {
            case "" ->
                switch (text("hold")) {
                    case "user" -> "JobHeldUser";
                    case "operator" -> "JobHeldAdmin";
                    default -> "None";
                };
            case "held-by-user" -> "JobHeldUser";
            case "held-by-operator" -> "JobHeldAdmin";
            case "no-idle-cores", "partition-full", "no-suitable-nodes", "not-enough-cores-up" -> "Resources";
            case "would-delay-reservation", "behind-older-jobs", "home-jobs-first", "displaced" -> "Priority";
            case "licences-in-use" -> "Licenses";
            case "advance-reservation" -> "Reservation";
            case "array-limit" -> "JobArrayTaskLimit";
            case "partition-closed" -> "PartitionDown";
            case "exceeds-walltime-limit" -> "PartitionTimeLimit";
            case "held-by-quota" -> "AssocGrpCpuLimit";
            default -> camelCase(code);
        };
    }

    /** {@code dependency-never-satisfied} as {@code DependencyNeverSatisfied}. */
    private static String camelCase(final String code) {
        final StringBuilder words = new StringBuilder();
        for (final String word : code.split("-")) {
            words.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return words.toString();
    }

    /** The start of the run; of a waiting job the predicted one. */
    @Nullable
    Instant start() {
        final Instant started = time("startedAt");
        return started != null || state() != SlurmState.PENDING ? started : time("predictedStart");
    }

    /** The end of the job; of a running job its limit. */
    @Nullable
    Instant end() {
        final Instant ended = time("endedAt");
        final Instant started = time("startedAt");
        if (ended != null || state().isFinished()) {
            return ended;
        }
        return started == null ? null : started.plus(limit());
    }

    @Nullable
    Instant time(final String field) {
        return view.hasNonNull(field) ? Instant.parse(view.path(field).asText()) : null;
    }

    Duration elapsed() {
        final Instant started = time("startedAt");
        if (started == null || state() == SlurmState.PENDING) {
            return Duration.ZERO;
        }
        final Instant ended = time("endedAt");
        final Duration elapsed = Duration.between(started, ended == null ? now : ended);
        return elapsed.isNegative() ? Duration.ZERO : Duration.ofSeconds(elapsed.toSeconds());
    }

    Duration limit() {
        return view.hasNonNull("walltime")
                ? Duration.parse(view.path("walltime").asText())
                : Duration.ZERO;
    }

    Duration left() {
        final Duration left = limit().minus(elapsed());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The exit code and the signal that ended it, such as {@code 1:0}. */
    String exit() {
        final int code = view.path("outcome").path("exitCode").asInt();
        return view.path("outcome").path("kind").asText().equals("signalled") && code > SIGNAL_BASE
                ? "0:" + (code - SIGNAL_BASE)
                : switch (state()) {
                    case FAILED -> (code == 0 ? 1 : code) + ":0";
                    case OUT_OF_MEMORY -> "0:125";
                    case NODE_FAIL -> "1:0";
                    case CANCELLED -> "0:15";
                    default -> code + ":0";
                };
    }

    int nodes() {
        return Math.max(1, view.path("nodes").asInt());
    }

    String standardOutput() {
        return stream(StandardStreams.OUTPUT, "millrace-%j.out");
    }

    String standardError() {
        final String error = stream(StandardStreams.ERROR, "");
        return error.isEmpty() ? standardOutput() : error;
    }

    /** Only a single job has the variables that name its files. */
    private String stream(final String variable, final String otherwise) {
        final String pattern = view.path("environment").path(variable).asText(otherwise);
        final String name = TerminalText.printable(pattern.replaceAll("%[jJ]", id())
                .replace("%A", array())
                .replaceAll("%[aI]", text("index"))
                .replace("%x", text("name"))
                .replace("%u", text("user"))
                .replace("%N", text("cluster")));
        return name.isEmpty() || name.startsWith("/") ? name : text("directory") + "/" + name;
    }
}
