package io.millrace.agent.history;

import java.util.Arrays;
import java.util.Locale;

/** What the lines of accounting files were, and what was added. Every line of a file is counted as exactly one kind. */
final class ImportCounts {

    enum Kind {
        /** Names columns, describes the file, or is empty. */
        HEADER,
        /** About a job, but not the end of a run: a step, a start, an attribute, a component, a job that has not ended. */
        DETAIL,
        ADDED,
        /** A run that the history already contains. */
        KNOWN,
        NEVER_STARTED,
        MALFORMED
    }

    private final long[] lines = new long[Kind.values().length];
    private long coreSeconds;

    void line(final Kind kind) {
        lines[kind.ordinal()]++;
    }

    /** One of the lines that were details is what completed a run. */
    void completed(final Kind kind) {
        lines[Kind.DETAIL.ordinal()]--;
        line(kind);
    }

    void addCoreSeconds(final long more) {
        coreSeconds += more;
    }

    long of(final Kind kind) {
        return lines[kind.ordinal()];
    }

    long lines() {
        return Arrays.stream(lines).sum();
    }

    /** Core-seconds of the runs that were added. */
    long coreSeconds() {
        return coreSeconds;
    }

    String summary(final double seconds) {
        return String.format(
                Locale.ROOT,
                "%d lines read in %.1f s: %d runs added (%.2f core-hours), %d already known, %d jobs never started,"
                        + " %d malformed lines skipped, %d header lines, %d lines without the end of a run",
                lines(),
                seconds,
                of(Kind.ADDED),
                coreSeconds / 3600.0,
                of(Kind.KNOWN),
                of(Kind.NEVER_STARTED),
                of(Kind.MALFORMED),
                of(Kind.HEADER),
                of(Kind.DETAIL));
    }
}
