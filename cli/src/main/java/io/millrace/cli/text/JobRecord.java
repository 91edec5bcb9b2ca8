package io.millrace.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that a user may want to know of one job, a line for each thing, as {@code scontrol show job}. */
public final class JobRecord {

    private final JsonNode job;
    private final List<String> lines = new ArrayList<>();

    private JobRecord(final JsonNode job) {
        this.job = job;
    }

    /** @param job as the API shows a single job */
    public static List<String> lines(final JsonNode job) {
        return new JobRecord(job).lines();
    }

    private List<String> lines() {
        lines.add(TerminalText.printable(text("number") + " " + text("name")));
        line("state", JobTable.state(job) + ", stage " + text("stage") + " since " + LocalTimes.of(text("since")));
        line("reason", text("reason"));
        line("user", text("user"), has("project") ? "project " + text("project") : null);
        line("id", text("id"), has("batch") ? "batch " + text("batch") : null);
        line("requested", requested());
        line("where", has("cluster") ? text("cluster") : null, localId(), partition());
        line("asked for", has("target") ? text("target") : null, joined("clusters"));
        line("directory", text("source") + ":" + text("directory"));
        line("submitted", LocalTimes.of(text("submittedAt")));
        line("started", time("startedAt"));
        line("predicted start", time("predictedStart"));
        line("ended", time("endedAt"));
        line("outcome", job.path("outcome").path("detail").textValue());
        line("used", cpuTime(), peakMemory());
        line("preempted", job.path("preemptions").asInt() > 0 ? amount("preemptions", "time") : null);
        line("dependency", has("dependency") ? text("dependency") : null);
        line("priority", has("priority") ? text("priority") : null);
        job.path("attempts").forEach(this::attempt);
        job.path("notes").forEach(note -> line("note", note.asText()));
        return lines;
    }

    private void attempt(final JsonNode attempt) {
        line(
                "attempt " + attempt.path("number").asText(),
                attempt.path("cluster").asText() + " since "
                        + LocalTimes.of(attempt.path("startedAt").asText()) + ": "
                        + attempt.path("reason").asText(),
                attempt.hasNonNull("endReason")
                        ? "ended: " + attempt.path("endReason").asText()
                        : null);
    }

    private String requested() {
        final List<String> parts = new ArrayList<>();
        parts.add(amount("cores", "core"));
        if (job.path("nodes").asInt() > 0) {
            parts.add(amount("nodes", "node"));
        }
        if (job.path("memoryMib").asLong() > 0) {
            parts.add(text("memoryMib") + " MiB");
        }
        if (job.path("gpus").asInt() > 0) {
            parts.add(amount("gpus", "GPU"));
        }
        parts.add("walltime " + WalltimeFormat.format(text("walltime")));
        return String.join(", ", parts);
    }

    private @Nullable String cpuTime() {
        final JsonNode cpu_s = job.path("used").path("cpuSeconds");
        return cpu_s.isNumber()
                ? WalltimeFormat.format(Duration.ofSeconds(cpu_s.asLong()).toString()) + " of CPU time"
                : null;
    }

    private @Nullable String peakMemory() {
        final JsonNode bytes = job.path("used").path("peakMemoryBytes");
        return bytes.isNumber() ? "at most " + (bytes.asLong() >> 20) + " MiB" : null;
    }

    private String amount(final String field, final String one) {
        return text(field) + " " + one + (job.path(field).asLong() == 1 ? "" : "s");
    }

    private @Nullable String localId() {
        final int at = text("localJob").lastIndexOf('@');
        return at < 0 ? null : text("localJob").substring(0, at);
    }

    private @Nullable String partition() {
        if (!has("partition")) {
            return null;
        }
        final JsonNode attempts = job.path("attempts");
        final String here = attempts.path(attempts.size() - 1).path("partition").asText("");
        return "partition " + text("partition")
                + (here.isEmpty() || here.equals(text("partition")) ? "" : " (" + here + ")");
    }

    private @Nullable String joined(final String field) {
        final List<String> all = new ArrayList<>();
        job.path(field).forEach(word -> all.add(word.asText()));
        return all.isEmpty() ? null : String.join(" or ", all);
    }

    private @Nullable String time(final String field) {
        return has(field) ? LocalTimes.of(text(field)) : null;
    }

    private boolean has(final String field) {
        return job.hasNonNull(field);
    }

    private String text(final String field) {
        return job.path(field).asText();
    }

    /** Nothing if there is no value. */
    private void line(final String label, final @Nullable String... values) {
        final StringBuilder all = new StringBuilder();
        for (final String value : values) {
            if (value != null && !value.isEmpty()) {
                all.append(all.isEmpty() ? "" : ", ").append(value);
            }
        }
        if (!all.isEmpty()) {
            lines.add(TerminalText.printable("  " + label + " ".repeat(Math.max(1, 17 - label.length())) + all));
        }
    }
}
