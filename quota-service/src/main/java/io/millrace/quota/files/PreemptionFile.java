package io.millrace.quota.files;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.millrace.model.command.Preemption.Mode;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.preemption.ReclaimDelay;
import io.millrace.sitefiles.InvalidEntryException;
import io.millrace.sitefiles.YamlFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the preemption modes and the table of delays; the guide shows the file. */
public final class PreemptionFile {

    private static final Duration UNBOUNDED = Duration.ofDays(999_999);

    private PreemptionFile() {}

    /** The content of the file. */
    public record Rules(PreemptModePolicy modes, List<ReclaimDelay> delays) {
        public static final Rules DEFAULT = new Rules(PreemptModePolicy.DEFAULT, List.of());
    }

    /** @throws IllegalArgumentException if the file cannot be read or has an error; names line and column */
    public static Rules read(final Path path) {
        return YamlFile.read(
                "preemption file",
                path,
                Content.class,
                content -> content.preemption == null ? Rules.DEFAULT : content.preemption.rules());
    }

    private record Content(@Nullable Section preemption) {}

    private record Section(
            @Nullable List<Mode> modes,
            @Nullable Duration restartCost,
            @Nullable List<Row> delays) {

        private Rules rules() {
            return new Rules(
                    YamlFile.entry(
                            () -> new PreemptModePolicy(
                                    modes == null ? PreemptModePolicy.DEFAULT.allowed() : modes,
                                    restartCost == null ? PreemptModePolicy.DEFAULT.restartCost() : restartCost),
                            "preemption",
                            "modes"),
                    delays == null
                            ? List.of()
                            : delays.stream().map(Row::convert).toList());
        }
    }

    private record Row(
            @Nullable CoreRange cores,
            @Nullable Duration waited,
            @JsonProperty("class") @Nullable String jobClass,
            @Nullable String urgency,
            @Nullable Duration delay,
            @Nullable Duration perCore,
            @Nullable Duration longest) {

        private Row {
            YamlFile.required(delay, "delay");
            requireText(jobClass, "class");
            requireText(urgency, "urgency");
        }

        private static void requireText(final @Nullable String text, final String key) {
            if (text != null && text.isBlank()) {
                throw new InvalidEntryException("'" + key + "' is empty: add a name or remove the key", key);
            }
        }

        private ReclaimDelay convert() {
            final CoreRange range = cores == null ? CoreRange.ALL : cores;
            return new ReclaimDelay(
                    range.from,
                    range.to,
                    orZero(waited),
                    jobClass,
                    urgency,
                    orZero(delay),
                    orZero(perCore),
                    longest == null ? UNBOUNDED : longest);
        }

        private static Duration orZero(final @Nullable Duration duration) {
            return duration == null ? Duration.ZERO : duration;
        }
    }

    private record CoreRange(int from, int to) {
        private static final CoreRange ALL = new CoreRange(0, Integer.MAX_VALUE);
        private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(?:(-)(\\d{1,9})?)?");

        private CoreRange {
            if (to < from) {
                throw new IllegalArgumentException("'" + from + "-" + to + "' is empty: begin with the smaller number");
            }
        }

        static CoreRange of(final String text) {
            final Matcher match = TEXT.matcher(text.replace(" ", ""));
            if (!match.matches()) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not a valid range of cores: use a form such as 64, 64-128 or 64-");
            }
            final int from = Integer.parseInt(match.group(1));
            if (match.group(2) == null) {
                return new CoreRange(from, from);
            }
            return new CoreRange(from, match.group(3) == null ? Integer.MAX_VALUE : Integer.parseInt(match.group(3)));
        }
    }
}
