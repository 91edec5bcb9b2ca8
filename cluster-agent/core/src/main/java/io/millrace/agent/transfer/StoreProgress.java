package io.millrace.agent.transfer;

import io.millrace.model.TransferId;
import io.millrace.model.transfer.CopyProgress;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a copy through an object store, from the objects that are complete and the lines that rclone prints every second:
 *
 * <pre>
 * 2026/03/01 12:00:00 NOTICE:    12.500 MiB / 100 MiB, 12%, 5.250 MiB/s, ETA 16s
 * </pre>
 */
final class StoreProgress {

    private static final Pattern LINE =
            Pattern.compile(".*NOTICE:\\s+(?<bytes>\\d{1,12}(?:\\.\\d{1,9})?) (?<unit>[KMGTP]i)?B / .*?"
                    + ", (?<rate>\\d{1,12}(?:\\.\\d{1,9})?) (?<rateUnit>[KMGTP]i)?B/s,.*");
    private static final String UNITS = " KMGTP"; // each is 1024 of the one before

    private final TransferId transfer;
    private final long total;
    private final Consumer<CopyProgress> progress;
    private long complete;

    /** @param total bytes of all objects */
    StoreProgress(final TransferId transfer, final long total, final Consumer<CopyProgress> progress) {
        this.transfer = transfer;
        this.total = total;
        this.progress = progress;
    }

    void completed(final long bytes) {
        complete += bytes;
    }

    /** Whether it was a line about progress. */
    boolean take(final String line) {
        final Matcher found = LINE.matcher(line);
        if (!found.matches()) {
            return false;
        }
        final long bytes = complete + bytes(found.group("bytes"), found.group("unit"));
        final long rate = bytes(found.group("rate"), found.group("rateUnit"));
        progress.accept(new CopyProgress(
                transfer,
                bytes,
                total == 0 ? 100 : (int) Math.min(100, bytes * 100 / total),
                rate,
                rate == 0 ? null : Long.valueOf(Math.max(0, total - bytes) / rate)));
        return true;
    }

    private static long bytes(final String number, final @Nullable String unit) {
        return Math.round(
                Double.parseDouble(number) * Math.pow(1024, unit == null ? 0 : UNITS.indexOf(unit.charAt(0))));
    }
}
