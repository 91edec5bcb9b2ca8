package io.millrace.agent.transfer;

import io.millrace.model.TransferId;
import io.millrace.model.transfer.CopyProgress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line that rsync prints with {@code --info=progress2}, at most every second and after each file:
 *
 * <pre>
 *      1238099  14%  146.38kB/s    0:00:08 (xfr#5, to-chk=169/396)
 * </pre>
 */
final class ProgressLine {

    private static final Pattern LINE = Pattern.compile("\\s*(?<bytes>\\d{1,18})\\s+(?<percent>\\d{1,3})%"
            + "\\s+(?<rate>\\d{1,9}(?:\\.\\d{1,9})?)(?<unit>[kMGTP]?)B/s\\s+(?:(?<hours>\\d{1,6}):(?<minutes>\\d\\d):(?<seconds>\\d\\d)|\\?.*?)"
            + "(?:\\s+\\(.*)?\\s*");
    private static final String UNITS = " kMGTP"; // each is 1024 of the one before (progress.c of rsync)

    private ProgressLine() {}

    private static @Nullable Long left(final Matcher found) {
        return found.group("hours") == null
                ? null
                : Long.valueOf(Long.parseLong(found.group("hours")) * 3600
                        + Long.parseLong(found.group("minutes")) * 60
                        + Long.parseLong(found.group("seconds")));
    }

    /** Empty if it is another line. After the last byte rsync prints the time that the copy took, so no time is left then. */
    static Optional<CopyProgress> read(final TransferId transfer, final String line) {
        final Matcher found = LINE.matcher(line);
        if (!found.matches()) {
            return Optional.empty();
        }
        final int percent = Math.min(100, Integer.parseInt(found.group("percent")));
        return Optional.of(new CopyProgress(
                transfer,
                Long.parseLong(found.group("bytes")),
                percent,
                Math.round(
                        Double.parseDouble(found.group("rate")) * Math.pow(1024, UNITS.indexOf(found.group("unit")))),
                percent == 100 ? Long.valueOf(0) : left(found)));
    }
}
