package io.millrace.agent.lsf.query;

import io.millrace.model.cluster.ResourceUsage;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code MAX MEM: 1.5 Gbytes;  AVG MEM: 800 Mbytes} of the long formats. OpenLava prints {@code N/A MBytes}. */
public final class MemoryUsage {

    private static final Pattern PEAK =
            Pattern.compile("\\s*MAX MEM: (\\d{1,12}(?:\\.\\d{1,6})?) ([KMGT])b.*", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = "KMGT";

    private MemoryUsage() {}

    /** The largest resident memory of all its processes; no figure if LSF does not print one. */
    public static ResourceUsage peak(final LongFormat.Job job) {
        for (final String line : job.lines()) {
            final Matcher found = PEAK.matcher(line);
            if (found.matches()) {
                final int steps = UNITS.indexOf(found.group(2).toUpperCase(Locale.ROOT)) + 1;
                return ofBytes(Double.parseDouble(found.group(1)) * Math.pow(1024, steps));
            }
        }
        return ResourceUsage.NONE;
    }

    /** No figure if it is zero: the job ended before LSF looked at its processes. */
    public static ResourceUsage ofBytes(final double bytes) {
        return bytes <= 0 ? ResourceUsage.NONE : new ResourceUsage(null, Math.round(bytes), null);
    }
}
