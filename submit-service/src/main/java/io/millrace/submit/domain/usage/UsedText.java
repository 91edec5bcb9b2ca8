package io.millrace.submit.domain.usage;

import io.millrace.model.Resources;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunEnded;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a run used, in words: {@code 12 of 32 cores, 3.1 of 16 GiB}. */
public final class UsedText {

    private static final double MIB = 1 << 20;
    private static final long MIB_PER_GIB = 1024;

    private UsedText() {}

    /** Cores on average, memory and GPUs at the peak; empty if nothing was measured. */
    public static Optional<String> of(final RunEnded run) {
        final ResourceUsage used = run.used();
        if (used == null) {
            return Optional.empty();
        }
        final String text = Stream.of(cores(run, used), memory(run.resources(), used), gpus(run.resources(), used))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        return Optional.of(text).filter(some -> !some.isEmpty());
    }

    private static Optional<String> cores(final RunEnded run, final ResourceUsage used) {
        if (used.cpuTime() == null || run.startedAt() == null) {
            return Optional.empty();
        }
        final long elapsed_ms = Duration.between(run.startedAt(), run.endedAt()).toMillis();
        return elapsed_ms <= 0
                ? Optional.empty()
                : Optional.of(number(used.cpuTime().toMillis() / (double) elapsed_ms) + " of "
                        + run.resources().cores()
                        + (run.resources().cores() == 1 ? " core" : " cores"));
    }

    private static Optional<String> memory(final Resources requested, final ResourceUsage used) {
        if (used.peakMemoryBytes() == null) {
            return Optional.empty();
        }
        final double used_mib = used.peakMemoryBytes() / MIB;
        final boolean inGib = Math.max(used_mib, requested.memoryMib()) >= MIB_PER_GIB;
        final double unit_mib = inGib ? MIB_PER_GIB : 1;
        return Optional.of(number(used_mib / unit_mib)
                + (requested.memoryMib() == 0 ? "" : " of " + number(requested.memoryMib() / unit_mib))
                + (inGib ? " GiB" : " MiB"));
    }

    private static Optional<String> gpus(final Resources requested, final ResourceUsage used) {
        return used.peakGpuPercent() == null || requested.gpus() == 0
                ? Optional.empty()
                : Optional.of(number(used.peakGpuPercent() / 100.0) + " of " + requested.gpus()
                        + (requested.gpus() == 1 ? " GPU" : " GPUs"));
    }

    /** Whole from 10, with one decimal below, without a decimal that is zero. */
    private static String number(final double value) {
        return String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%.0f", value).replaceFirst("\\.0$", "");
    }
}
