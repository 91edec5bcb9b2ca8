package io.millrace.submit.domain.usage;

import io.millrace.model.AttemptId;
import io.millrace.model.Text;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Usage records as comma-separated values (RFC 4180): one line per run, times in UTC, empty where unknown. */
public final class UsageCsv {

    /** The header line. */
    public static final String HEADER = String.join(
                    ",",
                    List.of(
                            "cluster",
                            "localJobId",
                            "submittedAt",
                            "run",
                            "globalJob",
                            "attempt",
                            "name",
                            "user",
                            "project",
                            "partition",
                            "cores",
                            "nodes",
                            "memoryMib",
                            "gpus",
                            "walltimeSeconds",
                            "startedAt",
                            "endedAt",
                            "elapsedSeconds",
                            "coreSeconds",
                            "lostCoreSeconds",
                            "outcome",
                            "exitCodeOrSignal",
                            "source",
                            "cpuSeconds",
                            "peakMemoryBytes",
                            "peakGpuPercent"))
            + "\r\n";

    private static final Pattern FORMULA = Pattern.compile("[\\p{Z}\\p{Cc}\\p{Cf}]*[=+\\-@＝＋－＠]");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");

    private UsageCsv() {}

    public static String line(final RunEnded run) {
        final AttemptId attempt = run.attempt();
        final ResourceUsage used = run.used() == null ? ResourceUsage.NONE : run.used();
        return Stream.of(
                                run.job().cluster(),
                                run.job().id().local(),
                                run.job().submittedAt(),
                                run.run(),
                                attempt == null ? null : attempt.job(),
                                attempt == null ? null : attempt.number(),
                                run.name(),
                                run.owner(),
                                run.project(),
                                run.partition(),
                                run.resources().cores(),
                                run.resources().nodes(),
                                run.resources().memoryMib(),
                                run.resources().gpus(),
                                seconds(run.walltime()),
                                run.startedAt(),
                                run.endedAt(),
                                elapsed_s(run),
                                run.coreSeconds(),
                                run.lostCoreSeconds(),
                                run.outcome().word(),
                                code(run.outcome()),
                                run.source(),
                                seconds(used.cpuTime()),
                                used.peakMemoryBytes(),
                                used.peakGpuPercent())
                        .map(value -> value == null ? "" : cell(Objects.toString(value)))
                        .collect(Collectors.joining(","))
                + "\r\n";
    }

    /**
     * Quotes a value if it contains a delimiter. A text that a spreadsheet would take for a formula gets an apostrophe before it, and
     * control characters are escaped.
     */
    public static String cell(final String text) {
        final String safe =
                FORMULA.matcher(text).lookingAt() && !NUMBER.matcher(text).matches()
                        ? "'" + Text.escaped(text)
                        : Text.escaped(text);
        return safe.matches("[^\",]*") ? safe : '"' + safe.replace("\"", "\"\"") + '"';
    }

    private static long elapsed_s(final RunEnded run) {
        return run.startedAt() == null
                ? 0
                : Duration.between(run.startedAt(), run.endedAt()).toSeconds();
    }

    private static @Nullable Long seconds(final @Nullable Duration time) {
        return time == null ? null : time.toSeconds();
    }

    /** The exit code or the signal number; null for other outcomes. */
    public static @Nullable Integer code(final RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Exited exited -> exited.exitCode();
            case RunOutcome.Signalled signalled -> signalled.signal();
            default -> null;
        };
    }
}
