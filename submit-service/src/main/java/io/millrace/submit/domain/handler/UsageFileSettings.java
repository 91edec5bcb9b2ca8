package io.millrace.submit.domain.handler;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Settings of usage record files.
 *
 * @param zone time zone of days and months
 */
public record UsageFileSettings(Path folder, Set<Format> formats, Every every, ZoneId zone) {

    /** The format of a file. */
    public enum Format {
        CSV,
        /** Standard Workload Format 2.2. */
        SWF;

        String suffix() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The period of one file. */
    public enum Every {
        DAY("yyyy-MM-dd"),
        MONTH("yyyy-MM");

        private final DateTimeFormatter name;

        Every(final String pattern) {
            this.name = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
        }
    }

    public UsageFileSettings {
        formats = Set.copyOf(EnumSet.copyOf(formats));
    }

    /** The name of the file for runs that ended at this instant, e.g. {@code usage-2026-11-21.csv}. */
    public String file(final Instant ended, final Format format) {
        return "usage-" + every.name.format(ended.atZone(zone)) + "." + format.suffix();
    }
}
