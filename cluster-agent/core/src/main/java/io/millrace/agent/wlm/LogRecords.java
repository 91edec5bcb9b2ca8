package io.millrace.agent.wlm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the lines of an accounting log. Lines that are not records, such as those that a full disk cut off, are counted and logged. */
public final class LogRecords {

    private static final Logger LOG = LoggerFactory.getLogger(LogRecords.class);
    private static final int SHOWN = 80;

    private LogRecords() {}

    /**
     * @param name of the log, for the message
     * @param reader empty for a line that is not a record
     */
    public static <T> List<T> read(
            final String name, final List<String> lines, final Function<String, Optional<T>> reader) {
        final List<T> records = new ArrayList<>(lines.size());
        int unreadable = 0;
        String first = "";
        for (final String line : lines) {
            final Optional<T> record = reader.apply(line);
            if (record.isPresent()) {
                records.add(record.get());
            } else if (!line.isBlank()) {
                first = unreadable == 0 ? line : first;
                unreadable++;
            }
        }
        if (unreadable > 0) {
            LOG.warn(
                    "skipped {} lines of {} that are not records; the first one starts with '{}'",
                    unreadable,
                    name,
                    first.substring(0, Math.min(SHOWN, first.length())));
        }
        return records;
    }
}
